"""Edits of texts: replaced bytes become replaced lines, and lines are replaced."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mergegate.core.finding import Edit

MOST_LINES = 40
"""What one edit may replace."""


@dataclass(frozen=True, slots=True, order=True)
class Splice:
    """``text`` in place of the bytes from ``start`` to before ``end``."""

    start: int
    end: int
    text: str


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
    newline = source.find(b"\n", max(one.end for one in group))
    end = len(source) if newline < 0 else newline
    moved = [Splice(one.start - start, one.end - start, one.text) for one in group]
    new = (spliced(source[start:end], moved) or b"").decode()
    first = _line(source, start) + 1
    lines = new.replace("\r\n", "\n").removesuffix("\r")
    return Edit(path, first, first + source.count(b"\n", start, end), lines)


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
