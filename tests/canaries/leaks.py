"""Where a value stands in what was written, however it is spelled there."""

import base64
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
_ESCAPE = re.compile(rb"\\u00([0-9a-fA-F]{2})|\\x([0-9a-fA-F]{2})|\\(.)", re.DOTALL)
_COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
_FRAME = re.compile(rb"[\s|>\xe2\x94\x82\x80-\xbf]+")
"""Blanks and what draws the lines of a table: a long word may be broken over several."""
_DEFLATED = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")


class Needles:
    """Values to look for, by any eight characters in a row of theirs, small or capital."""

    def __init__(self, values: Mapping[str, Iterable[str]]) -> None:
        self._of: dict[bytes, str] = {}
        for name, parts in values.items():
            for part in parts:
                data = part.lower().encode()
                assert len(data) >= GRAM
                for at in range(len(data) - GRAM + 1):
                    self._of[data[at : at + GRAM]] = name

    def within(self, data: bytes) -> frozenset[str]:
        """The names of the values of which ``data`` holds a part, in whatever spelling."""
        return frozenset(
            name for text, depth in spellings(data) for name in self._plain(text, depth)
        )

    def _plain(self, text: bytes, depth: int) -> Iterator[str]:
        """Three letters more are needed in what is spelled twice: it is much, and seldom."""
        of, text = self._of, text.lower()
        for at in range(0, len(text) - GRAM + 1, 1 if depth < _TWICE else GRAM // 2):
            if (gram := text[at : at + GRAM]) in of:
                yield of[gram]


def spellings(data: bytes) -> Iterator[tuple[bytes, int]]:
    """``data``, and all that it may stand for, with how often it was spelled to be that."""
    seen = {data}
    pending = deque([(data, 0)])
    while pending:
        text, depth = pending.popleft()
        yield text, depth
        for read in _read(text) if depth < _DEEPEST else ():
            if len(read) >= GRAM and read not in seen:
                seen.add(read)
                pending.append((read, depth + 1))


def _read(text: bytes) -> Iterator[bytes]:
    yield _COLOUR.sub(b"", text)
    yield _FRAME.sub(b"", text)
    yield text.replace(b"\0", b"")
    if b"%" in text:
        yield urllib.parse.unquote_to_bytes(text)
    if b"&" in text:
        yield html.unescape(text.decode("latin-1")).encode("latin-1", "replace")
    if b"\\" in text:
        yield _ESCAPE.sub(_unescaped, text)
    yield b"\n".join(_decoded(text))
    yield from _unpacked(text)


def _unescaped(match: re.Match[bytes]) -> bytes:
    digits = match[1] or match[2]
    return bytes([int(digits, 16)]) if digits else match[3]


def _decoded(text: bytes) -> Iterator[bytes]:
    for match in _HEX.finditer(text):
        yield binascii.unhexlify(match[0])
    for match in _ENCODED.finditer(text):
        plain = match[0].rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        for start in range(4):  # it may begin within another word
            part = plain[start:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            yield base64.b64decode(part + b"=" * (-len(part) % 4))


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
