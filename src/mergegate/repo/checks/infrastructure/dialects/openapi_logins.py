"""Logins of an OpenAPI description, the scopes that are asked for, and what names give away."""

import re
from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.openapi_structure import (
    Description,
    Mistake,
)
from mergegate.repo.facts.documents import Form, Node

_WITH_SCOPES = frozenset({"oauth2", "openIdConnect"})
_ADDRESS = re.compile(
    r"(?:call_?back|redirect|return|next|target|dest(?:ination)?|web_?hook|image|avatar|feed|proxy"
    r"|forward|continue|fetch|remote|source)?_?(?:url|uri)|redirect(?:_?to)?|callback|return_?to",
    re.IGNORECASE,
)
"""Parameters that hold an address, which the server may go to or send a visitor to."""
_ID = re.compile(r"(?:\w*[_-])?id|\w+Id", re.DOTALL)


def mistakes(description: Description) -> Iterator[Mistake]:
    """Scopes that are not described, and parameters that attackers try first."""
    yield from _scopes(description)
    for part in description.of("Parameter"):
        name, place = part.node["name"].text, part.node["in"].text
        schema = description.resolved(part.node["schema"])
        kind = schema["type"].text or part.node["type"].text
        if place in {"query", "path"} and _ADDRESS.fullmatch(name):
            is_known = any(schema[key].present for key in ("enum", "pattern", "const"))
            if not is_known:
                yield Mistake("address", "address in a parameter", part.node.line, part.way)
        if place in {"query", "path"} and kind == "integer" and _ID.fullmatch(name):
            yield Mistake("number", "number as an id", part.node.line, part.way)


def _scopes(description: Description) -> Iterator[Mistake]:
    root = description.root
    is_old = description.version == "2"
    schemes = root["securityDefinitions"] if is_old else root.at("components", "securitySchemes")
    for part in description.parts:
        if part.kind in {"Document", "Operation"}:
            for one in part.node["security"].items:
                for name, asked in one.entries:
                    if (scheme := description.child(schemes, name)).present:
                        yield from _asked(description, scheme, asked, (*part.way, name))


def _asked(
    description: Description, scheme: Node, asked: Node, way: tuple[str, ...]
) -> Iterator[Mistake]:
    kind = scheme["type"].text
    if asked.items and kind not in _WITH_SCOPES and description.version != "3.1":
        yield Mistake("scopes", f"scopes of a scheme of the type {kind}", asked.line, way)
    if kind != "oauth2" or scheme["$ref"].present:
        return
    flows = dict(scheme["flows"].entries) or {"": scheme}
    if any(one["scopes"].form is Form.SCALAR and one["scopes"].text for one in flows.values()):
        return
    known = {key for one in flows.values() for key in one["scopes"].keys}
    if any(one.text not in known for one in asked.items):
        yield Mistake("scopes", "scope that no flow describes", asked.line, way)
