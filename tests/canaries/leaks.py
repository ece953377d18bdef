"""Where a value stands in what was written, however it is spelled there."""

import binascii
import html
import io
import re
import sqlite3
import urllib.parse
import zipfile
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

GRAM = 8
"""Characters that are enough to tell a value by."""
_DEEPEST = 3
"""Spellings within spellings."""
_TWICE = 2
_ENCODED = re.compile(rb"[A-Za-z0-9+/_-]{%d,}={0,2}" % GRAM)
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){%d,}" % GRAM)
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_ESCAPE = re.compile(rb"\\u00([0-9a-fA-F]{2})|\\x([0-9a-fA-F]{2})|\\(.)", re.DOTALL)
_COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
_FRAME = re.compile(rb"[\s|>\xe2\x94\x82\x80-\xbf]+")
"""Blanks and what draws the lines of a table: a long word may be broken over several."""
_DEFLATED = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")


class Needles:
    """Values to look for, by any eight characters in a row of theirs, small or capital."""

    def __init__(self, values: Mapping[str, Iterable[str]]) -> None:
        self._of: dict[int, str] = {}
        for name, parts in values.items():
            for part in parts:
                data = part.lower().encode()
                assert len(data) >= GRAM
                for at in range(len(data) - GRAM + 1):
                    (gram,) = _grams(data[at : at + GRAM])
                    self._of[gram] = name
        self._all = frozenset(self._of)

    def within(self, data: bytes) -> frozenset[str]:
        """The names of the values of which ``data`` holds a part, in whatever spelling."""
        return frozenset(
            name for text, depth in spellings(data) for name in self._plain(text, depth)
        )

    def _plain(self, text: bytes, depth: int) -> Iterator[str]:
        """Three letters more are needed in what is spelled twice: it is much, and seldom."""
        text = text.lower()
        for start in range(0, GRAM, 1 if depth < _TWICE else GRAM // 2):
            # Eight at a time, as numbers: many megabytes are looked through.
            yield from (self._of[gram] for gram in self._all.intersection(_grams(text[start:])))


def _grams(text: bytes) -> memoryview:
    """Each eight characters of ``text`` in turn, as one number."""
    return memoryview(text[: len(text) // GRAM * GRAM]).cast("Q")


def spellings(data: bytes) -> Iterator[tuple[bytes, int]]:
    """``data``, and all that it may stand for, with how often it was spelled to be that."""
    seen, words = {data}, set[bytes]()
    pending = deque([(data, 0)])
    while pending:
        text, depth = pending.popleft()
        yield text, depth
        for read in _read(text, words) if depth < _DEEPEST else ():
            if len(read) >= GRAM and read not in seen:
                seen.add(read)
                pending.append((read, depth + 1))


def _read(text: bytes, words: set[bytes]) -> Iterator[bytes]:
    """What ``text`` may stand for; of ``words``, which were decoded before, nothing is new."""
    yield _COLOUR.sub(b"", text)
    yield _FRAME.sub(b"", text)
    yield text.replace(b"\0", b"")
    if b"%" in text:
        yield urllib.parse.unquote_to_bytes(text)
    if b"&" in text:
        yield html.unescape(text.decode("latin-1")).encode("latin-1", "replace")
    if b"\\" in text:
        yield _ESCAPE.sub(_unescaped, text)
    found = dict.fromkeys(match[0] for one in (_HEX, _ENCODED) for match in one.finditer(text))
    yield b"\n".join(part for word in found if word not in words for part in _decoded(word))
    words |= found.keys()
    yield from _unpacked(text)


def _unescaped(match: re.Match[bytes]) -> bytes:
    digits = match[1] or match[2]
    return bytes([int(digits, 16)]) if digits else match[3]


def _decoded(word: bytes) -> Iterator[bytes]:
    if _HEX.fullmatch(word):
        yield binascii.unhexlify(word)
    plain = word.rstrip(b"=").translate(_URL_SAFE)
    for start in range(4):  # it may begin within another word
        part = plain[start:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        yield binascii.a2b_base64(part + b"=" * (-len(part) % 4))


def _unpacked(text: bytes) -> Iterator[bytes]:
    if text.startswith(b"SQLite format 3\0"):
        with suppress(sqlite3.DatabaseError):
            yield from _rows(text)
    if text.startswith(b"PK\x03\x04"):
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(text)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    for match in _DEFLATED.finditer(text):
        with suppress(zlib.error):
            either = zlib.decompressobj(zlib.MAX_WBITS | 32)
            yield either.decompress(text[match.start() :])


def _rows(database: bytes) -> Iterator[bytes]:
    """Every value of every table, compressed ones unpacked."""
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.deserialize(_without_log(database))
        tables = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            for row in opened.execute(f'SELECT * FROM "{table}"'):
                yield from (_bytes(value) for value in row if value is not None)


def _without_log(database: bytes) -> bytes:
    """In memory there is no write-ahead log: the two bytes that ask for one say so."""
    return database[:18] + b"\x01\x01" + database[20:]


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")


def files(*folders: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below ``folders`` with its name, and the names themselves."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            yield f"name of {path}", str(path.relative_to(folder)).encode()
            if path.is_file() and not path.is_symlink():
                yield str(path), path.read_bytes()
