"""One HTTP/1.1 connection: h11 reads and writes the messages, a stream carries them."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Protocol

import h11

from mergegate.sandbox.egress.destination import (
    REFUSAL_HEADER,
    Destination,
    Lack,
    Refused,
    broken,
    unreadable,
)

_Head = h11.Request | h11.Response | h11.InformationalResponse
_Headers = list[tuple[bytes, bytes]]

_OF_ONE_CONNECTION = frozenset(
    {
        b"connection",
        b"http2-settings",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
        # What the proxy says for itself, no site says in its place.
        REFUSAL_HEADER.lower().encode("ascii"),
    }
)
_SWITCH: _Headers = [(b"Connection", b"Upgrade"), (b"Upgrade", b"websocket")]
_CHUNKED = (b"Transfer-Encoding", b"chunked")
_PROXY_WANTS_PASSWORD = 407


def has_body(request: h11.Request) -> bool:
    """Whether bytes follow the head; raises Refused when its length can be read in two ways."""
    lengths = _values(request, b"content-length")
    chunked = bool(_values(request, b"transfer-encoding"))
    if chunked and (lengths or request.http_version < b"1.1"):
        raise unreadable("the request has two lengths")
    return chunked or any(int(length) > 0 for length in lengths)


def onward(request: h11.Request, to: Destination, path: bytes) -> h11.Request:
    """The request as the site gets it; whatever ``Host`` said, it names the checked host."""
    headers = [(b"Host", to.authority.encode("ascii")), *_kept(request, b"host")]
    if _values(request, b"transfer-encoding"):
        headers.append(_CHUNKED)
    if wants_websocket(request):
        headers += _SWITCH
    return h11.Request(method=request.method, target=path, headers=headers)


def backward(response: h11.Response) -> h11.Response:
    """The response as the client gets it; raises Refused when none should."""
    if response.status_code == _PROXY_WANTS_PASSWORD:
        raise broken("the site answers as if it were the proxy")
    dropped = b"content-length" if _values(response, b"transfer-encoding") else b""
    return h11.Response(
        status_code=response.status_code,
        reason=response.reason,
        headers=_kept(response, dropped),
    )


def hint(response: h11.InformationalResponse) -> h11.InformationalResponse:
    """A response before the response."""
    return h11.InformationalResponse(
        status_code=response.status_code, reason=response.reason, headers=_kept(response)
    )


def switch(response: h11.InformationalResponse) -> h11.InformationalResponse:
    """The site's consent to speak WebSocket; raises Refused when it speaks something else."""
    if [value.lower() for value in _values(response, b"upgrade")] != [b"websocket"]:
        raise broken("the site switches to a protocol that nobody asked for")
    return h11.InformationalResponse(
        status_code=response.status_code,
        reason=response.reason,
        headers=_kept(response) + _SWITCH,
    )


def announced_bytes(response: h11.Response) -> int:
    """How long the body says it is; 0 when it does not say."""
    lengths = _values(response, b"content-length")
    return int(lengths[0]) if lengths else 0


def wants_websocket(request: h11.Request) -> bool:
    """Other upgrades (h2c) are not passed on, so the site stays with HTTP/1.1."""
    asks = b"upgrade" in _tokens(request, b"connection")
    return asks and _tokens(request, b"upgrade") == {b"websocket"}


def _kept(head: _Head, *dropped: bytes) -> _Headers:
    connection = _OF_ONE_CONNECTION | _tokens(head, b"connection") - {b"content-length"}
    gone = connection.union(dropped)
    return [(raw, value) for raw, value in head.headers.raw_items() if raw.lower() not in gone]


def _tokens(head: _Head, name: bytes) -> frozenset[bytes]:
    return frozenset(
        token.strip().lower() for value in _values(head, name) for token in value.split(b",")
    )


def _values(head: _Head, name: bytes) -> list[bytes]:
    return [value for found, value in head.headers if found == name]


class Doorbell(asyncio.StreamReaderProtocol):
    """A stream's protocol that ends a task when the other side is gone.

    Browsers drop requests all the time. Without this each would go on until the site is done.
    """

    _rung: Callable[[], object] | None = None

    @contextlib.contextmanager
    def ends_this_task(self) -> Iterator[None]:
        """While inside, a client that hangs up cancels the current task."""
        task = asyncio.current_task()
        self._rung = task.cancel if task else None
        try:
            yield
        finally:
            self._rung = None

    def eof_received(self) -> bool | None:
        """The client sends no more."""
        self._ring()
        return super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._ring()
        super().connection_lost(exc)

    def _ring(self) -> None:
        rung, self._rung = self._rung, None
        if rung:
            rung()


CHUNK_BYTES = 64 * 1024
"""Read at once, and buffered at most twice over each way."""

