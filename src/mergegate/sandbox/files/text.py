"""A file's bytes → the text that is run or read, in UTF-8 and with the line ends of Unix.

A program that is written in UTF-16, with the line ends of an old Mac or with a NUL in a comment
runs like any other; engines would see nothing in it, and say nothing of that.
"""

import codecs
import re

_SNIFFED_BYTES = 8192
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before that of UTF-16, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\f\r\033"))
_CONTROLS_IN_TEXT = 0.05
"""The greatest share; compressed data has twice as much."""
_ZEROS_IN_WIDE_TEXT = 0.8
"""The least share of the upper halves that are zero in UTF-16 of a European language."""
_LONE_RETURN = re.compile(rb"\r(?!\n)")
_DECLARATION = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
ESCAPING = frozenset({"utf-7", "unicode-escape", "raw-unicode-escape"})
"""Encodings of Python in which a line of ASCII says something else than it shows."""
_PLAIN = frozenset({"ascii", "utf-8", "utf-8-sig"})
_SLOW = frozenset({"idna", "punycode", "undefined"})


def text_of(content: bytes, language: str | None) -> bytes | None:
    """``content`` itself where it is plain, else its text; None where it is none.

    Lines and columns are those that editors show.
    """
    text = _without_nul(content, language)
    if text is None:
        return None
    if encoding := _encoding(text, language):
        text = text.decode(encoding, "replace").encode("utf-8", "replace")
    if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
        text = _LONE_RETURN.sub(b"\n", text)
    return text


def declared_encoding(content: bytes) -> str | None:
    """What a Python file declares in its first two lines; None for nothing that Python reads."""
    found = _DECLARATION.match(content)
    try:
        name = codecs.lookup(found[1].decode("ascii")).name if found else None
        return name if name and name not in _SLOW and b"a".decode(name) else None
    except (LookupError, ValueError):  # unknown, or no encoding of text
        return None


def _without_nul(content: bytes, language: str | None) -> bytes | None:
    wide = next((name for mark, name in _MARKS if content.startswith(mark)), "")
    if not wide and b"\0" not in (content if language else content[:_SNIFFED_BYTES]):
        return content
    wide = wide or _unmarked(content)
    if wide:
        text = _decoded(content, wide, strict=language is None)
        return None if text is None else text.replace("\0", " ").encode("utf-8", "replace")
    controls = len(content) - len(content.translate(None, _CONTROLS))
    if controls > _CONTROLS_IN_TEXT * len(content) or not (language or _is_utf8(content)):
        return None
    return content.replace(b"\0", b" ")


def _unmarked(content: bytes) -> str:
    """The byte order of UTF-16 without its mark; empty where it is something else."""
    for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        upper, lower = content[start::2], content[1 - start :: 2]
        is_wide = upper.count(0) > _ZEROS_IN_WIDE_TEXT * len(upper)
        if is_wide and lower.count(0) < _CONTROLS_IN_TEXT * len(lower):
            return name
    return ""


def _decoded(content: bytes, encoding: str, *, strict: bool) -> str | None:
    try:
        return content.decode(encoding, "strict" if strict else "replace")
    except UnicodeDecodeError:
        return None


def _is_utf8(content: bytes) -> bool:
    if content.isascii():
        return True
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _encoding(text: bytes, language: str | None) -> str:
    """What ``text`` is to be decoded from; empty where it is plain, or no engine parses it."""
    declared = declared_encoding(text) if language == "python" else None
    if declared and declared not in _PLAIN | ESCAPING:
        return declared
    return "" if language is None or _is_utf8(text) else "utf-8"
