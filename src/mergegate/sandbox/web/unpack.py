"""Unpack a body as it comes, and never more of it than is wanted."""

import zlib

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
