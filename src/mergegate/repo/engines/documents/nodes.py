"""YAML (and so JSON) as nodes, under budgets: no object is built that a file could choose."""

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from mergegate.core.errors import EngineFailed
from mergegate.repo.engines.documents.masking import masked_pairs, masked_text
from mergegate.repo.facts.documents import Form, Node

NODE_BUDGET = 200_000
"""A file, every alias counted as all that it stands for."""
DEPTH_BUDGET = 64
_MERGE = "<<"
_STANDARD_TAG = "tag:yaml.org,2002:"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(EngineFailed):
    """The text is no YAML that can be read in full; says why."""

    def __init__(self, what: str, *, is_syntax: bool = False) -> None:
        super().__init__(what)
        self.is_syntax = is_syntax
        """Whether it is no YAML at all, rather than beyond a budget."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's documents, and what is doubtful about them."""

    roots: tuple[Node, ...]
    duplicates: tuple[str, ...] = ()
    """Keys that stand twice in one map; readers disagree about which of them counts."""
    keyed_by_collections: bool = False
    """A map or list stands where a key belongs: how an unrendered ``{{ }}`` reads as YAML."""


def parse(text: str) -> Parsed:
    """The documents of ``text``. Raises Unreadable on a syntax error or a spent budget."""
    composer = _Composer(text)
    try:
        roots = tuple(composer.documents())
    except yaml.YAMLError as error:
        raise Unreadable(_reason(error), is_syntax=True) from error
    return Parsed(roots, tuple(composer.duplicates), composer.keyed_by_collections)


def _reason(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"it is not valid YAML: {error.problem} in line {error.problem_mark.line + 1}"
    return "it is not valid YAML: " + str(getattr(error, "reason", "unreadable characters"))


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    size: int
    height: int


class _Composer:
    """Turns the event stream into nodes; events come one by one, so a budget ends it early."""

    def __init__(self, text: str) -> None:
        self._events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)
        self._anchors: dict[str, _Anchored] = {}
        self._used = 0
        self.duplicates: list[str] = []
        self.keyed_by_collections = False

    def documents(self) -> Iterator[Node]:
        """One node for each document that is not empty."""
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors.clear()
                node, _ = self._value(next(self._events), 1)
                if node.children or node.text:
                    yield node

    def _value(self, event: yaml.Event, depth: int) -> tuple[Node, int]:
        """The node that begins with ``event``, and how many levels it has."""
        if not isinstance(event, yaml.NodeEvent):
            raise Unreadable("its structure breaks off", is_syntax=True)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        before = self._used
        self._spend(1, depth)
        node, height = self._composed(event, depth)
        if event.anchor:
            self._anchors[event.anchor] = _Anchored(node, self._used - before, height)
        return node, height

    def _composed(self, event: yaml.NodeEvent, depth: int) -> tuple[Node, int]:
        line = _line(event)
        if isinstance(event, yaml.ScalarEvent):
            return Node(line, text=masked_text(event.value), tag=_local(event.tag)), 1
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(line, _local(event.tag), depth)
        tag = event.tag if isinstance(event, yaml.MappingStartEvent) else None
        return self._map(line, _local(tag), depth)

    def _alias(self, event: yaml.AliasEvent, depth: int) -> tuple[Node, int]:
        meant = self._anchors.get(event.anchor or "")
        if meant is None:
            raise Unreadable(f"line {_line(event)} refers to an anchor that is not complete there")
        self._spend(meant.size, depth + meant.height - 1)
        return meant.node, meant.height

    def _spend(self, nodes: int, depth: int) -> None:
        self._used += nodes
        if self._used > NODE_BUDGET:
            raise Unreadable(f"it has more than {NODE_BUDGET:,} values, aliases counted in full")
        if depth > DEPTH_BUDGET:
            raise Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep")

    def _list(self, line: int, tag: str, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        tallest = 0
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            item, height = self._value(event, depth + 1)
            items.append(item)
            tallest = max(tallest, height)
        return Node(line, Form.LIST, tag=tag, children=tuple(items)), tallest + 1

    def _map(self, line: int, tag: str, depth: int) -> tuple[Node, int]:
        pairs: list[tuple[str, Node]] = []
        merged: list[Node] = []
        tallest = 0
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key, key_line = self._key(event, depth + 1)
            value, height = self._value(next(self._events), depth + 1)
            tallest = max(tallest, height)
            if key == _MERGE:
                merged.extend(value.each)
            else:
                pairs.append((key, _at_line(value, key_line)))
        self._note_duplicates(pairs)
        return self._finished(line, tag, pairs, merged), tallest + 1

    def _key(self, event: yaml.Event, depth: int) -> tuple[str, int]:
        node, _ = self._value(event, depth)
        if node.form is not Form.SCALAR:
            self.keyed_by_collections = True
        return node.text, node.line

    def _note_duplicates(self, pairs: list[tuple[str, Node]]) -> None:
        seen: set[str] = set()
        for key, value in pairs:
            if key in seen:
                self.duplicates.append(f"{key} in line {value.line}")
            seen.add(key)

    def _finished(
        self, line: int, tag: str, pairs: list[tuple[str, Node]], merged: list[Node]
    ) -> Node:
        own = {key for key, _ in pairs}
        for source in merged:
            new = [(key, value) for key, value in source.entries if key not in own]
            own.update(key for key, _ in new)
            self._spend(len(new), 0)
            pairs = [*pairs, *new]
        pairs = masked_pairs(pairs)
        keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
        return Node(line, Form.MAP, tag=tag, keys=keys, children=values)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _at_line(value: Node, line: int) -> Node:
    """A collection stands where its key stands, not at its first entry a line below."""
    if value.form is Form.SCALAR or value.line == line:
        return value
    return Node(line, value.form, value.text, value.tag, value.keys, value.children)


def _local(tag: str | None) -> str:
    return tag if tag and tag != "!" and not tag.startswith(_STANDARD_TAG) else ""
