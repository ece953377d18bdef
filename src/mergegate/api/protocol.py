"""Talk HTTP with anyone: bounded heads, bounded patience, and one shape even for nonsense."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from mergegate.api import problems
from mergegate.api.problems import Code, Refusal, busy

LARGEST_HEAD = 2 << 20
"""Bytes: room enough that a key of a megabyte is refused as a key."""
SLOWEST_HEAD_S = 15.0
MOST_CONNECTIONS = 5_000
_ANYWHERE = "/"
"""What cannot be read asks for nothing in particular."""


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's own, which waits for a head for ever and takes any number of bytes for one."""

    _head = 0
    _is_in_head = True
    _impatience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """A connection begins; one too many ends with 503."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._end(busy("Too many connections.", 1))
            return
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._calm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes arrive."""
        if self._is_in_head:
            self._head += len(data)
            if self._head > LARGEST_HEAD:
                self._end(Refusal(Code.HEADERS_TOO_LARGE, "The headers are far too large."))
        if not self.transport.is_closing():
            super().data_received(data)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        if self._impatience is None:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """Its head is there; what follows is bounded by whoever reads it."""
        self._is_in_head = False
        self._calm()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Between two requests the server's own patience counts."""
        super().on_response_complete()
        if not self.pipeline:
            self._is_in_head, self._head = True, 0

    def send_400_response(self, _: str) -> None:
        """What came is no HTTP."""
        self._end(Refusal(Code.INVALID_REQUEST, "The request is no valid HTTP."))

    def _begin_head(self) -> None:
        self._is_in_head, self._head = True, 0
        self._calm()
        self._impatience = self.loop.call_later(SLOWEST_HEAD_S, self._give_up)

    def _calm(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self._end(Refusal(Code.REQUEST_TIMEOUT, "The headers did not arrive in time."))

    def _end(self, refusal: Refusal) -> None:
        if self.transport.is_closing():
            return
        body = problems.document(refusal, _ANYWHERE)
        fields = {
            "Content-Type": problems.MEDIA_TYPE,
            "Content-Length": str(len(body)),
            "Connection": "close",
            "X-API-Version": "1",
            **problems.headers(refusal),
        }
        head = b"".join(f"{name}: {value}\r\n".encode() for name, value in fields.items())
        self.transport.write(STATUS_LINE[refusal.code.status] + head + b"\r\n" + body)
        self.transport.close()
