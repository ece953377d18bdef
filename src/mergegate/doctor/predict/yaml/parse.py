"""Text → nodes, under budgets: hostile files end early, aliases are counted in full."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import yaml

_MERGE = "<<"


class Form(StrEnum):
    """What a node is."""

    SCALAR = "scalar"
    LIST = "list"
    MAP = "map"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """One value. Places are offsets into the text, counted in characters from 0."""

    form: Form = Form.SCALAR
    text: str = ""
    """A scalar's text."""
    tag: str = ""
    """A tag as written, ``!reference``; empty for plain YAML."""
    plain: bool = True
    """Whether a scalar stands without quotes."""
    start: int = 0
    end: int = 0
    """Just behind its last visible character."""
    line: int = 0
    """From 1; 0: the value is absent."""
    column: int = 0
    flow: bool = False
    """Whether a collection is written in brackets."""
    pairs: tuple[tuple["Node", "Node"], ...] = ()
    """A map's keys and values as written."""
    items: tuple["Node", ...] = ()
    """A list's items."""

    def __getitem__(self, key: str) -> "Node":
        """The value of ``key``, merged maps included; ABSENT if there is none."""
        return next((value for name, value in self.entries if name == key), ABSENT)

    def at(self, *path: str) -> "Node":
        """The value at the end of a path of keys; ABSENT where the path breaks off."""
        node = self
        for key in path:
            node = node[key]
        return node

    def own(self, key: str) -> tuple["Node", "Node"] | None:
        """Key and value as they stand in this very map, merged maps aside."""
        return next((pair for pair in self.pairs if pair[0].text == key), None)

    def key_line(self, key: str) -> int:
        """The line of ``key`` where it stands here, else this node's own."""
        pair = self.own(key)
        return pair[0].line if pair else self.line

    @property
    def present(self) -> bool:
        """Whether there is anything here, be it an empty value."""
        return self.line > 0

    @property
    def is_empty(self) -> bool:
        """A key without a value, ``~``, ``null``, ``{}`` or ``[]``."""
        if self.form is Form.SCALAR:
            return self.plain and self.text in {"", "~", "null"}
        return not self.pairs and not self.items

    @property
    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """A map's keys and values; its own first, then those of ``<<``."""
        yield from ((key.text, value) for key, value in self.pairs if key.text != _MERGE)
        for key, value in self.pairs:
            if key.text == _MERGE:
                for source in value.each:
                    yield from source.entries

    @property
    def keys(self) -> tuple[str, ...]:
        """A map's keys, each once."""
        return tuple(dict.fromkeys(key for key, _ in self.entries))

    @property
    def each(self) -> tuple["Node", ...]:
        """A list's items, or the value itself: many keys take one or several."""
        return self.items if self.form is Form.LIST else (self,) if self.present else ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The scalars of a list, or the one scalar."""
        return tuple(one.text for one in self.each if one.form is Form.SCALAR and not one.is_empty)

    @property
    def is_true(self) -> bool:
        """A literal true as YAML 1.1 reads it, quoted or not."""
        return self.form is Form.SCALAR and self.text.lower() in {"true", "yes", "on"}

    @property
    def is_false(self) -> bool:
        """A literal false; an absent value is neither true nor false."""
        return self.form is Form.SCALAR and self.text.lower() in {"false", "no", "off"}


ABSENT = Node()
"""What stands for a value that is not there."""


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


def root_or_absent(text: str) -> Node:
    """The same; ABSENT for a text that cannot be read, which is another prediction's business."""
    try:
        return root(text)
    except Unreadable:
        return ABSENT


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
        return self._collection(event, depth)

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
            here, text=event.value, tag=_local(event.tag), plain=not event.style, end=end
        )

    def _collection(self, event: yaml.NodeEvent, depth: int) -> tuple[Node, int]:
        assert isinstance(event, yaml.CollectionStartEvent)  # noqa: S101 - there is no other
        is_map = isinstance(event, yaml.MappingStartEvent)
        parts: list[Node] = []
        tallest = 0
        while not isinstance(following := next(self._events), yaml.CollectionEndEvent):
            part, height = self._value(following, depth + 1)
            parts.append(part)
            is_key = is_map and len(parts) % 2 == 1
            tallest = max(tallest, 0 if is_key else height)
        here = _place(event)
        end = max((one.end for one in parts[-2 if is_map else -1 :]), default=here.start)
        here = replace(
            here,
            tag=_local(event.tag),
            flow=bool(event.flow_style),
            # A collection in brackets ends with them, any other with its last value.
            end=_place(following).end if event.flow_style else end,
        )
        if not is_map:
            return replace(here, form=Form.LIST, items=tuple(parts)), tallest + 1
        pairs = tuple(zip(parts[::2], parts[1::2], strict=True))
        return replace(here, form=Form.MAP, pairs=pairs), tallest + 1


def _place(event: yaml.Event) -> Node:
    start, end = event.start_mark, event.end_mark
    if start is None or end is None:
        raise Unreadable("its structure breaks off", is_syntax=True)
    return Node(start=start.index, end=end.index, line=start.line + 1, column=start.column)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _local(tag: str | None) -> str:
    return tag if tag and tag != "!" and not tag.startswith(_STANDARD_TAG) else ""
