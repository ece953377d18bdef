"""Text → nodes, under budgets: hostile files end early, aliases are counted in full."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import yaml

from mergegate.doctor.predict.yaml.render import Value, block, flow

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


class Refused(Exception):
    """The edit would touch more than it should."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A value and the key it belongs to."""

    key: Node | None
    """None for the root and for items of a list."""
    node: Node
    in_flow: bool
    """Whether brackets surround it."""

    def below(self, step: str | int) -> "Spot | None":
        """The value one step further down; None where there is none."""
        inside = self.in_flow or self.node.flow
        if isinstance(step, int):
            items = self.node.items
            return Spot(None, items[step], inside) if step < len(items) else None
        pair = self.node.own(step)
        return Spot(pair[0], pair[1], inside) if pair else None


def write_value(text: str, spot: Spot, value: Value) -> str:
    """Replace the value at ``spot``."""
    if spot.in_flow:
        return text[: spot.node.start] + flow(value) + text[spot.node.end :]
    if spot.key is None:
        raise Refused("an item as a whole is not replaced")
    colon = text.index(":", spot.key.end) + 1
    rest = text[max(colon, spot.node.end) :]
    return text[:colon] + _behind_colon(value, spot.key.column) + rest


def insert_key(text: str, spot: Spot, key: str, value: Value, after: tuple[str, ...]) -> str:
    """Add ``key`` to the map at ``spot``, which has keys already."""
    pairs = spot.node.pairs
    if spot.node.form is not Form.MAP or not pairs:
        raise Refused("there is no map to add to")
    if spot.in_flow or spot.node.flow:
        return _spliced(text, _end(pairs[-1]), f", {flow(key)}: {flow(value)}")
    column = pairs[0][0].column
    neighbour = next((pair for name in after for pair in pairs if pair[0].text == name), pairs[-1])
    place = _line_end(text, _end(neighbour))
    air = "\n" if column == 0 and text[place : place + 2] == "\n\n" else ""
    written = f"{' ' * column}{flow(key)}:{_behind_colon(value, column)}"
    return _spliced(text, place, f"\n{air}{written}")


def insert_item(text: str, spot: Spot, value: Value, index: int) -> str:
    """Add an item before position ``index`` of the list at ``spot``, which has items already."""
    items = spot.node.items
    if spot.node.form is not Form.LIST or not items:
        raise Refused("there is no list to add to")
    if spot.in_flow or spot.node.flow:
        return _into_brackets(text, items, value, index)
    dash = " " * spot.node.column
    lines = [f"{dash}{line}" for line in block([value])]
    if index == 0:
        start = text.rfind("\n", 0, spot.node.start) + 1
        return _spliced(text, start, "".join(f"{line}\n" for line in lines))
    place = _line_end(text, items[index - 1].end)
    return _spliced(text, place, "".join(f"\n{line}" for line in lines))


def _into_brackets(text: str, items: tuple[Node, ...], value: Value, index: int) -> str:
    if index == 0:
        return _spliced(text, items[0].start, f"{flow(value)}, ")
    return _spliced(text, items[index - 1].end, f", {flow(value)}")


def remove(text: str, parent: Node, key: str) -> str:
    """Take ``key`` and its value out of the map ``parent``."""
    pairs = parent.pairs
    index = next((at for at, pair in enumerate(pairs) if pair[0].text == key), None)
    if index is None:
        raise Refused("there is no such key")
    if parent.flow:
        return _out_of_brackets(text, parent, index)
    start, end = pairs[index][0].start, _line_end(text, _end(pairs[index]))
    line_start = text.rfind("\n", 0, start) + 1
    if not text[line_start:start].strip():
        return text[:line_start] + text[end + 1 :]
    if index + 1 == len(pairs):
        return text[:start].rstrip(" ") + text[end:]
    return text[:start] + text[pairs[index + 1][0].start :]


def _out_of_brackets(text: str, parent: Node, index: int) -> str:
    pairs = parent.pairs
    if len(pairs) == 1:
        before, after = text[: parent.start], text[parent.end :]
        alone = after.lstrip(" ").startswith(("\n", "#")) or not after.strip(" ")
        return before.rstrip(" ") + after if alone else f"{before}null{after}"
    if index + 1 < len(pairs):
        return text[: pairs[index][0].start] + text[pairs[index + 1][0].start :]
    return text[: _end(pairs[index - 1])] + text[_end(pairs[index]) :]


def _behind_colon(value: Value, column: int) -> str:
    """What follows a key's colon; ``column`` is the key's."""
    lines = block(value)
    if value and not isinstance(value, bool | int | str):
        return "".join(f"\n{' ' * (column + 2)}{line}" for line in lines)
    head, *more = lines
    return "".join([f" {head}".rstrip(), *(f"\n{' ' * column}{line}".rstrip() for line in more)])


def _end(pair: tuple[Node, Node]) -> int:
    return max(pair[0].end, pair[1].end)


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found


def _spliced(text: str, place: int, piece: str) -> str:
    return text[:place] + piece + text[place:]


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
            here, text=event.value, tag=_local(event.tag), plain=not event.style, end=end
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
