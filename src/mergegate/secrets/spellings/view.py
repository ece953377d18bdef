"""The lines of a text that spell something otherwise, with what that stands for in its place.

The detectors read a view as they read a file; what they find there stands where the view's text
came from.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mergegate.secrets.source import Hit, Source

DEEPEST = 3
"""Spellings within spellings: pieces of Base64 of escapes."""

_LEAD = 2
"""Characters before a value without which it would be none: a blank, a quote."""


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """What stands for a part of a text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Segment:
    """A part of a view and where it is from; what was changed stands for its place as a whole."""

    at: int
    start: int
    end: int
    is_changed: bool


class View:
    """The changed lines of ``source``, blank lines between those that were apart."""

    def __init__(self, source: Source, changes: Sequence[Change], below: "View | None" = None):
        self._below = below
        self._segments: list[_Segment] = []
        self._parts: list[str] = []
        self._length = 0
        end = done = 0
        for change in changes:
            line, _ = source.line_span(change.start)
            if line >= end:
                self._keep(source.text, done, end)
                self._add("\n\n", line, line, is_changed=False)
                done = line
            self._keep(source.text, done, change.start)
            self._add(change.text, change.start, change.end, is_changed=True)
            done = change.end
            end = max(source.line_span(done)[1], done)
        self._keep(source.text, done, end)
        self._starts = [segment.at for segment in self._segments]
        self.source = Source("".join(self._parts).encode("latin-1", "replace"), source.suffix)

    def _keep(self, text: str, start: int, end: int) -> None:
        if start < end:
            self._add(text[start:end], start, end, is_changed=False)

    def _add(self, text: str, start: int, end: int, *, is_changed: bool) -> None:
        self._segments.append(_Segment(self._length, start, end, is_changed))
        self._parts.append(text)
        self._length += len(text)

    def origin(self, start: int, end: int) -> tuple[int, int, bool]:
        """Where it stands in the file, and whether it, or what leads to it, is changed there."""
        before = max(0, bisect_right(self._starts, start - _LEAD) - 1)
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        low = _place(self._segments[first], start, 0)
        high = _place(self._segments[last], end, 1)
        changed = any(segment.is_changed for segment in self._segments[before : last + 1])
        if self._below is None:
            return low, high, changed
        low, high, earlier = self._below.origin(low, max(high, low + 1))
        return low, high, changed or earlier


def _place(segment: _Segment, offset: int, is_end: int) -> int:
    if segment.is_changed:
        return segment.end if is_end else segment.start
    return segment.start + offset - segment.at


def spelled(
    source: Source,
    changes: Callable[[Source], Iterable[Change]],
    detect: Callable[[Source], Iterable[Hit]],
) -> Iterator[Hit]:
    """What ``detect`` finds in the views of ``source`` alone, at its place in ``source``."""
    view: View | None = None
    read = source
    for _ in range(DEEPEST):
        found = _apart(changes(read))
        if not found:
            return
        view = View(read, found, view)
        read = view.source
        for hit in detect(read):
            start, end, is_spelled = view.origin(hit.start, hit.end)
            if is_spelled:
                yield replace(hit, start=start, end=end, value=read.text[hit.start : hit.end])


def _apart(changes: Iterable[Change]) -> list[Change]:
    """In order, none overlapping: the first counts."""
    kept: list[Change] = []
    for change in sorted(changes):
        if not kept or change.start >= kept[-1].end:
            kept.append(change)
    return kept
