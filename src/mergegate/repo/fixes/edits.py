"""Edits of texts: replaced bytes become replaced lines, and lines are replaced."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.finding import Edit, Place

MOST_LINES = 40
"""What one edit may replace."""


class UncertainError(Exception):
    """What stands there is nothing that a recipe knows how to change."""


@dataclass(frozen=True, slots=True, order=True)
class Splice:
    """``text`` in place of the bytes from ``start`` to before ``end``."""

    start: int
    end: int
    text: str


def span(text: str, place: Place) -> tuple[int, int]:
    """The bytes from where to where ``place`` goes: whole lines where it has no columns."""
    start = _offset(text, place.start_line, max(1, place.start_column))
    last = max(place.start_line, place.end_line)
    if place.end_column > 0:
        return start, max(start, _offset(text, last, place.end_column))
    return start, _offset(text, last + 1, 1)


def _offset(text: str, line: int, column: int) -> int:
    """Lines and columns from 1, columns in characters."""
    lines = text.split("\n")
    before = "\n".join(lines[: line - 1]) + ("\n" if line > 1 else "")
    here = lines[line - 1][: column - 1] if 0 < line <= len(lines) else ""
    return min(len(text.encode()), len((before + here).encode()))


def spliced(source: bytes, splices: Iterable[Splice]) -> bytes | None:
    """``source`` with every splice done; None where two of them overlap."""
    parts, at = [], 0
    for one in sorted(set(splices)):
        if one.start < at:
            return None
        parts += [source[at : one.start], one.text.encode()]
        at = one.end
    return b"".join((*parts, source[at:]))


def line_edits(path: str, source: bytes, splices: Sequence[Splice]) -> tuple[Edit, ...]:
    """The splices as edits of whole lines, from the top; empty where two of them overlap.

    What touches the same or adjoining lines is one edit. Line ends of Windows stay.
    """
    if spliced(source, splices) is None:
        return ()
    groups: list[list[Splice]] = []
    reach = -2
    for one in sorted(set(splices)):
        first, last = _line(source, one.start), _line(source, one.end)
        if groups and first <= reach + 1:
            groups[-1].append(one)
        else:
            groups.append([one])
        reach = max(last, reach)
    return tuple(_edit(path, source, group) for group in groups)


def still_says(text: str, splices: Sequence[Splice], values: Iterable[str]) -> bool:
    """Whether the lines that change hold one of the values afterwards, in a comment for one."""
    new = [one.replacement for one in line_edits("", text.encode(), splices)]
    return any(value in line for value in values for line in new)


def _line(source: bytes, offset: int) -> int:
    return source.count(b"\n", 0, offset)


def _edit(path: str, source: bytes, group: Sequence[Splice]) -> Edit:
    start = source.rfind(b"\n", 0, group[0].start) + 1
    last = max(one.end for one in group)
    newline = source.find(b"\n", last)
    end = len(source) if newline < 0 else newline
    left = spliced(source[start:last], _moved(group, start)) or b""
    if not left.strip() and source[start:last].endswith(b"\n") and not group[-1].text:
        # Whole lines go: the one below has no part in it.
        return Edit(path, _line(source, start) + 1, _line(source, last - 1) + 1, "")
    new = (spliced(source[start:end], _moved(group, start)) or b"").decode()
    first = _line(source, start) + 1
    lines = new.replace("\r\n", "\n").removesuffix("\r")
    return Edit(path, first, first + source.count(b"\n", start, end), lines)


def _moved(group: Sequence[Splice], start: int) -> list[Splice]:
    return [Splice(one.start - start, one.end - start, one.text) for one in group]


@dataclass(frozen=True, slots=True)
class Hunk:
    """``lines`` in place of those from ``start`` to before ``end``, which are counted from 0."""

    start: int
    end: int
    lines: tuple[str, ...]


def hunk(edit: Edit) -> Hunk:
    """The edit without the lines that it leaves and only adds others to; those must be known."""
    start, end = edit.start_line - 1, edit.end_line
    old = (edit.old or "").split("\n")
    new = edit.replacement.split("\n") if edit.replacement else []
    if edit.old is not None and new[: len(old)] == old:
        return Hunk(end, end, tuple(new[len(old) :]))
    if edit.old is not None and new[-len(old) :] == old:
        return Hunk(start, start, tuple(new[: -len(old)]))
    return Hunk(start, end, tuple(new))


def fit(one: Edit, other: Edit) -> bool:
    """Whether both can be done: they are alike, touch no common line, or one only adds lines.

    Two that add lines at one place fit where no line is in both.
    """
    if one == other:
        return True
    first, second = sorted((hunk(one), hunk(other)), key=lambda each: (each.start, each.end))
    if first.start == first.end == second.start == second.end:
        return not {*filter(str.strip, first.lines)} & {*second.lines}
    return first.end <= second.start


def together(text: str, edits: Iterable[Edit]) -> str | None:
    """``text`` after edits of which each two `fit`; None where one has no place in it."""
    listed = list(dict.fromkeys(edits))
    if any(apply(text, one) is None for one in listed):
        return None
    lines = text.split("\n")
    made: list[str] = []
    at = 0
    for each in _joined(sorted(map(hunk, listed), key=lambda one: (one.start, one.end))):
        if each.start < at:
            return None
        beside = lines[min(max(each.start, each.end - 1), len(lines) - 1)]
        ending = "\r" if beside.endswith("\r") else ""
        made += lines[at : each.start]
        made += [line.removesuffix("\r") + ending for line in each.lines]
        at = each.end
    return "\n".join([*made, *lines[at:]])


def _joined(hunks: Iterable[Hunk]) -> Iterator[Hunk]:
    """Lines that are added at one place stand together, with the blank line behind all of them."""
    waiting: Hunk | None = None
    for one in hunks:
        if waiting and one.start == one.end == waiting.start == waiting.end:
            said = (
                waiting.lines[:-1]
                if waiting.lines[-1:] == one.lines[-1:] == ("",)
                else waiting.lines
            )
            waiting = Hunk(one.start, one.end, (*said, *one.lines))
            continue
        if waiting:
            yield waiting
        waiting = one
    if waiting:
        yield waiting


def apply(text: str, *edits: Edit) -> str | None:
    """``text`` with the lines of each edit replaced; None when a range does not fit."""
    lines = text.split("\n")
    below = len(lines) + 1
    for edit in sorted(edits, key=lambda one: one.start_line, reverse=True):
        fits = 1 <= edit.start_line <= edit.end_line < below
        if not fits or edit.end_line - edit.start_line >= MOST_LINES:
            return None
        below = edit.start_line
        ending = "\r" if lines[edit.end_line - 1].endswith("\r") else ""
        new = [line.removesuffix("\r") + ending for line in edit.replacement.split("\n")]
        lines[edit.start_line - 1 : edit.end_line] = new if edit.replacement else []
    return "\n".join(lines)
