"""Schemas of an OpenAPI description that contradict themselves."""

import re
from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects.openapi_structure import (
    OBJECTS,
    REFERENCE,
    Description,
    Mistake,
    Part,
)
from mergegate.repo.facts.documents import MASKED, Form, Node

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WHOLE = re.compile(r"-?\d+(?:\.0+)?")
_COMBINING = ("allOf", "anyOf", "oneOf")
_COMBINED = frozenset({*_COMBINING, "not", "if"})
_DEPTH, _MOST = 4, 50
"""How far into an example it is compared, and how many values of each list and map."""
_TYPES = ("number", "string", "array", "object")
_LIMITS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def mistakes(description: Description) -> Iterator[Mistake]:
    """Schemas that nothing fits, or that say what has no effect."""
    for part in typed(description):
        yield from _contradictions(description, part)
    for part in description.of("MediaType", "Parameter", "Header"):
        yield from _examples(description, part)
    yield from _circles(description)


def typed(description: Description) -> Iterator[Part]:
    """Every schema, and what version 2 describes as one."""
    for part in description.of("Schema", "Parameter", "Header", "Items"):
        is_one = part.kind == "Schema" or part.node["type"].present
        if is_one and part.node.form is Form.MAP:
            yield part


def types_of(node: Node) -> frozenset[str]:
    """The types that values may have; none where it is not said."""
    return frozenset(one.text for one in node["type"].each)


def _contradictions(description: Description, part: Part) -> Iterator[Mistake]:
    node, types = part.node, types_of(part.node)
    if node["readOnly"].is_true and node["writeOnly"].is_true:
        yield Mistake("contradiction", "readOnly and writeOnly at once", node.line, part.way)
    for low, high in _LIMITS:
        if _is_more(node[low].text, node[high].text):
            line = node[high].line
            yield Mistake("contradiction", f"{high} that is less than {low}", line, part.way)
    yield from _of_other_types(part, types)
    for key in ("default", "example"):
        if node[key].present and not _fits(types, node, node[key]):
            reason = f"{key} that is not of the type {_named(types)}"
            yield Mistake("contradiction", reason, node[key].line, part.way)
    yield from _enumerated(part, types)
    yield from _required(description, part)
    yield from _discriminated(description, part)
    known = OBJECTS.get(f"format {_named(types)}", ())
    if known and node["format"].is_literal and node["format"].text not in known:
        line = node["format"].line
        yield Mistake("value", f"format of another type than {_named(types)}", line, part.way)


def _examples(description: Description, part: Part) -> Iterator[Mistake]:
    """Examples of contents and parameters that their schemas do not allow."""
    named = (description.resolved(one)["value"] for _, one in part.node["examples"].entries)
    for value in (part.node["example"], *named):
        is_known = value.present and not value[REFERENCE].present
        if is_known and not _allows(description, part.node["schema"], value, _DEPTH):
            yield Mistake("contradiction", "example that its schema refuses", value.line, part.way)


def _allows(description: Description, schema: Node, value: Node, depth: int) -> bool:
    """Whether a value may be one of a schema, as far as their forms tell."""
    known = description.resolved(schema)
    if not depth or known.form is not Form.MAP or value.tag or not _COMBINED.isdisjoint(known.keys):
        return True
    if not _fits(types_of(known), known, value):
        return False
    items = [(known["items"], one) for one in value.items[:_MOST]]
    parts = [(description.child(known["properties"], key), one) for key, one in value.entries]
    return all(_allows(description, one, each, depth - 1) for one, each in (*items, *parts[:_MOST]))


def _named(types: frozenset[str]) -> str:
    return next(iter(types)) if len(types) == 1 else ""


def _is_more(low: str, high: str) -> bool:
    both = _NUMBER.fullmatch(low) and _NUMBER.fullmatch(high)
    return bool(both) and float(low) > float(high)


def _of_other_types(part: Part, types: frozenset[str]) -> Iterator[Mistake]:
    """Words that have no effect on values of the type that is named."""
    node = part.node
    if len(types) != 1 or not types & {*_TYPES, "integer", "boolean"}:
        return
    own = "number" if types == {"integer"} else _named(types)
    for other in _TYPES:
        words = OBJECTS[f"of {other}"]
        if other == own:
            continue
        for word in words:
            is_flag = word == "required" and node[word].form is not Form.LIST
            if node[word].present and not is_flag:
                reason = f"{word} of a {_named(types)}"
                yield Mistake("contradiction", reason, node[word].line, (*part.way, word))


