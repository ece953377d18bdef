"""What an OpenAPI or Swagger description promises: servers, operations, how they are secured."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mergegate.repo.checks.infrastructure.dialects import openapi_mistakes
from mergegate.repo.checks.infrastructure.dialects.addresses import reach, scheme
from mergegate.repo.checks.infrastructure.dialects.openapi_properties import properties
from mergegate.repo.checks.infrastructure.dialects.parts import (
    beside,
    listed,
    mapping,
    resource,
    says,
)
from mergegate.repo.facts.documents import ABSENT, DocumentFile, DocumentKind, Documents, Node
from mergegate.repo.facts.resources import Dialect, Resource

_METHODS = frozenset({"get", "put", "post", "delete", "patch", "head", "options", "trace", "query"})
_WRITING = frozenset({"put", "post", "delete", "patch"})
_FOR_STRANGERS = re.compile(
    r"log-?in|log-?out|sign-?[iu]n|sign-?up|sign-?out|auth|token|session|register|registration"
    r"|password|forgot|reset|verify|confirm|captcha|webhook|callback|hook|health|ping|contact|public"
    r"|subscribe|feedback|introspect|revoke|jwks|consent|invite|activate|login",
    re.IGNORECASE,
)
"""Paths of operations that somebody without a session has to reach."""
_DEBUGGING = re.compile(
    r"/(?:_?debug|actuator|pprof|heap-?dump|thread-?dump|phpinfo|_profiler|jolokia|h2-console)(?:/|$)",
    re.IGNORECASE,
)
"""Paths of what shows the inside of a server."""
_REFUSALS = frozenset({"401", "403", "4xx", "default"})
_BOUNDS = frozenset({"maxLength", "enum", "const", "format", "pattern", "readOnly", "x-enum"})
"""What keeps a text from being of any length."""
_REFERENCES = 64
"""How many references are followed one after the other."""
_FLOWS = {"application": "clientCredentials", "accessCode": "authorizationCode"}
"""What OAuth flows were called in version 2."""
_VARIABLE = re.compile(r"\{([^{}]{1,200})\}")
_ADDRESSES = ("authorizationUrl", "tokenUrl", "refreshUrl")


def resources(documents: Documents) -> Iterator[Resource]:
    """Everything that a description says of an interface."""
    for file, root in documents.of(DocumentKind.OPENAPI):
        yield from _Description(file, root).resources()
        yield from openapi_mistakes.resources(file, root)


class _Description:
    """One description, of any version."""

    def __init__(self, file: DocumentFile, root: Node) -> None:
        self._file = file
        self._root = root
        self._schemes: Final = dict(
            (
                root["securityDefinitions"]
                if root["swagger"].present
                else root.at("components", "securitySchemes")
            ).entries
        )
        self._operations: Final = tuple(_operations(root["paths"]))

    def resources(self) -> Iterator[Resource]:
        servers = tuple(self._servers())
        plain = _is_plain(servers)
        yield self._document()
        for number, one in enumerate(servers):
            yield self._one("server", f"servers[{number}]", one)
        for name, one in self._schemes.items():
            address = one["openIdConnectUrl"]
            more = {"plain": says(one.line, plain), "transport": _transport(address)}
            yield self._one("scheme", name, beside(one, more))
            yield from self._flows(name, one)
        for path, method, one, shared in self._operations:
            yield from self._operation(path, method, one, shared)
        yield from self._shared()

    def _one(self, kind: str, name: str, found: Node) -> Resource:
        return resource(self._file, Dialect.OPENAPI, kind, name, found)

    def _servers(self) -> Iterator[Node]:
        host = self._root["host"]
        if host.present:
            schemes = self._root["schemes"].each
            addresses = [(one.line, f"{one.text}://{host.text}") for one in schemes]
        else:
            addresses = [(one.line, one.text) for one in self._addresses() if one.present]
        safe = {_host(text) for _, text in addresses if scheme(text) in {"https", "wss"}}
        for line, text in addresses:
            values = {
                "url": Node(line, text=text),
                "transport": Node(line, text=scheme(text)),
                "reach": Node(line, text=reach(text)),
                "alternative": says(line, _host(text) in safe),
            }
            yield mapping(line, values)

    def _addresses(self) -> Iterator[Node]:
        """Where the interface is reached: as a whole, or one path or operation of it."""
        paths = (item for _, item in self._root["paths"].entries)
        operations = (one for _, _, one, _ in self._operations)
        for holder in (self._root, *paths, *operations):
            yield from (_filled_in(one) for one in holder["servers"].items)

    def _document(self) -> Resource:
        needs = [one["security"] for _, _, one, _ in self._operations]
        secured = [one for one in (self._root["security"], *needs) if _state(one) == "required"]
        writing = [one for _, method, one, _ in self._operations if method in _WRITING]
        line = writing[0].line if writing else 1
        open_ended = next(
            (one.line for one in self._needing() if _REFUSALS.isdisjoint(_statuses(one))), 0
        )
        more = {
            "writes": says(line, bool(writing)),
            "operates": says(line, bool(self._operations)),
            "declares": says(line, bool(self._schemes)),
            "secured": says(line, bool(secured)),
            "unanswered": Node(open_ended, text="401"),
        }
        more["by_cookie"] = self._by_cookie()
        more["plain_reference"] = self._plain_reference()
        if not self._root["host"].present:
            more["hostless_schemes"] = self._root["schemes"]
        own = {key: value for key, value in self._root.entries if key.startswith("x-")}
        return self._one("document", "openapi", mapping(line, {**own, **more}))

    def _by_cookie(self) -> Node:
        """The first operation that changes data and asks for a cookie and nothing else."""
        cookies = {key for key, one in self._schemes.items() if one["in"].text == "cookie"}
        for path, method, one, _ in self._operations:
            needs = one["security"] if one["security"].present else self._root["security"]
            alone = any(one.keys and cookies.issuperset(one.keys) for one in needs.items)
            if method in _WRITING and alone:
                return Node(one.line, text=f"{method} {path}")
        return ABSENT

    def _plain_reference(self) -> Node:
        """The first reference to something that is fetched from everywhere without encryption."""
        found = (one["$ref"] for one in self._root.walk() if "$ref" in one.keys)
        return next((one for one in found if _transport(one).text == "http"), ABSENT)

    def _resolved(self, node: Node) -> Node:
        """What a reference within the description leads to; the node itself where it is none."""
        for _ in range(_REFERENCES):
            target = node["$ref"].text
            if not target.startswith("#/"):
                return node
            way = [one.replace("~1", "/").replace("~0", "~") for one in target[2:].split("/")]
            node = self._root.at(*way)
        return node

    def _needing(self) -> Iterator[Node]:
        for _, _, one, _ in self._operations:
            own = one["security"]
            if _state(own if own.present else self._root["security"]) == "required":
                yield one

    def _operation(self, path: str, method: str, one: Node, shared: Node) -> Iterator[Resource]:
        name, own, inherited = f"{method} {path}", one["security"], self._root["security"]
        needs = own if own.present else inherited
        named = sorted({key for each in needs.items for key in each.keys})
        lost = own.present and _state(own) == "none" and _state(inherited) == "required"
        more = {
            "method": Node(one.line, text=method),
            "security": Node(needs.line or one.line, text="emptied" if lost else _state(needs)),
            "writes": says(one.line, method in _WRITING),
            "for_strangers": says(one.line, bool(_FOR_STRANGERS.search(path))),
            "debugging": says(one.line, bool(_DEBUGGING.search(path))),
            "undefined": listed(
                needs.line or one.line, [key for key in named if key not in self._schemes]
            ),
        }
        yield self._one("operation", name, beside(one, more))
        for parameter in (*shared.items, *one["parameters"].items):
            if parameter["in"].text == "body":
                yield self._body(name, parameter.line, self._resolved(parameter["schema"]))
            elif parameter["name"].present:
                yield self._parameter(f"{parameter['name'].text} of {name}", parameter)
        for media, content in self._resolved(one["requestBody"])["content"].entries:
            schema = self._resolved(content["schema"])
            yield self._body(f"{name} as {media}", content.line, schema, media)
        for _, callback in one["callbacks"].entries:
            for address, called in callback.entries:
                at = _transport(Node(called.line, text=address))
                found = mapping(called.line, {"transport": at})
                yield self._one("callback", f"callback of {name}", found)

    def _parameter(self, name: str, one: Node) -> Resource:
        """A parameter; what version 2 says beside it stands in its schema since version 3."""
        schema = self._resolved(one["schema"]) if one["schema"].present else one
        return self._one("parameter", name, beside(one, {"schema": schema}))

    def _body(self, name: str, line: int, schema: Node, media: str = "") -> Resource:
        values = {
            "schema": schema,
            "media": Node(line if media else 0, text=media),
            "endless": listed(schema.line, self._endless(schema)),
        }
        return self._one("body", f"body of {name}", mapping(line, values))

    def _endless(self, schema: Node) -> list[str]:
        """The texts of a body that may be of any length."""
        found = ((key, self._resolved(one)) for key, one in schema["properties"].entries)
        return [
            key
            for key, one in found
            if one["type"].text == "string" and _BOUNDS.isdisjoint(one.keys)
        ]

    def _flows(self, name: str, found: Node) -> Iterator[Resource]:
        flows = dict(found["flows"].entries) or {found["flow"].text: found}
        for flow, one in flows.items():
            if not flow:
                continue
            called = {"flow": Node(one.line, text=_FLOWS.get(flow, flow))}
            at = {f"{key}_transport": _transport(one[key]) for key in _ADDRESSES}
            yield self._one("flow", f"{flow} of {name}", mapping(one.line, {**called, **at}))

    def _shared(self) -> Iterator[Resource]:
        old = self._root["swagger"].present
        parts = self._root if old else self._root["components"]
        for name, one in parts["parameters"].entries:
            yield self._parameter(name, one)
        for name, one in properties(self._root, self._resolved):
            yield self._one("property", name, one)


def _filled_in(server: Node) -> Node:
    """The address of a server, with what its variables are where nobody chooses."""
    url = server["url"]
    defaults = {key: one["default"] for key, one in server["variables"].entries}
    text = _VARIABLE.sub(
        lambda match: defaults[match[1]].text if match[1] in defaults else match[0], url.text
    )
    return replace(url, text=text)


def _operations(paths: Node) -> Iterator[tuple[str, str, Node, Node]]:
    """Path, method, operation, and the parameters of all operations of the path."""
    for path, item in paths.entries:
        for method, one in item.entries:
            if method.lower() in _METHODS and one.keys:
                yield path, method.lower(), one, item["parameters"]


def _state(needs: Node) -> str:
    """What a list of alternatives asks for."""
    if not needs.items:
        return "none"
    empty = [one for one in needs.items if not one.keys]
    return "none" if len(empty) == len(needs.items) else "optional" if empty else "required"


def _statuses(operation: Node) -> frozenset[str]:
    return frozenset(key.lower() for key in operation["responses"].keys)


def _host(address: str) -> str:
    return address.partition("://")[2].partition("/")[0]


def _is_plain(servers: tuple[Node, ...]) -> bool:
    """Whether what the description is of is reached without encryption from everywhere."""
    return any(
        one["transport"].text == "http"
        and one["reach"].text == "public"
        and one["alternative"].is_false
        for one in servers
    )


def _transport(address: Node) -> Node:
    """Over what a public address is reached; absent where it is none, or not known."""
    if reach(address.text) != "public":
        return ABSENT
    return Node(address.line, text=scheme(address.text))