Event = (
    h11.Request
    | h11.InformationalResponse
    | h11.Response
    | h11.Data
    | h11.EndOfMessage
    | h11.ConnectionClosed
)
_HINTS = {431: "the request's head is too large", 501: "the request's coding is not known"}
_LARGE_HEAD = 431


class Watch(Protocol):
    """Counts the bytes of a line."""

    def sent(self, count: int) -> None:
        """May raise Refused."""

    def received(self, count: int) -> None:
        """May raise Refused."""


class HungUp(Exception):
    """The client has closed the connection: it cannot be answered."""


class Line:
    """A connection to the client (we are its server) or to a site (we are its client)."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        role: type[h11.CLIENT] | type[h11.SERVER],
        head_bytes: int,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.http = h11.Connection(role, max_incomplete_event_size=head_bytes)
        self.watch: Watch | None = None
        """Changes from request to request."""
        self._unsent: list[bytes] = []
        writer.transport.set_write_buffer_limits(high=CHUNK_BYTES)

    @property
    def facing_client(self) -> bool:
        """Whether the other side is the client."""
        return self.http.our_role is h11.SERVER

    @property
    def reusable(self) -> bool:
        """Both sides said all they had to say, and may say more."""
        done = self.http.our_state is h11.DONE and self.http.their_state is h11.DONE
        return done and not self._reader.at_eof()

    async def is_silent(self) -> bool:
        """Whether the other side, which has nothing to say now, has said nothing and not left."""
        if self.http.trailing_data[0] or self._writer.is_closing():
            return False
        await asyncio.sleep(0)  # what has arrived is read in this round
        return _would_wait(self._reader.read(1))

    async def event(self, before_waiting: Callable[[], Awaitable[None]] | None = None) -> Event:
        """What comes next; raises Refused when it is not HTTP/1.1, HungUp when the client has gone.

        ``before_waiting`` is awaited each time that nothing is there yet.
        """
        try:
            while True:
                event = self.http.next_event()
                if event is h11.NEED_DATA:
                    if before_waiting:
                        await before_waiting()
                    self.http.receive_data(await self.read())
                elif event is h11.PAUSED:
                    raise h11.RemoteProtocolError("bytes where none are due")
                else:
                    return _known(event)
        except h11.RemoteProtocolError as error:
            raise self._misspoken(error.error_status_hint) from error

    def put(self, event: Event) -> None:
        """Say it with the next :meth:`flush`: one write for a message instead of one per part."""
        self._unsent.append(self.http.send(event) or b"")

    async def flush(self) -> None:
        """Say what was put, and wait while the other side is behind with reading."""
        data = b"".join(self._unsent)
        self._unsent.clear()
        if data:
            await self.write(data)

    async def send(self, event: Event) -> None:
        """Say it now, and wait while the other side is behind with reading."""
        self.put(event)
        await self.flush()

    async def read(self) -> bytes:
        """Bytes as they come; empty at the end."""
        try:
            data = await self._reader.read(CHUNK_BYTES)
        except OSError as error:
            raise self._lost() from error
        if self.watch:
            self.watch.received(len(data))
        return data

    async def write(self, data: bytes) -> None:
        """Bytes as they are."""
        if self.watch:
            self.watch.sent(len(data))
        try:
            self._writer.write(data)
            await self._writer.drain()
        except (OSError, RuntimeError) as error:  # RuntimeError: after our own end of writing
            raise self._lost() from error

    def finish(self) -> None:
        """Nothing more comes from us; the other side may go on."""
        if not self._writer.is_closing():
            with contextlib.suppress(OSError):  # it hung up a moment ago
                self._writer.write_eof()

    def leftover(self) -> bytes:
        """Bytes that came after the last message, once the line is a tunnel."""
        return self.http.trailing_data[0]

    def close(self) -> None:
        """Send what is buffered, then hang up."""
        self._writer.close()

    def abort(self) -> None:
        """Hang up at once, so that nothing half sent looks whole."""
        self._writer.transport.abort()

    def _misspoken(self, hint: int) -> Refused:
        if self.facing_client:
            return Refused(hint, _HINTS.get(hint, "the request is not well-formed HTTP/1.1"))
        if hint == _LARGE_HEAD:
            reason = "the head of the site's answer is larger than is read"
            return broken(reason, Lack.HEAD_TOO_LARGE)
        return broken("the site's answer is not well-formed HTTP/1.1")

    def _lost(self) -> Exception:
        return HungUp() if self.facing_client else broken("the site broke the connection")


def _would_wait(reading: Coroutine[object, None, bytes]) -> bool:
    """Whether a read finds nothing, and not the end either; taken one step, it leaves no task."""
    try:
        reading.send(None)
    except (StopIteration, OSError):
        return False
    reading.close()
    return True


def _known(event: object) -> Event:
    assert isinstance(event, Event)  # noqa: S101 - h11 has no others
    return event
