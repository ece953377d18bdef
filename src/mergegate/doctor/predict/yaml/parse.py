"""Text → nodes, under budgets: hostile files end early, aliases are counted in full."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import yaml

from mergegate.doctor.predict.yaml.nodes import ABSENT, Form, Node

LARGEST_CHARACTERS = 512 * 1024
NODE_BUDGET = 50_000
"""A file, every alias counted as all that it stands for."""
DEPTH_BUDGET = 40
_STANDARD_TAG = "tag:yaml.org,2002:"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(Exception):
    """The text is no YAML that can be read in full; says why."""

    def __init__(self, what: str, line: int = 1, *, is_syntax: bool = False) -> None:
        super().__init__(what)
        self.what = what
        """A sentence without its full stop."""
        self.line = line
        self.is_syntax = is_syntax
        """Whether no reader takes it, rather than it being beyond a budget of ours."""


@lru_cache(maxsize=512)
def documents(text: str) -> tuple[Node, ...]:
    """The documents of ``text``. Raises Unreadable."""
    if len(text) > LARGEST_CHARACTERS:
        raise Unreadable("it is larger than 512 KiB")
    try:
        return tuple(_Composer(text).documents())
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise Unreadable(f"it is not valid YAML: {error.problem}", line, is_syntax=True) from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise Unreadable("it holds characters that YAML forbids", is_syntax=True) from error


def root(text: str) -> Node:
    """The last document: a component's ``spec:`` stands in a document of its own before it."""
    found = documents(text)
    return found[-1] if found else ABSENT


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    size: int
    height: int


class _Composer:
    """Turns the event stream into nodes; events come one by one, so a budget ends it early."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._events: Iterator[yaml.Event] = yaml.parse(text, Loader=_LOADER)
        self._anchors: dict[str, _Anchored] = {}
        self._used = 0

    def documents(self) -> Iterator[Node]:
        """One node for each document."""
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                self._anchors.clear()
                yield self._value(next(self._events), 1)[0]

    def _value(self, event: yaml.Event, depth: int) -> tuple[Node, int]:
        """The node that begins with ``event``, and how many levels it has."""
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, depth)
        if not isinstance(event, yaml.NodeEvent):
            raise Unreadable("its structure breaks off", is_syntax=True)
        before = self._used
        self._spend(1, depth, event)
        node, height = self._composed(event, depth)
        if event.anchor:
            self._anchors[event.anchor] = _Anchored(node, self._used - before, height)
        return node, height

    def _composed(self, event: yaml.NodeEvent, depth: int) -> tuple[Node, int]:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event), 1
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(event, depth)
        assert isinstance(event, yaml.MappingStartEvent)  # noqa: S101 - the parser knows no other
        return self._map(event, depth)

    def _alias(self, event: yaml.AliasEvent, depth: int) -> tuple[Node, int]:
        meant = self._anchors.get(event.anchor or "")
        if meant is None:
            raise Unreadable("an alias names an unknown anchor", _line(event), is_syntax=True)
        self._spend(meant.size, depth + meant.height - 1, event)
        here = _place(event)
        return (
            replace(meant.node, start=here.start, end=here.end, line=here.line, column=here.column),
            meant.height,
        )

    def _spend(self, nodes: int, depth: int, event: yaml.Event) -> None:
        self._used += nodes
        if self._used > NODE_BUDGET:
            raise Unreadable(f"it has more than {NODE_BUDGET:,} values", _line(event))
        if depth > DEPTH_BUDGET:
            raise Unreadable(f"it is nested more than {DEPTH_BUDGET} levels deep", _line(event))

    def _scalar(self, event: yaml.ScalarEvent) -> Node:
        here = _place(event)
        # A block scalar ends where the next line's text begins.
        end = here.start + len(self._text[here.start : here.end].rstrip())
        return replace(
            here,
            text=event.value,
            tag=_local(event.tag),
            plain=not event.style,
            end=end,
        )

    def _list(self, event: yaml.SequenceStartEvent, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        tallest = 0
        while not isinstance(following := next(self._events), yaml.SequenceEndEvent):
            item, height = self._value(following, depth + 1)
            items.append(item)
            tallest = max(tallest, height)
        here = _enclosing(_place(event), following, items[-1:], flow=bool(event.flow_style))
        return replace(here, form=Form.LIST, tag=_local(event.tag), items=tuple(items)), tallest + 1

    def _map(self, event: yaml.MappingStartEvent, depth: int) -> tuple[Node, int]:
        pairs: list[tuple[Node, Node]] = []
        tallest = 0
        while not isinstance(following := next(self._events), yaml.MappingEndEvent):
            key, _ = self._value(following, depth + 1)
            value, height = self._value(next(self._events), depth + 1)
            pairs.append((key, value))
            tallest = max(tallest, height)
        last = [max(pairs[-1], key=lambda node: node.end)] if pairs else []
        here = _enclosing(_place(event), following, last, flow=bool(event.flow_style))
        return replace(here, form=Form.MAP, tag=_local(event.tag), pairs=tuple(pairs)), tallest + 1


def _enclosing(here: Node, closing: yaml.Event, last: list[Node], *, flow: bool) -> Node:
    """A collection in brackets ends with them, any other with its last value."""
    if flow:
        return replace(here, end=_place(closing).end, flow=True)
    return replace(here, end=last[0].end if last else here.start)


def _place(event: yaml.Event) -> Node:
    start, end = event.start_mark, event.end_mark
    if start is None or end is None:
        raise Unreadable("its structure breaks off", is_syntax=True)
    return Node(start=start.index, end=end.index, line=start.line + 1, column=start.column)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _local(tag: str | None) -> str:
    return tag if tag and tag != "!" and not tag.startswith(_STANDARD_TAG) else ""
