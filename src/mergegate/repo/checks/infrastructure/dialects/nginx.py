"""Blocks of nginx: each as it is written, servers and locations with what they inherit as well."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from mergegate.repo.checks.infrastructure.dialects.nginx_access import access
from mergegate.repo.checks.infrastructure.dialects.nginx_breaks import header_with_break
from mergegate.repo.checks.infrastructure.dialects.nginx_headers import set_headers
from mergegate.repo.checks.infrastructure.dialects.nginx_locations import locations
from mergegate.repo.checks.infrastructure.dialects.nginx_patterns import without_group
from mergegate.repo.checks.infrastructure.dialects.nginx_sockets import without_default
from mergegate.repo.checks.infrastructure.dialects.parts import (
    WORDS,
    any_text,
    evaluated,
    listed,
    mapping,
    resource,
    says,
)
from mergegate.repo.checks.infrastructure.dialects.web_servers import (
    PLACEHOLDER,
    blocks,
    directives,
    title,
)
from mergegate.repo.facts.documents import ABSENT, DocumentFile, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource

_OF_ONE_LEVEL = frozenset(WORDS["nginx-of-one-level"])
_WITHOUT_SETTINGS = WORDS["nginx-without-settings"]
_RULES_OF_ACCESS = ("allow", "deny")
_PAIRS = frozenset({"map", "geo", "types", "split_clients", "match"})
"""Blocks whose lines are no directives."""
_GROUP = re.compile(r"(?<!\\)\((?!\?[:=!])(?:\?P?<(?P<name>\w+)>)?(?P<what>[^()]*)")
_ANYTHING = re.compile(r"(?<!\\)\.[*+]|\[\^[^\]]*\][*+]|\\[SDW][*+]")
"""What in a group lets a visitor write a host of any name."""
_HOST = re.compile(
    r"(?:(?:https?|\$\{?\w+\}?)://)?(?P<before>[\w.-]*)\$\{?(?P<name>\w+)\}?(?=[/:?]|$)"
)

_OF_REQUEST = re.compile(r"\$\{?(?:arg_|cookie_|http_(?!host\b))\w+\}?")
"""What a visitor writes into the request."""
_OF_ADDRESS = re.compile(r"\$\{?(?:uri|document_uri|request_uri|args|query_string)\}?")
"""What a visitor writes into the address."""
_REDIRECTS = ("return", "rewrite")
_SERVING = ("root", "alias", "proxy_pass", "fastcgi_pass", "uwsgi_pass", "try_files")
_PORT = re.compile(r"(?:(?:\*|0\.0\.0\.0|\[::\]):)?(?P<port>\d{1,5})(?= |$)")
_HANDLERS = ("proxy_pass", "fastcgi_pass", "uwsgi_pass", "grpc_pass", "scgi_pass")
_SAFE_IN_IF = frozenset({"return", "set"})
_ENDS = re.compile(r".* (?:last|redirect|permanent)|\S+ (?:https?://|\$scheme).*")
"""A rewrite that ends what nginx does with the block."""

_OF_CLIENT = "$ssl_client_"

_Settings = Mapping[str, Node]


def resources(documents: Documents) -> Iterator[Resource]:
    """Every block of every file, twice: what stands in it, and what holds there."""
    for file, root in documents.of(DocumentKind.NGINX):
        settings = evaluated(root, PLACEHOLDER)
        whole = any(name == "http" for name, _ in blocks(settings))
        around = {
            "whole": says(1, whole),
            "sees_certificate": says(1, any(_OF_CLIENT in one.text for one in settings.walk())),
            "tls_names": listed(1, sorted(_tls_names(settings))),
            "visitors_variables": listed(1, sorted(_visitors_variables(settings))),
        }
        known = {key: value for key, value in around.items() if value.present}
        yield from _block(file, "main", settings, known)


def _block(file: DocumentFile, name: str, node: Node, around: _Settings) -> Iterator[Resource]:
    own = _own(node)
    address = title(name, node)
    written = mapping(node.line, {**own, "block": Node(node.line, text=name)})
    yield resource(file, Dialect.NGINX, "block", address, written)
    held = {**_inherited(around, own), **own}
    if name == "stream":
        held["stream"] = says(node.line, True)
    in_effect = {**held, **_derived(node, own, held, around)}
    if name == "if":
        in_effect["beyond_if"] = listed(node.line, _beyond_if(own))
    yield resource(file, Dialect.NGINX, name, address, mapping(node.line, in_effect))
    inside = {**in_effect, "within": Node(node.line, text=name)}
    for inner, block in blocks(node):
        if inner == "map":
            yield resource(file, Dialect.NGINX, "map", title(inner, block), _map(block))
        elif inner == "geo":
            source = block["argument"].text.rpartition(" ")[0]
            chosen = mapping(block.line, {"source": source})
            yield resource(file, Dialect.NGINX, "geo", title(inner, block), chosen)
        elif inner not in _PAIRS:
            yield from _block(file, inner, block, inside)


def _own(node: Node) -> dict[str, Node]:
    own = dict(directives(node))
    included = tuple(
        one
        for one in own.pop("include", Node()).each
        if not any(name in one.text for name in _WITHOUT_SETTINGS)
    )
    if included:
        own["include"] = Node(included[0].line, Form.LIST, children=included)
    return own


def _inherited(around: _Settings, own: _Settings) -> dict[str, Node]:
    """What holds of the block around; rules of access are inherited all or none."""
    dropped = _OF_ONE_LEVEL | {
        name for name in _RULES_OF_ACCESS if any(one in own for one in _RULES_OF_ACCESS)
    }
    return {name: value for name, value in around.items() if name not in dropped}


def _derived(node: Node, own: _Settings, held: _Settings, around: _Settings) -> _Settings:
    """What follows from several directives."""
    derived = set_headers(node.line, own, held, around) | access(node.line, own, held, around)
    if "listen" in own:
        derived["tls"] = says(node.line, _is_tls(own))
        ports = _open_ports(own["listen"])
        derived["open_ports"] = listed(own["listen"].line, ports)
        derived["plain"] = says(node.line, "80" in ports and not _is_tls(own) and _serves(node))
        if "server_name" in own and "tls_names" in around:
            names = sorted(set(_names(own["server_name"])))
            twins = (one for one in names if _is_among(one, around["tls_names"]))
            derived["twin"] = listed(node.line, twins)
    derived["serves_files"] = says(node.line, "alias" in own or "root" in own)
    derived["passes_on"] = says(node.line, any(name in own for name in _HANDLERS))
    if "rewrite" in own and (empty := next(without_group(own["rewrite"]), None)):
        derived["empty_part"] = empty
    if (broken := header_with_break(own)) is not None:
        derived["broken_header"] = broken
    derived["without_default"] = without_default(node)
    derived |= locations(node, own, held)
    if (target := _visitors_host(own, around)) is not None:
        derived["visitors_host"] = target
    return derived


def _visitors_host(own: _Settings, around: _Settings) -> Node | None:
    """Where a request goes whose host is a part of the path; None where it is not."""
    if "proxy_pass" not in own:
        return None
    path = own["argument"].text if "argument" in own else ""
    groups = list(_GROUP.finditer(path)) if path.startswith("~") else []
    taken = {str(at): one["what"] for at, one in enumerate(groups, start=1)}
    taken |= {one["name"]: one["what"] for one in groups if one["name"]}
    free = {name for name, what in taken.items() if _ANYTHING.search(what)}
    mapped = around.get("visitors_variables", ABSENT)
    for one in own["set"].each if "set" in own else ():
        name, _, value = one.text.partition(" ")
        plain = value.lstrip("$")
        if plain in free or _is_among(plain, mapped) or _OF_REQUEST.fullmatch(value):
            free.add(name.lstrip("$"))
    for one in own["proxy_pass"].each:
        match = _HOST.match(one.text)
        if not match or _begins_path(match, taken):
            continue
        if match["name"] in free or _is_among(match["name"], mapped):
            return one
    return None


def _is_among(text: str, ordered: Node) -> bool:
    """Whether the text is one of a sorted list, which every server is asked about."""
    at = bisect_left(ordered.items, text, key=lambda one: one.text)
    return ordered.items[at : at + 1] != () and ordered.items[at].text == text


def _begins_path(match: re.Match[str], taken: Mapping[str, str]) -> bool:
    """Whether a part of the path stands behind the whole name of a host."""
    return bool(match["before"]) and not re.match(r"\.[*+]|\[\^", taken.get(match["name"], "/"))


def _beyond_if(own: _Settings) -> list[str]:
    """The directives of a block that do not do in an if what they do elsewhere."""
    is_end = (
        all(_ENDS.fullmatch(one.text) for one in own["rewrite"].each) if "rewrite" in own else False
    )
    known = _SAFE_IN_IF | ({"rewrite"} if is_end else set()) | {"argument", "break"}
    return sorted(name for name in own if name not in known)


def _open_ports(listen: Node) -> list[str]:
    """The ports on which others than the machine itself are listened to."""
    found = [_PORT.match(one.text) for one in listen.each]
    return [one["port"] for one in found if one]


def _is_tls(own: _Settings) -> bool:
    by_port = any_text(own["listen"], lambda text: bool({"ssl", "quic"} & set(text.split())))
    return by_port or ("ssl" in own and own["ssl"].is_true)


def _map(node: Node) -> Node:
    """What a variable is chosen by, and the patterns by which it becomes something."""
    source, _, target = node["argument"].text.partition(" ")
    patterns = [
        key[1:] for key, one in node.entries if key[:1] == "~" and one.text not in {"", "0"}
    ]
    values = {
        "source": Node(node.line, text=source),
        "target": Node(node.line, text=target),
        "patterns": listed(node.line, patterns),
        "values": listed(node.line, sorted({one.text for _, one in node.entries})),
        "default": node["default"],
    }
    return mapping(node.line, values)


def _visitors_variables(node: Node) -> Iterator[str]:
    """The variables of maps that hold whatever a visitor writes."""
    for name, block in blocks(node):
        source, _, target = block["argument"].text.partition(" ")
        is_free = _OF_REQUEST.fullmatch(source) or _OF_ADDRESS.fullmatch(source)
        if name == "map" and is_free:
            if any(_is_free(key, one.text, source) for key, one in block.entries):
                yield target.lstrip("$")
        elif name == "http":
            yield from _visitors_variables(block)


def _is_free(key: str, value: str, source: str) -> bool:
    """Whether an entry of a map gives the visitor's own text on, with no end to what fits."""
    if value == source:
        return key == "default" or (key[:1] == "~" and _ANYTHING.search(key) is not None)
    groups = list(_GROUP.finditer(key)) if key[:1] == "~" else []
    named = {str(at): one["what"] for at, one in enumerate(groups, start=1)}
    named |= {one["name"]: one["what"] for one in groups if one["name"]}
    return _ANYTHING.search(named.get(value.lstrip("$"), "")) is not None


def _tls_names(node: Node) -> Iterator[str]:
    """The names of the servers of a file that encrypt."""
    for name, block in blocks(node):
        own = directives(block)
        if name == "http":
            yield from _tls_names(block)
        elif name == "server" and "listen" in own and "server_name" in own and _is_tls(own):
            yield from _names(own["server_name"])


def _names(value: Node) -> list[str]:
    return [name for one in value.each for name in one.text.split() if name != "_"]


def _serves(node: Node) -> bool:
    """Whether a server answers with more than redirects."""
    keys = {key for one in node.walk() for key in one.keys}
    return keys.isdisjoint(_REDIRECTS) and not keys.isdisjoint(_SERVING)
