"""Places of findings → ranges of the Language Server Protocol."""

import re
from dataclasses import dataclass
from itertools import takewhile

from lsprotocol.types import Position, Range
from pygls.workspace import PositionCodec

from mergegate.core.finding import Place
from mergegate.core.languages import language_of
from mergegate.sandbox.files.text import text_of

_BREAK = re.compile("\r\n|\r|\n")
_MARK = "\ufeff"
"""What may open a file in UTF-8; editors do not count it."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """What a file held when it was scanned."""

    name: str
    content: bytes | None = None
    """None of what is no file, or is larger than a scan reads."""

    def text(self) -> str:
        """Its text, as findings count lines and columns."""
        text = text_of(self.content or b"", language_of(self.name))
        return "" if text is None else text.decode("utf-8", "replace")

    def is_shown_as(self, text: str) -> bool | None:
        """Whether an editor shows it so; None where it was not read, or is not UTF-8."""
        if self.content is None:
            return None
        try:
            lines = self.content.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            return None
        return lines == text.removeprefix(_MARK).splitlines()


class Text:
    """The text of a scanned file, in the units in which an editor counts its columns."""

    def __init__(self, scanned: Bytes, codec: PositionCodec) -> None:
        text = scanned.text()
        self._is_marked = text.startswith(_MARK)
        self.ending = "\r\n" if "\r\n" in text else "\n"
        """What its lines end with."""
        self._lines = [line.removesuffix("\r") for line in text.removeprefix(_MARK).split("\n")]
        self._codec = codec

    def range(self, place: Place) -> Range:
        """The range of ``place``; without columns the text of its first line.

        A finding that is about two hundred lines is not drawn under all of them.
        """
        if not place.start_column:
            return self.line(place.start_line)
        start = self._position(place.start_line, place.start_column)
        end = self._position(place.end_line, place.end_column)
        is_empty = (end.line, end.character) <= (start.line, start.character)
        return self.line(place.start_line) if is_empty else Range(start=start, end=end)

    def line(self, number: int) -> Range:
        """The line ``number`` (from 1; 0 is the first, too) without what it is indented by."""
        text = self._line(number)
        indent = len(text) - len(text.lstrip())
        return Range(
            start=self._position(number, indent + 1), end=self._position(number, len(text) + 1)
        )

    def lines(self, first: int, last: int) -> Range:
        """From the start of the line ``first`` to the end of ``last``, both from 1."""
        return Range(
            start=Position(self._row(first), 0),
            end=self._position(last, len(self._line(last)) + 1),
        )

    def through(self, first: int, last: int) -> Range:
        """The lines ``first`` to ``last`` with their line ends."""
        whole = self.lines(first, last)
        if last < len(self._lines):
            return Range(start=whole.start, end=Position(last, 0))
        return whole

    def _position(self, line: int, column: int) -> Position:
        text = self._line(line)
        marked = self._is_marked and line == 1
        before = text[: max(0, column - 1 - marked)]
        return Position(self._row(line), self._codec.client_num_units(before))

    def _row(self, line: int) -> int:
        return min(max(line, 1), len(self._lines)) - 1

    def _line(self, line: int) -> str:
        return self._lines[self._row(line)]


def lower_by(line: int, now: str, then: str) -> int | None:
    """How many lines lower the ``line`` (from 0) of ``now`` stood, or higher, in ``then``.

    None of a line between the first that was edited since and the last.
    """
    new, old = now.splitlines(), then.splitlines()
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(new, old, strict=False)))
    if line < same:
        return 0
    ends = zip(reversed(new[same:]), reversed(old[same:]), strict=False)
    same_below = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    is_below = len(new) - same_below <= line < len(new)
    return len(old) - len(new) if is_below else None


def position_at(text: str, offset: int, codec: PositionCodec) -> Position:
    """Where the character ``offset`` of ``text`` stands."""
    *above, line = _BREAK.split(text[:offset])
    return Position(len(above), codec.client_num_units(line))
