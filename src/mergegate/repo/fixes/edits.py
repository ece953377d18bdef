"""Edits of texts: replaced bytes become replaced lines, and lines are replaced."""

from collections.abc import Iterable, Sequence
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
