"""HTTP with bounded heads and waiting, and problem documents even for malformed requests."""

import asyncio
import secrets
from collections.abc import Iterator
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from mergegate.host.api import problems
from mergegate.host.api.middleware import EVERYWHERE
from mergegate.host.api.problems import Code, Refusal, busy

LARGEST_HEAD = 2 << 20
"""Bytes: enough that a key of a megabyte gets the answer of an invalid key."""
USUAL_HEAD = 64 << 10
MOST_LARGE = 32
"""Requests with a larger head than usual that are held at a time: anyone may send one."""
SLOWEST_HEAD_S = 15.0
LINGER_S = 1.0
READING_S = 60.0
LEAST_READ = 64 << 10
"""Bytes: a client that takes fewer of an answer in ``READING_S`` is cut off."""
MOST_CONNECTIONS = 5_000
_ANYWHERE = "/"
"""The path that is named in the answer to a request that cannot be read."""


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits: its own waits for ever, and takes heads of any size."""

    _head = 0
    _is_in_head = True
    _is_large = False
    _impatience: asyncio.TimerHandle | None = None
    _is_too_many = False
    _is_deaf = False
    """Whether reading has ended."""
    _last: Refusal | None = None
    """The answer to be sent when all earlier requests are answered."""
    _reader: "_Reader"

    def connection_made(self, transport: Any) -> None:
        """A connection begins; of one too many the first bytes are answered with 503."""
        super().connection_made(transport)
        self._reader = _Reader(self.loop, transport)
        self._is_too_many = len(self.connections) > MOST_CONNECTIONS
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """A connection ends."""
        self._calm()
        self._reader.forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes arrive."""
        if self._is_too_many:
            self._end(busy("Too many connections.", 1))
        elif self._is_in_head:
            self._measure(len(data))
        if self._is_over():
            return
        super().data_received(data)
        if self._is_in_head and self._impatience is None and not self._is_over():
            self._hurry()  # the server's own patience ended with the first byte

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._begin_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the head; trailers, which follow a body, are ignored."""
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is complete; the reader of the body sets that one's limits."""
        self._is_in_head = False
        self._calm()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """An answer is sent; until the next request uvicorn's own time limit counts."""
        super().on_response_complete()
        self._reader.look()
        if self.pipeline:
            return
        self._is_in_head, self._head, self._is_large = True, 0, False
        if self._last is not None and not self._owes_an_answer():
            self._hang_up(self._last)

    def send_400_response(self, _: str) -> None:
        """Answer what is not HTTP."""
        self._end(Refusal(Code.INVALID_REQUEST, "The request is no valid HTTP."))

    def _unsupported_upgrade_warning(self) -> None:
        """Nothing is missing here that could be installed: the request is answered as it stands."""

    def _measure(self, size: int) -> None:
        """Count the bytes of a head; end when it, or all together, are too large."""
        self._head += size
        if self._head > LARGEST_HEAD:
            self._end(Refusal(Code.HEADERS_TOO_LARGE, "The headers are far too large."))
        elif self._head > USUAL_HEAD and not self._is_large:
            if sum(one._is_large for one in self._peers()) >= MOST_LARGE:
                self._end(busy("Too many requests with large headers.", 1))
            self._is_large = True

    def _peers(self) -> Iterator["BoundedProtocol"]:
        return (one for one in self.connections if isinstance(one, BoundedProtocol))

    def _begin_head(self) -> None:
        self._is_in_head, self._head = True, 0
        self._hurry()

    def _hurry(self) -> None:
        self._calm()
        self._impatience = self.loop.call_later(SLOWEST_HEAD_S, self._give_up)

    def _calm(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None

    def _give_up(self) -> None:
        self._end(Refusal(Code.REQUEST_TIMEOUT, "The headers did not arrive in time."))

    def _is_over(self) -> bool:
        return self._is_deaf or self.transport.is_closing()

    def _end(self, refusal: Refusal) -> None:
        """Stop reading; hang up once every complete request has its own answer."""
        if self._is_over():
            return
        self._calm()
        self._is_deaf = True
        if self._owes_an_answer():
            self._last = refusal
        else:
            self._hang_up(refusal)

    def _hang_up(self, refusal: Refusal) -> None:
        """Answer, then close after a while: unread bytes would make the answer get lost."""
        if not self.transport.is_closing():
            self.transport.write(_answer(refusal))
            self.transport.write_eof()
            self.loop.call_later(LINGER_S, self.transport.close)
            self._reader.look()

    def _owes_an_answer(self) -> bool:
        return self.cycle is not None and not (self.cycle.response_complete or self.cycle.more_body)


class _Reader:
    """Ends a connection whose client does not read its answers."""

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop = loop
        self._transport = transport
        self._unread = 0
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Start again: a client that sends a new request has read the earlier answers."""
        self.forget()
        unread = self._transport.get_write_buffer_size()
        if unread:
            self._watch(unread)

    def forget(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _watch(self, unread: int) -> None:
        self._unread = unread
        self._timer = self._loop.call_later(READING_S, self._judge)

    def _judge(self) -> None:
        before, unread = self._unread, self._transport.get_write_buffer_size()
        if unread and before - unread < LEAST_READ:
            self._transport.abort()
        elif unread:
            self._watch(unread)


def _answer(refusal: Refusal) -> bytes:
    body = problems.document(refusal, _ANYWHERE)
    own = {
        "Content-Type": problems.MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "Connection": "close",
        "X-Request-Id": secrets.token_hex(12),
        **problems.headers(refusal),
    }
    fields = [(name.encode(), value.encode()) for name, value in own.items()]
    head = b"".join(b"%b: %b\r\n" % field for field in (*fields, *EVERYWHERE.items()))
    return STATUS_LINE[refusal.code.status] + head + b"\r\n" + body