def _fits(types: frozenset[str], node: Node, value: Node) -> bool:
    """Whether a value may be of one of the types; of a text nothing is known."""
    if not types or value.tag or value.text in {MASKED, "null", "~"}:
        return True
    return any(_is_a(one, value) for one in types) or node["nullable"].is_true


def _is_a(kind: str, value: Node) -> bool:
    if kind in {"object", "array"}:
        return value.form is (Form.MAP if kind == "object" else Form.LIST)
    if value.form is not Form.SCALAR:
        return False
    if kind == "integer":
        return _WHOLE.fullmatch(value.text) is not None
    if kind == "number":
        return _NUMBER.fullmatch(value.text) is not None
    return kind != "boolean" or value.is_true or value.is_false


def _enumerated(part: Part, types: frozenset[str]) -> Iterator[Mistake]:
    node, values = part.node, part.node["enum"]
    texts = [one.text for one in values.items if one.form is Form.SCALAR]
    if values.form is Form.LIST and not values.items:
        yield Mistake("value", "enum without a value", values.line, part.way)
    if len(set(texts)) < len(texts):
        yield Mistake("twice", "value of an enum", values.line, part.way)
    if not all(_fits(types, node, one) for one in values.items):
        reason = f"value of an enum that is not of the type {_named(types)}"
        yield Mistake("contradiction", reason, values.line, part.way)
    held = [key for low, high in _LIMITS[:2] for key in (low, high) if node[key].present]
    if values.items and (held or node["pattern"].present):
        yield Mistake("contradiction", "bounds beside an enum", values.line, part.way)


def _properties(description: Description, schema: Node) -> set[str] | None:
    """The names of a schema's properties; None where not all are known."""
    names, seen, waiting = set[str](), set[int](), [schema]
    while waiting:
        one = description.resolved(waiting.pop())
        if one[REFERENCE].present or not one.present:
            return None
        if id(one) in seen:
            continue
        seen.add(id(one))
        names.update(one["properties"].keys)
        for key in _COMBINING:
            waiting.extend(one[key].items)
    return names


def _required(description: Description, part: Part) -> Iterator[Mistake]:
    node = part.node
    texts = [one.text for one in node["required"].items]
    if len(set(texts)) < len(texts):
        yield Mistake("twice", "name of what is required", node["required"].line, part.way)
    is_piece = bool({"allOf", "anyOf", "oneOf", "not", "if"} & set(part.way))
    if not texts or is_piece or node["patternProperties"].present:
        return
    names = _properties(description, node)
    open_ended = node["additionalProperties"].present and not node["additionalProperties"].is_false
    if names is not None and not open_ended and set(texts) - names:
        line = node["required"].line
        yield Mistake("contradiction", "required property that is not described", line, part.way)
    for text in texts:
        if (told := description.child(node["properties"], text))["default"].present:
            line = told.line
            yield Mistake("contradiction", "default of a required property", line, part.way)


def _discriminated(description: Description, part: Part) -> Iterator[Mistake]:
    node, said = part.node, part.node["discriminator"]
    name = said["propertyName"].text or said.text
    if not name or not node["properties"].present:
        return
    told = description.resolved(node["properties"][name])
    if not told.present:
        reason = "discriminator that is none of the properties"
        yield Mistake("contradiction", reason, said.line, part.way)
    elif told["type"].present and types_of(told) != {"string"}:
        yield Mistake("contradiction", "discriminator that is no text", said.line, part.way)
    if name not in {one.text for one in node["required"].items}:
        yield Mistake("contradiction", "discriminator that is not required", said.line, part.way)


def _circles(description: Description) -> Iterator[Mistake]:
    """Schemas that need one of themselves, so that no value ends."""
    for part in description.of("Schema"):
        own = f"#/{'/'.join(part.way)}"
        for name in (one.text for one in part.node["required"].items):
            told = description.child(part.node["properties"], name)
            if told[REFERENCE].text == own:
                line = told.line
                yield Mistake("contradiction", "schema that needs itself", line, part.way)
