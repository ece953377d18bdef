"""The objects of an OpenAPI description, each held to what the specification lets it say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.repo.facts.documents import ABSENT, Form, Node

OBJECTS = read_lists(Path(__file__).with_name("openapi_objects.toml"))
REFERENCE = "$ref"
EXTENSION = "x-"
_REFERENCES = 8
"""How many references are followed one after the other."""
_ANY_OTHER = "*"
_HOLDERS = "[{"
_SCALARS = {
    "flag": re.compile(r"true|false"),
    "number": re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"),
    "url": re.compile(r"[a-zA-Z][\w+.-]*:(?://)?[^\s/@#]+(?:[/?#][^\s@]\S*|/)?|\.{0,2}/\S+|#\S+"),
    "address": re.compile(
        r"[a-zA-Z][\w+.-]*://[^\s/@#]+(?:[/?]\S*)?|\.{0,2}/\S*|[\w.~%-]+(?:/\S*)?"
    ),
    "mail": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+"),
    "media": re.compile(r"(?:\*|[\w!#$&^.+-]+)/(?:\*|[\w!#$&^.+-]+)(?:\s*;.*)?"),
    "host": re.compile(r"(?:[\w.-]+|\[[\da-fA-F:]+\])(?::\d{1,5})?"),
    "basePath": re.compile(r"/[^\s?#{}]*"),
}
_STATUS = re.compile(r"default|[1-5](?:\d\d|XX)", re.IGNORECASE)
_NAME = re.compile(r"[\w.-]+")
_NAMED = frozenset({"Components"})
"""Objects whose maps have names of one spelling."""


@dataclass(frozen=True, slots=True)
class Field:
    """What an object may say under a name."""

    kind: str
    """An object, or of a scalar what it is."""
    holder: str
    """``[`` for a list of those, ``{`` for a map; empty for one."""
    needed: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One object of a description."""

    kind: str
    node: Node
    way: tuple[str, ...]
    """The keys that lead to it; items of a list have their number."""

    @property
    def name(self) -> str:
        """The key under which it stands."""
        return self.way[-1] if self.way else ""

    @property
    def is_reference(self) -> bool:
        """Whether it stands for what is described elsewhere."""
        return self.kind != "PathItem" and self.node[REFERENCE].is_literal


@dataclass(frozen=True, slots=True)
class Mistake:
    """Where a description contradicts the specification or itself, or leaves something out."""

    matter: str
    reason: str
    """What is wrong, the same words wherever it is."""
    line: int
    way: tuple[str, ...]


class Description:
    """A description with all of its objects."""

    def __init__(self, root: Node) -> None:
        self.root = root
        said = root["swagger"].text or root["openapi"].text
        self.version = "2" if said.startswith("2") else "3" if said.startswith("3.0") else "3.1"
        self._named: dict[int, Mapping[str, Node]] = {}
        self.parts = tuple(self._walk())

    def of(self, *kinds: str) -> Iterator[Part]:
        """The objects of some kinds that are described where they stand."""
        return (one for one in self.parts if one.kind in kinds and not one.is_reference)

    def target(self, reference: str) -> Node | None:
        """What a reference within the description leads to; None where it leads elsewhere."""
        if reference == "#" or not reference.startswith("#/"):
            return self.root if reference == "#" else None
        node = self.root
        for step in reference[2:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            is_number = node.form is Form.LIST and name.isdigit() and int(name) < len(node.items)
            node = node.items[int(name)] if is_number else self.child(node, name)
        return node

    def child(self, node: Node, name: str) -> Node:
        """The value under a name; a map that many refer to is searched once."""
        if id(node) not in self._named:
            self._named[id(node)] = dict(node.entries)
        return self._named[id(node)].get(name, ABSENT)

    def resolved(self, node: Node) -> Node:
        """What a reference leads to; the node itself where it is none."""
        for _ in range(_REFERENCES):
            target = self.target(node[REFERENCE].text)
            if target is None or node.form is not Form.MAP:
                return node
            node = target
        return node

    def _walk(self) -> Iterator[Part]:
        pending = [Part("Document", self.root, ())]
        while pending:
            part = pending.pop()
            yield part
            if not part.is_reference:
                pending.extend(reversed(list(self._inside(part))))

    def _inside(self, part: Part) -> Iterator[Part]:
        known = fields(self.version, part.kind)
        for key, value in part.node.entries:
            field = known.get(key) or known.get(_ANY_OTHER)
            if field is None or not field.kind[0].isupper() or key.startswith(EXTENSION):
                continue
            way = (*part.way, key)
            if field.holder == "{":
                named = value.entries
                yield from (Part(field.kind, one, (*way, name)) for name, one in named)
            elif value.form is Form.LIST:
                items = enumerate(value.items)
                yield from (Part(field.kind, one, (*way, str(at))) for at, one in items)
            elif value.form is Form.MAP:
                yield Part(field.kind, value, way)


@cache
def fields(version: str, kind: str) -> Mapping[str, Field]:
    """What an object may say, by name."""
    tables = ("3", "3.1") if version == "3.1" else (version,)
    found: dict[str, Field] = {}
    for table in tables:
        for said in OBJECTS.get(f"{table}.{kind}", ()):
            name, held = said.split(" ")
            holder = held[0] if held[0] in _HOLDERS else ""
            found[name.rstrip("!")] = Field(held.strip("[]{}"), holder, name.endswith("!"))
    return found


def mistakes(description: Description) -> Iterator[Mistake]:
    """Fields that there are not, that are missing, or whose value is none of theirs."""
    for part in description.parts:
        if part.is_reference or part.node.form is not Form.MAP:
            continue
        known = fields(description.version, part.kind)
        for key, value in part.node.entries:
            if not key.startswith(EXTENSION):
                yield from _said(part, key, value, known)
        for name, field in known.items():
            if field.needed and not part.node[name].present:
                yield Mistake("missing", f"{part.kind} without {name}", part.node.line, part.way)


def _said(part: Part, key: str, value: Node, known: Mapping[str, Field]) -> Iterator[Mistake]:
    way = (*part.way, key)
    field = known.get(key) or known.get(_ANY_OTHER)
    if field is None:
        yield Mistake("unknown", f"{part.kind} has no field {key}", value.line, way)
    elif key not in known:
        yield from _of_pattern(part, key, value)
    elif not _is_of(field, value):
        yield Mistake("value", f"{key} of {part.kind} is no {_called(field)}", value.line, way)
    elif part.kind in _NAMED and (wrong := _misnamed(value)):
        yield Mistake(
            "value", f"name in {key} with other signs than letters, digits, . - and _", wrong, way
        )
    elif field.kind == "MediaType" and field.holder:
        for name, one in value.entries:
            if not _SCALARS["media"].fullmatch(name):
                yield Mistake("value", "content of a type that is none", one.line, (*way, name))


def _of_pattern(part: Part, key: str, value: Node) -> Iterator[Mistake]:
    """A key that stands for a path or a status."""
    if part.kind == "Paths" and not key.startswith("/"):
        yield Mistake(
            "value", "path that does not begin with a slash", value.line, (*part.way, key)
        )
    if part.kind == "Responses" and not _STATUS.fullmatch(key):
        yield Mistake("value", "answer for a status that is none", value.line, (*part.way, key))


def _misnamed(named: Node) -> int:
    """The line of the first name that cannot be referred to; 0 where there is none."""
    return next((one.line for key, one in named.entries if not _NAME.fullmatch(key)), 0)


def _is_of(field: Field, value: Node) -> bool:
    """Whether a value is what the field holds; what is decided elsewhere may be."""
    if value.tag or "{{" in value.text:
        return True
    if field.holder == "{":
        return value.form is Form.MAP
    if field.kind[0].isupper():
        if field.holder == "[":
            return value.form is Form.LIST
        return value.form is Form.MAP or (field.kind == "Schema" and _is_schema(value))
    if field.holder == "[" and not field.kind.startswith("type-"):
        return value.form is Form.LIST and _all_of(field.kind, value.items)
    is_several = field.holder == "[" and value.form is Form.LIST
    return _all_of(field.kind, value.items if is_several else (value,))


def _is_schema(value: Node) -> bool:
    return value.is_true or value.is_false or value.form is Form.LIST


def _all_of(kind: str, values: Sequence[Node]) -> bool:
    if kind == "any":
        return True
    return all(one.form is Form.SCALAR and _is_scalar(kind, one.text) for one in values)


def _is_scalar(kind: str, text: str) -> bool:
    if pattern := _SCALARS.get(kind):
        return pattern.fullmatch(text) is not None or "${" in text or "***" in text
    allowed = OBJECTS.get(kind)
    return allowed is None or text in allowed or (kind == "login" and text.lower() in allowed)


def _called(field: Field) -> str:
    """What a value would be, in words."""
    if field.holder:
        return "list" if field.holder == "[" else "map"
    allowed = OBJECTS.get(field.kind)
    return f"one of {', '.join(allowed)}" if allowed else field.kind
