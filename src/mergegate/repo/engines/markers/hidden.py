"""Characters that hide what a line says: reordering controls, none of any width, tags."""

import re
from collections.abc import Iterator

from mergegate.repo.engines.markers.hit import Hit, line_around
from mergegate.repo.facts.code import MarkerKind

_BIDI = re.compile(rb"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
_RIGHT_TO_LEFT = re.compile(
    rb"[\xd6-\xdf][\x80-\xbf]|\xef(?:[\xac-\xba][\x80-\xbf]|\xbb[\x80-\xbe])"
)
"""Letters from Hebrew to N'Ko, and their presentation forms."""
_NO_TURN = re.compile(rb"\xe2\x80[\xaa\xac\xad]|\xe2\x81[\xa6\xa8\xa9]")
"""Controls that leave what runs from left to right as it is (Unicode Standard Annex 9)."""
_MARK = b"\xe2\x80\x8f"
"""Counts as a letter from right to left, and has no width."""
_MOST_READ = 2_000
"""Bytes without a line break on either side of what no one reads on a screen: minified code."""


def bidi(data: bytes) -> Iterator[Hit]:
    """Controls that reorder a line, told apart by what the line holds and whether it is read."""
    for hit in _BIDI.finditer(data):
        kind, around = MarkerKind.BIDI, line_around(data, hit.start())
        if not _is_read(data, hit.start()):
            kind = MarkerKind.BIDI_HARMLESS
        elif any(map(_RIGHT_TO_LEFT.search, around)):
            kind = MarkerKind.BIDI_BESIDE_TEXT
        elif _NO_TURN.fullmatch(hit[0]) and not any(_MARK in part for part in around):
            kind = MarkerKind.BIDI_HARMLESS
        yield Hit(hit.start(), kind, f"U+{ord(hit[0].decode()):04X}")


def _is_read(data: bytes, position: int) -> bool:
    """Not so far from both ends of the line, and of the file."""
    start, end = position - _MOST_READ, position + _MOST_READ
    return start < 0 or end > len(data) or b"\n" in data[start:end]


_INVISIBLE = re.compile(rb"(?:\xe2\x80[\x8b-\x8f]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf)")
_INVISIBLE_LEADS = (b"\xe2\x80", b"\xe2\x81", b"\xef\xbb\xbf")
_NAMES = re.compile(rb"[A-Za-z0-9_]")
_QUOTED_OR_COMMENT = re.compile(rb"['\"`#]|//|/\*|^\s*\*")


def invisible(data: bytes) -> Iterator[Hit]:
    """Characters without width inside names; strings and comments are let be."""
    if not any(lead in data for lead in _INVISIBLE_LEADS):
        return
    for hit in _INVISIBLE.finditer(data):
        inside = _NAMES.match(data, hit.start() - 1) and _NAMES.match(data, hit.end())
        if inside and not _QUOTED_OR_COMMENT.search(line_around(data, hit.start())[0]):
            yield Hit(hit.start(), MarkerKind.INVISIBLE, f"U+{ord(hit[0].decode()):04X}")


_TAGS = re.compile(rb"(?:\xf3\xa0[\x80\x81][\x80-\xbf]){4,}")
_BLACK_FLAG = "\N{WAVING BLACK FLAG}".encode()
"""Starts the emoji flags of England, Scotland, Wales, which are spelled in tag characters."""


def hidden_text(data: bytes) -> Iterator[Hit]:
    """Runs of tag characters that spell no flag."""
    if b"\xf3\xa0" not in data:
        return
    for hit in _TAGS.finditer(data):
        if data[max(0, hit.start() - 4) : hit.start()] != _BLACK_FLAG:
            yield Hit(hit.start(), MarkerKind.HIDDEN_TEXT, "Unicode tag characters")
