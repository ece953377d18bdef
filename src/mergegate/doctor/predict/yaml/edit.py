"""Edits of a YAML text that keep what they do not touch, and are verified by reading again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mergegate.doctor.predict.yaml.parse import Form, Node, Unreadable, documents, root
from mergegate.doctor.predict.yaml.render import (
    Refused,
    Spot,
    Value,
    block,
    flow,
    insert_item,
    insert_key,
    remove,
    write_value,
)

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the root."""


@dataclass(frozen=True, slots=True)
class Put:
    """Give ``path`` a value; maps on the way are made where they are missing."""

    path: Path
    value: Value
    after: tuple[str, ...] = ()
    """A new key stands behind the first of these that is there, else at the end."""


@dataclass(frozen=True, slots=True)
class Insert:
    """Add an item to the list at ``path``; at the end where ``index`` is None."""

    path: Path
    value: Value
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """Remove the key at ``path``, and with it a map that is left without keys."""

    path: Path
    keeps_parent: bool = False
    """Whether such a map stays, as a key without a value."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Call the key at ``path`` otherwise."""

    path: Path
    key: str


@dataclass(frozen=True, slots=True)
class Swap:
    """Replace a piece of the scalar at ``path``, once."""

    path: Path
    old: str
    new: str


def without(path: Path, said: str, excess: str) -> Swap:
    """Take ``excess`` and the blank before it from the scalar at ``path`` that says ``said``."""
    blank = " " if f" {excess}" in said else ""
    return Swap(path, f"{blank}{excess}", "")


Edit: TypeAlias = Put | Insert | Drop | Rename | Swap
Plain: TypeAlias = "dict[str, Plain] | list[Plain] | tuple[str, bool, str]"
"""What a node says, its place aside."""
_EMPTY = ("", True, "")


