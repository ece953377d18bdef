"""What in an OpenAPI description refers to something else, and what nothing refers to."""

import re
from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.openapi_structure import (
    EXTENSION,
    REFERENCE,
    Description,
    Mistake,
    Part,
)
from mergegate.repo.facts.documents import Form, Node

_SECTIONS = {
    "2": {"Schema": "definitions", "Parameter": "parameters", "Response": "responses"},
    "3": {
        "Schema": "components/schemas",
        "Response": "components/responses",
        "Parameter": "components/parameters",
        "Example": "components/examples",
        "RequestBody": "components/requestBodies",
        "Header": "components/headers",
        "SecurityScheme": "components/securitySchemes",
        "Link": "components/links",
        "Callback": "components/callbacks",
    },
}
"""Where a description keeps what is used several times."""
_BESIDE = frozenset({"summary", "description"})
"""What may stand beside a reference since 3.1."""
_VARIABLE = re.compile(r"\{([^{}]*)\}")


def mistakes(description: Description) -> Iterator[Mistake]:
    """References that lead nowhere or to something else, and what is never referred to."""
    for part in description.parts:
        if part.node[REFERENCE].is_literal:
            yield from _reference(description, part)
    yield from _unused(description)
    yield from _links(description)
    yield from _variables(description)


def _sections(description: Description) -> dict[str, str]:
    return _SECTIONS[description.version[0]]


def _reference(description: Description, part: Part) -> Iterator[Mistake]:
    node = part.node[REFERENCE]
    target = description.target(node.text)
    if target is not None and not target.present:
        yield Mistake("broken", f"{part.kind} that is described nowhere", node.line, part.way)
    section = _sections(description).get(part.kind, "")
    sections = _sections(description).values()
    named = node.text.removeprefix("#/").rpartition("/")[0]
    if section and named in sections and named != section:
        kept = named.rpartition("/")[2]
        yield Mistake("broken", f"{part.kind} that is one of {kept}", node.line, part.way)
    is_open = part.kind in {"Schema", "PathItem"} and description.version == "3.1"
    beside = {one for one in part.node.keys if not one.startswith(EXTENSION)} - {REFERENCE}
    if description.version == "3.1":
        beside -= _BESIDE
    if beside and not is_open and part.kind != "PathItem":
        yield Mistake("ignored", "words beside a reference", node.line, part.way)


def _unused(description: Description) -> Iterator[Mistake]:
    """What is kept and not used; a description without operations is kept for others."""
    if not any(description.of("Operation")):
        return
    used = set(filter(None, _used(description)))
    for kind, section in _sections(description).items():
        if kind == "SecurityScheme":
            continue
        for name, one in description.root.at(*section.split("/")).entries:
            known = {f"#/{section}/{_escaped(name)}", *([name] if kind == "Schema" else [])}
            if not known & used and not _is_variant(description, one):
                way = (*section.split("/"), name)
                yield Mistake("unused", f"{kind} that nothing uses", one.line, way)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _used(description: Description) -> Iterator[str]:
    """Every reference, and the names by which a discriminator tells variants."""
    for node in description.root.walk():
        if node.form is Form.MAP:
            yield node[REFERENCE].text
            yield from (one.text for _, one in node["discriminator"]["mapping"].entries)


def _is_variant(description: Description, schema: Node) -> bool:
    """Whether a schema is found by the discriminator of one that it extends."""
    return any(description.resolved(one)["discriminator"].present for one in schema["allOf"].items)


def _links(description: Description) -> Iterator[Mistake]:
    known = {one.node["operationId"].text for one in description.of("Operation")}
    for part in description.of("Link"):
        named = part.node["operationId"]
        if named.present and named.text not in known:
            yield Mistake("broken", "link to an operation that there is not", named.line, part.way)
        if named.present and part.node["operationRef"].present:
            yield Mistake("contradiction", "link to two operations", named.line, part.way)


def _variables(description: Description) -> Iterator[Mistake]:
    for part in description.of("Server"):
        named = set(_VARIABLE.findall(part.node["url"].text))
        described = part.node["variables"]
        if named - set(described.keys):
            line = part.node["url"].line
            yield Mistake("broken", "variable of a server that is not described", line, part.way)
        for name, one in described.entries:
            if name not in named:
                way = (*part.way, "variables", name)
                yield Mistake(
                    "unused", "variable of a server that its address has not", one.line, way
                )
