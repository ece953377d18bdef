"""Where a closer look is worthwhile, found in time that grows with the bytes alone."""

import re
from collections.abc import Iterator

from mergegate.gather.secrets.source import Source
from mergegate.gather.secrets.tokens import ATTENTION, INNER_LITERALS

_SHORTEST_TOKEN = 20
_PIECE = 1 << 20
_OVERLAP = 2048
"""A token may begin in one piece and end in the next."""
_TOKEN_BYTES = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+/=:~%@"
)
_BLANK_OTHERS = bytes(byte if byte in _TOKEN_BYTES else 32 for byte in range(256))
_KEYWORD = re.compile("pass|pwd|secret|token|key|cred|auth|salt")


def token_places(source: Source) -> Iterator[int]:
    """Offsets at which a token of a known shape may begin.

    Most text has no long word at all; only files whose long words hold a lead are searched.
    """
    for start in range(0, len(source.data), _PIECE):
        stop = start + _PIECE
        text = _long_words(source.data[start : stop + _OVERLAP])
        if ATTENTION.search(text):
            for match in ATTENTION.finditer(source.text, start, stop):
                yield match.start()
        for literal in INNER_LITERALS:
            if literal in text:
                yield from literal_places(source.text, literal, start, stop)


def _long_words(data: bytes) -> str:
    words = data.translate(_BLANK_OTHERS).split()
    return b" ".join([word for word in words if len(word) >= _SHORTEST_TOKEN]).decode("latin-1")


def literal_places(
    text: str, literal: str, start: int = 0, stop: int | None = None
) -> Iterator[int]:
    """Offsets of ``literal``, none overlapping."""
    position = text.find(literal, start, stop)
    while position >= 0:
        yield position
        position = text.find(literal, position + len(literal), stop)


def keyword_places(source: Source) -> Iterator[tuple[int, int]]:
    """Start and end of every word stem that may name a secret."""
    for match in _KEYWORD.finditer(source.lower):
        yield match.span()
