"""Answer with text, compressed where the caller reads that and it is worth it."""

import hashlib
import re
import zlib
from collections import OrderedDict

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

_SMALLEST_BYTES = 1_024
_LONG_BYTES = 64 << 10
"""Compressed in a thread: others would wait for it."""
_LEVEL = 5
_GZIP = 16 + zlib.MAX_WBITS
_KEPT_BYTES = 32 << 20
_UNWANTED = re.compile(r"gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)", re.IGNORECASE)


class Press:
    """Compresses, and keeps what it made: a result that people poll is asked for again."""

    def __init__(self, kept_bytes: int = _KEPT_BYTES) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._left = kept_bytes

    async def zipped(self, body: bytes) -> bytes:
        """``body`` as gzip."""
        key = hashlib.blake2b(body, digest_size=16).digest()
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        long = len(body) > _LONG_BYTES
        made = await run_in_threadpool(_zip, body) if long else _zip(body)
        self._keep(key, made)
        return made

    def _keep(self, key: bytes, made: bytes) -> None:
        if key in self._kept:
            return
        self._kept[key] = made
        self._left -= len(made)
        while self._left < 0:
            self._left += len(self._kept.popitem(last=False)[1])


_PRESS = Press()


async def send(
    request: Request, body: bytes, status: int = 200, media_type: str = "application/json"
) -> Response:
    """``body`` is text in UTF-8."""
    if len(body) < _SMALLEST_BYTES:
        return Response(body, status, media_type=media_type)
    headers = {"Vary": "Accept-Encoding"}
    if _reads_gzip(request.headers.get("accept-encoding", "")):
        body = await _PRESS.zipped(body)
        headers["Content-Encoding"] = "gzip"
    return Response(body, status, headers, media_type=media_type)


def _reads_gzip(accepted: str) -> bool:
    return "gzip" in accepted.lower() and not _UNWANTED.search(accepted)


def _zip(body: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(body) + packer.flush()
