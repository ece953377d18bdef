"""What in the schemas of an OpenAPI description lets a value be of any size, or be anything."""

from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.openapi_schemas import typed, types_of
from mergegate.repo.checks.infrastructure.dialects.openapi_structure import (
    REFERENCE,
    Description,
    Mistake,
)
from mergegate.repo.facts.documents import Node

_BROAD = frozenset({".*", "^.*$", ".+", "^.+$", "^(.*)$", "(.*)", r"^[\s\S]*$", r"[\s\S]*"})
_FIXED = frozenset({"enum", "const", "format", "pattern", "readOnly"})
"""What keeps a text from being of any kind."""
_COMBINED = frozenset({"allOf", "oneOf", "anyOf", "not", REFERENCE, "if"})
_ITEMS = ("items", "prefixItems", "contains")


def mistakes(description: Description) -> Iterator[Mistake]:
    """Values without an end, by the type that they have."""
    for part in typed(description):
        for reason in _open_ends(part.node):
            yield Mistake("unbounded", reason, part.node.line, part.way)


def _open_ends(node: Node) -> Iterator[str]:
    types, keys = types_of(node), frozenset(node.keys)
    if "string" in types:
        yield from _of_text(node, keys)
    if types & {"integer", "number"} and keys.isdisjoint({"enum", "const"}):
        yield from _of_number(keys)
    if "array" in types:
        yield from _of_list(node, keys)
    yield from _of_object(node, types, keys)
    if not types and keys.isdisjoint({*_COMBINED, "enum", "const"}):
        yield "object without a type" if node["properties"].present else "value without a type"


def _of_text(node: Node, keys: frozenset[str]) -> Iterator[str]:
    if keys.isdisjoint(_FIXED | {"maxLength"}):
        yield "text of any length"
    if keys.isdisjoint(_FIXED):
        yield "text of any kind"
    if node["pattern"].text in _BROAD:
        yield "pattern that everything fits"


def _of_number(keys: frozenset[str]) -> Iterator[str]:
    for key in ("minimum", "maximum"):
        if keys.isdisjoint({key, f"exclusive{key.title()}"}):
            yield f"number without {key}"
    if "format" not in keys:
        yield "number without format"


def _of_list(node: Node, keys: frozenset[str]) -> Iterator[str]:
    if "maxItems" not in keys:
        yield "list of any length"
    if not any(node[one].children for one in _ITEMS):
        yield "list of anything"


def _of_object(node: Node, types: frozenset[str], keys: frozenset[str]) -> Iterator[str]:
    is_bare = keys.isdisjoint({"properties", "additionalProperties", *_COMBINED})
    if (types == {"object"} and is_bare) or node["additionalProperties"].is_true:
        yield "object of any properties"