def edited(text: str, edits: Sequence[Edit]) -> str | None:
    """``text`` after all edits; None when one cannot be made without touching anything else."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix(mark)
    carried = "\r\n" in body
    if carried:
        body = body.replace("\r\n", "\n")
    if "\r" in body:
        return None
    try:
        for edit in edits:
            body = _verified(body, edit)
    except (Refused, Unreadable):
        return None
    return mark + (body.replace("\n", "\r\n") if carried else body)


def _verified(text: str, edit: Edit) -> str:
    before = documents(text)
    if len(before) != 1:
        raise Refused("only files of one document are edited")
    if not edit.path:
        raise Refused("the root is not edited")
    if isinstance(edit, Drop) and not edit.keeps_parent:
        edit = _pruning(before[0], edit)
    after = _written(text, before[0], edit)
    meant = _intended(plain(before[0]), edit)
    found = documents(after)
    if len(found) != 1 or plain(found[0]) != meant:
        raise Refused("the edited text does not say what was meant")
    if _comments(text) - _comments(after) and not isinstance(edit, Drop):
        raise Refused("a comment would be lost")
    return after


def _pruning(top: Node, edit: Drop) -> Drop:
    """``edit``, moved up to the map that it would leave empty."""
    path = edit.path
    while len(path) > 1 and isinstance(path[-2], str):
        if len(_spot(top, path[:-1]).node.pairs) > 1:
            break
        path = path[:-1]
    return Drop(path, keeps_parent=True)


def _comments(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n") if line.lstrip().startswith("#")}


def plain(node: Node) -> Plain:
    """What ``node`` says; raises Refused where a key stands twice or is no scalar."""
    if node.form is Form.LIST:
        return [plain(item) for item in node.items]
    if node.form is Form.SCALAR:
        return _EMPTY if node.is_empty else (node.text, node.plain, node.tag)
    result = {key.text: plain(value) for key, value in node.pairs}
    if len(result) != len(node.pairs) or any(key.form is not Form.SCALAR for key, _ in node.pairs):
        raise Refused("a key stands twice")
    return result


def _said(value: Value) -> Plain:
    """``value`` as reading it back would say it."""
    return _EMPTY if value is None else plain(root("\n".join((*block(value), ""))))


# What the edits write.


def _written(text: str, top: Node, edit: Edit) -> str:
    match edit:
        case Put():
            return _put(text, top, edit)
        case Insert(path, value, index):
            return _inserted(text, _spot(top, path), value, index)
        case Drop(path, _):
            parent = _spot(top, path[:-1])
            return remove(text, parent.node, str(path[-1]))
        case Rename(path, key):
            found = _spot(top, path)
            if found.key is None:
                raise Refused("there is no such key")
            return text[: found.key.start] + flow(key) + text[found.key.end :]
        case Swap(path, old, new):
            return _swapped(text, _spot(top, path).node, old, new)


def _put(text: str, top: Node, edit: Put) -> str:
    spot = Spot(None, top, in_flow=False)
    for depth, step in enumerate(edit.path):
        following = spot.below(step)
        if following is None:
            return _added(text, spot, edit, depth)
        spot = following
    return write_value(text, spot, edit.value)


def _added(text: str, spot: Spot, edit: Put, depth: int) -> str:
    """Write the keys that are missing from ``depth`` on."""
    value = edit.value
    for step in reversed(edit.path[depth + 1 :]):
        value = {str(step): value}
    key = str(edit.path[depth])
    if spot.node.is_empty:
        return write_value(text, spot, {key: value})
    return insert_key(text, spot, key, value, edit.after if depth == len(edit.path) - 1 else ())


def _inserted(text: str, spot: Spot, value: Value, index: int | None) -> str:
    if spot.node.is_empty:
        return write_value(text, spot, [value])
    return insert_item(text, spot, value, len(spot.node.items) if index is None else index)


def _swapped(text: str, node: Node, old: str, new: str) -> str:
    piece = text[node.start : node.end]
    if piece.count(old) != 1 or node.text.count(old) != 1:
        raise Refused("the piece to replace is not there once")
    return text[: node.start] + piece.replace(old, new) + text[node.end :]


def _spot(top: Node, path: Path) -> Spot:
    spot = Spot(None, top, in_flow=False)
    for step in path:
        following = spot.below(step)
        if following is None:
            raise Refused("the place to edit is not there")
        spot = following
    return spot


# What the edits mean.


def _intended(said: Plain, edit: Edit) -> Plain:
    match edit:
        case Put(path, value):
            return _changed(said, path, lambda _: _said(value))
        case Insert(path, value, index):
            return _changed(said, path, lambda old: _with_item(_items(old), _said(value), index))
        case Drop(path, _):
            return _changed(said, path[:-1], lambda old: _renamed(_pairs(old), path[-1], None))
        case Rename(path, key):
            return _changed(said, path[:-1], lambda old: _renamed(_pairs(old), path[-1], key))
        case Swap(path, old, new):
            return _changed(said, path, lambda leaf: _swapped_text(leaf, old, new))


def _changed(said: Plain, path: Path, change: Callable[[Plain], Plain]) -> Plain:
    """``said`` with ``change`` made at ``path``; maps on the way are made where missing."""
    if not path:
        return change(said)
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        items = _items(said)
        items[step] = _changed(items[step], rest, change)
        return items
    pairs = _pairs(said)
    return pairs | {step: _changed(pairs.get(step, _EMPTY), rest, change)}


def _items(said: Plain) -> list[Plain]:
    return list(said) if isinstance(said, list) else []


def _pairs(said: Plain) -> dict[str, Plain]:
    return dict(said) if isinstance(said, dict) else {}


def _with_item(items: list[Plain], value: Plain, index: int | None) -> Plain:
    items.insert(len(items) if index is None else index, value)
    return items


def _renamed(pairs: dict[str, Plain], old: str | int, new: str | None) -> Plain:
    """``pairs`` with another name for ``old``; without it where there is none."""
    named = ((new if key == old else key, one) for key, one in pairs.items())
    return {key: one for key, one in named if key is not None} or _EMPTY


def _swapped_text(leaf: Plain, old: str, new: str) -> Plain:
    return (leaf[0].replace(old, new), *leaf[1:]) if isinstance(leaf, tuple) else leaf
