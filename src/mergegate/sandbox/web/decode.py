"""Unpack a body as it comes, and turn it into text as browsers do.

The encoding is chosen by HTML's "encoding sniffing algorithm".
"""

import codecs
import re
import zlib
from collections.abc import Callable

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_TEXTS = frozenset(
    {
        "application/ecmascript",
        "application/javascript",
        "application/json",
        "application/x-javascript",
        "application/x-ndjson",
        "application/xhtml+xml",
        "application/xml",
    }
)
_SUFFIXES = ("+json", "+xml", "json", "javascript")
_SNIFFED_BYTES = 2048
_META = re.compile(
    rb"<meta[^>]{0,200}charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([a-zA-Z0-9_:.-]{2,40})", re.IGNORECASE
)
_XML = re.compile(rb"^\s{0,99}<\?xml[^>]{0,200}encoding\s{0,9}=\s{0,9}[\"']([a-zA-Z0-9_:.-]{2,40})")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KNOWN = re.compile(
    r"utf-?8|utf-16(?:le|be)?|iso-8859-(?:[2-8]|1[0345-6])|windows-125[0-8]|cp125[0-8]"
    r"|koi8-[ru]|gb18030|big5|euc-jp|iso-2022-jp|macintosh"
)
"""Encodings of pages. Python knows others, of which some take very long over hostile bytes."""
_MEANT = {
    "ascii": "windows-1252",
    "us-ascii": "windows-1252",
    "latin1": "windows-1252",
    "latin-1": "windows-1252",
    "iso-8859-1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "windows-31j": "cp932",
    "macintosh": "mac-roman",
    "utf-16": "utf-16-le",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
}
"""What browsers take a label for (https://encoding.spec.whatwg.org, "names and labels")."""


def text(body: bytes, content_type: str) -> str:
    """``body`` as text; empty when it is none.

    Without a type it is text unless it holds a zero byte.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if not (_is_text(kind) or (not kind and b"\0" not in body[:_SNIFFED_BYTES])):
        return ""
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    named = _encoding(_charset(content_type)) or _declared(body, kind)
    return body.decode(named, "replace") if named else _guessed(body, kind)


def _is_text(kind: str) -> bool:
    return kind.startswith("text/") or kind in _TEXTS or kind.endswith(_SUFFIXES)


def _charset(content_type: str) -> str:
    for part in content_type.split(";")[1:20]:
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'")[:40]
    return ""


def _declared(body: bytes, kind: str) -> str:
    """What the body says of itself; UTF-16 it cannot be when that could be read."""
    found = _declaration(kind)(body[:_SNIFFED_BYTES])
    named = _encoding(found[1].decode("ascii")) if found else ""
    return "utf-8" if named.startswith("utf-16") else named


def _declaration(kind: str) -> Callable[[bytes], re.Match[bytes] | None]:
    return _XML.match if kind.endswith("xml") and kind != "application/xhtml+xml" else _META.search


def _encoding(label: str) -> str:
    name = label.strip().lower()
    meant = _MEANT.get(name, name)
    return meant if name in _MEANT or _KNOWN.fullmatch(name) else ""


def _guessed(body: bytes, kind: str) -> str:
    """UTF-8; a page that is none is what browsers of western countries take it for."""
    if kind not in _HTML:
        return body.decode("utf-8", "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        cut_short = error.reason == "unexpected end of data"
        return body.decode("utf-8" if cut_short else "windows-1252", "replace")


_GZIP_OR_ZLIB = 47
_RAW = -15
_NONE = frozenset({"", "identity"})
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})


class Unpacking:
    """One body under its ``Content-Encoding``; a few bytes may unpack to gigabytes."""

    def __init__(self, coding: str, most: int) -> None:
        name = coding.strip().lower()
        self._known = name in _NONE or name in _PACKED
        self._unpacker = zlib.decompressobj(_GZIP_OR_ZLIB) if name in _PACKED else None
        self._may_be_raw = name == "deflate"
        self._body = bytearray()
        self._most = most
        self._wire = 0
        self._broken = not self._known

    @property
    def body(self) -> bytes:
        """The body received so far, unpacked; empty when it cannot be unpacked."""
        return bytes(self._body[: self._most])

    @property
    def wire_bytes(self) -> int:
        """Bytes received, still packed."""
        return self._wire

    @property
    def wants_more(self) -> bool:
        """Whether further bytes are of use."""
        return not self._broken and len(self._body) <= self._most and self._wire <= self._most

    @property
    def complete(self) -> bool:
        """Whether the body is whole, provided that no more bytes come."""
        ended = self._unpacker is None or self._unpacker.eof or self._wire == 0
        return self.wants_more and ended

    def take(self, piece: bytes) -> None:
        """Unpack the next bytes received."""
        first = self._wire == 0
        self._wire += len(piece)
        if self._unpacker is None:
            self._body += piece if self._known else b""
            return
        try:
            self._body += self._unpacked(piece, first)
        except zlib.error:
            self._broken = True

    def _unpacked(self, piece: bytes, first: bool) -> bytes:
        """No more than one byte too many, by which it is seen that there is more.

        Some servers call deflate what has no zlib header; browsers read it all the same.
        """
        room = self._most + 1 - len(self._body)
        if room <= 0 or self._unpacker is None:
            return b""
        try:
            return self._unpacker.decompress(piece, room)
        except zlib.error:
            if not (first and self._may_be_raw):
                raise
        self._unpacker = zlib.decompressobj(_RAW)
        return self._unpacker.decompress(piece, room)
