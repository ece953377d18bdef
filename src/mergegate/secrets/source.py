"""A file's bytes as text whose offsets are byte offsets, and places in it."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mergegate.core.severity import Confidence

REACH = 600
"""Characters a detector may look at on either side of what drew its attention."""


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """A secret's place before it is masked; it never leaves the process that read the file."""

    start: int
    end: int
    detector: str
    confidence: Confidence
    rank: int = 0
    """The greater rank stays where two hits overlap."""
    value: str = ""
    """The secret, where what stands there spells it otherwise."""


_PIECE = 1 << 20
_OVERLAP = 2048
"""A token may begin in one piece and end in the next."""
_TOKEN_BYTES = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+/=:~%@"
)
_SHAPE = bytes(ord("x") if byte in _TOKEN_BYTES else ord(" ") for byte in range(256))
_SHORTEST_TOKEN = 20


class Source:
    """Bytes read as Latin-1: one character a byte, whatever the encoding, nothing can fail."""

    def __init__(self, data: bytes, suffix: str = "") -> None:
        plain = _utf8(data)
        self.data = plain
        self.suffix = suffix
        self.text = plain.decode("latin-1")
        self.lower = plain.lower().decode("latin-1")
        self._counted = (0, 1)

    @cached_property
    def long_words(self) -> tuple[tuple[int, int, str], ...]:
        """Start and end of each piece of the text, and its words that are as long as a token.

        A blank stands before each word; several searches read them, where most words are names.
        """
        return tuple(
            (start, start + _PIECE, _long_words(self.data[start : start + _PIECE + _OVERLAP]))
            for start in range(0, len(self.data), _PIECE)
        )

    def line_span(self, offset: int) -> tuple[int, int]:
        """Start and end (exclusive, without the break) of the line, at most REACH around."""
        start = self.text.rfind("\n", max(0, offset - REACH), offset) + 1
        end = self.text.find("\n", offset, offset + REACH)
        stop = min(len(self.text), offset + REACH) if end < 0 else end
        return max(start, offset - REACH, 0), stop

    def place(self, start: int, end: int) -> tuple[int, int, int]:
        """Line, first column and column after the last character, all counted from 1."""
        line = self._line_of(start)
        first = self.data.rfind(b"\n", 0, start) + 1
        column = len(self.data[first:start].decode("utf-8", "replace")) + 1
        length = len(self.data[start:end].split(b"\n", 1)[0].decode("utf-8", "replace"))
        return line, column, column + length

    def full_line(self, offset: int) -> str:
        """The line, cut at 64 KiB."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        stop = len(self.text) if end < 0 else end
        return self.text[max(start, stop - 65536) : stop]

    def _line_of(self, offset: int) -> int:
        """Counts on from the last answer: places are asked for in order."""
        counted, line = self._counted if self._counted[0] <= offset else (0, 1)
        line += self.data.count(b"\n", counted, offset)
        self._counted = (offset, line)
        return line


def _long_words(data: bytes) -> str:
    words = (data[start:end] for start, end in word_spans(data))
    return b" ".join([b"", *words]).decode("latin-1")


def word_spans(data: bytes, shortest: int = _SHORTEST_TOKEN) -> Iterator[tuple[int, int]]:
    """Start and end of the words of ``data`` that are at least so long.

    Finding runs in the shape of the data makes no object of the many short words.
    """
    shape = data.translate(_SHAPE)
    wanted = b"x" * shortest
    start = shape.find(wanted)
    while start >= 0:
        end = shape.find(b" ", start + shortest)
        end = end if end >= 0 else len(data)
        yield start, end
        start = shape.find(wanted, end)


def _utf8(data: bytes) -> bytes:
    """UTF-16 files, which Windows shells write, as UTF-8; all others as they are."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8)
