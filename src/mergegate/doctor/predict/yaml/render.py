"""Values → YAML as people write it: block style, two blanks, no quotes; and into a text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from mergegate.doctor.predict.yaml.parse import Form, Node

Value: TypeAlias = "bool | int | str | Sequence[Value] | Mapping[str, Value] | None"
"""What an edit may write."""

PINS = {
    "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd": "v6.0.2",
    "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f": "v7.0.0",
    "actions/download-artifact@70fc10c6e5e1ce46ad2ea6f2b72d43f7d47b13c3": "v8.0.0",
}
"""The commits that corrected files refer to, and the releases they are."""


class _Flow(yaml.SafeDumper):
    """Nothing is written as an alias."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


class _Block(_Flow):
    """Lists stand further in than their key; an empty value is written as nothing."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def _none(dumper: yaml.SafeDumper, _: None) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:null", "")


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Block.add_representer(type(None), _none)
_Block.add_representer(str, _text)


def block(value: Value) -> tuple[str, ...]:
    """The lines of ``value``, none indented, pinned actions with their release behind."""
    if value is None:
        return ("",)
    return tuple(_with_release(line.rstrip()) for line in _dumped(value, _Block).split("\n"))


def flow(value: Value) -> str:
    """``value`` on one line, to stand inside brackets."""
    return _dumped([value], _Flow)[1:-1]


def _dumped(value: Value, dumper: type[yaml.SafeDumper]) -> str:
    dumped = yaml.dump(
        value,
        Dumper=dumper,
        default_flow_style=dumper is _Flow,
        sort_keys=False,
        allow_unicode=True,
        width=10**9,
    )
    return dumped.removesuffix("\n...\n").rstrip("\n")


def _with_release(line: str) -> str:
    for pinned, release in PINS.items():
        if line.endswith(pinned):
            return f"{line} # {release}"
    return line


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
