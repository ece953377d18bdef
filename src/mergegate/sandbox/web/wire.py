"""Plain HTTP/1.1 on kept connections through the proxy, with h11 alone; what a request carries.

httpx takes four times the CPU for the same answers (its pool looks at every connection for every
request), and keeps to itself why the proxy opens no tunnel.
"""

import asyncio
import ssl
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import h11
import httpx

from mergegate import __version__
from mergegate.sandbox.visit import NONE, Visit
from mergegate.sandbox.web.address import Origin, origin, refusal

Headers: TypeAlias = Sequence[tuple[str, str]]
_LONGEST_COOKIE = 8_192


def keep(cookies: httpx.Cookies, url: str, given: Sequence[str], most: int) -> None:
    """Take up the ``Set-Cookie`` values that ``url`` has given, ``most`` of them."""
    fields = [value for value in given if len(value) <= _LONGEST_COOKIE][:most]
    if fields:
        request = httpx.Request("GET", url)
        headers = [("Set-Cookie", value) for value in fields]
        cookies.extract_cookies(httpx.Response(200, headers=headers, request=request))


def state(url: httpx.URL, cookies: httpx.Cookies) -> tuple[str, str]:
    """Tells apart what is asked of ``url`` before and after a cookie changed."""
    held = sorted((one.domain, one.path, one.name, one.value) for one in cookies.jar)
    return str(url), repr(held)


def usual(purpose: str) -> Headers:
    """A browser's headers under our own name: servers refuse clients without them at once."""
    return (
        ("User-Agent", f"Mozilla/5.0 (compatible; Mergegate/{__version__}; {purpose})"),
        ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        ("Accept-Language", "en-US,en;q=0.9"),
        ("Accept-Encoding", "gzip, deflate"),
    )


class RequestHeaders:
    """The headers of each request of a visit; its credentials go to its own origin alone.

    Where the site is not ``trusted`` they go nowhere.
    """

    def __init__(self, own: Visit, usually: Headers, *, trusted: bool = True) -> None:
        self._own = origin(httpx.URL(own.url))
        self._credentials = own.credentials if trusted else NONE
        self._usually = usually

    def is_own(self, url: httpx.URL) -> bool:
        """Whether ``url`` is of the origin of the visit."""
        return origin(url) == self._own

    def to(self, url: httpx.URL, cookies: httpx.Cookies, *more: Headers) -> Headers:
        """The usual ones, over them those of the visit, over them each of ``more``."""
        given = self._credentials if self.is_own(url) else NONE
        ours = [pair for pair in given.headers if pair[0].lower() != "cookie"]
        jar = [value for name, value in given.headers if name.lower() == "cookie"]
        jar += [f"{name}={value}" for name, value in given.cookies]
        jar += [_crumbs(cookies, url)]
        sent = over(self._usually, ours, *more)
        kept = "; ".join(filter(None, jar))
        return [*sent, *([("Cookie", kept)] if kept else [])]


def over(lower: Headers, *uppers: Headers) -> Headers:
    """All of them; of those with one name, the ones given last."""
    for upper in uppers:
        names = {name.lower() for name, _ in upper}
        lower = [*(pair for pair in lower if pair[0].lower() not in names), *upper]
    return lower


def _crumbs(cookies: httpx.Cookies, url: httpx.URL) -> str:
    """The ``Cookie`` that goes to ``url``; empty when there is none."""
    if not cookies:
        return ""
    request = httpx.Request("GET", url)
    cookies.set_cookie_header(request)
    return str(request.headers.get("Cookie", ""))


_HEAD_BYTES = 100 * 1024
_CHUNK_BYTES = 64 * 1024
_KEPT = 32
"""Idle connections of one origin."""


@dataclass(frozen=True, slots=True)
class Head:
    """How an answer begins."""

    status: int
    headers: httpx.Headers
    took_ms: int
    """Time from the request to the end of the head."""


class Connection:
    """A connection to one origin; one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = _client()
        self.heard = False
        """Whether anything came for the current request."""

    async def tunnel(self, authority: str, host: str, trust: ssl.SSLContext) -> None:
        """Reach ``host`` in TLS; raises Unanswered, OSError (``ssl.SSLError`` among them)."""
        headers = [("Host", authority)]
        answer = await self.begin(h11.Request(method="CONNECT", target=authority, headers=headers))
        if answer.status_code != 200:
            refused = refusal(httpx.Headers(answer.headers.raw_items()))
            raise refused or h11.RemoteProtocolError("no tunnel")
        self._http = _client()
        await self._writer.start_tls(trust, server_hostname=host)

    async def begin(self, request: h11.Request) -> h11.Response:
        """Ask, and wait for the head of the answer; raises OSError or an error of h11."""
        self.heard = False
        data = self._http.send(request) or b""
        end = self._http.send(h11.EndOfMessage()) or b""
        self._writer.write(data + end)
        await self._writer.drain()
        while True:
            event = await self._event()
            if isinstance(event, h11.Response):
                return event
            if not isinstance(event, h11.InformationalResponse):
                raise h11.RemoteProtocolError("no answer")

    async def body(self) -> AsyncIterator[bytes]:
        """What follows the head."""
        while isinstance(event := await self._event(), h11.Data):
            yield bytes(event.data)

    def is_ready(self) -> bool:
        """Make it ready for another request, if it can be."""
        both = (self._http.our_state, self._http.their_state)
        if both != (h11.DONE, h11.DONE) or self._reader.at_eof() or self._writer.is_closing():
            return False
        self._http.start_next_cycle()
        return True

    def abort(self) -> None:
        """Hang up at once."""
        self._writer.transport.abort()

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            data = await self._reader.read(_CHUNK_BYTES)
            self.heard = self.heard or bool(data)
            self._http.receive_data(data)
        return event


class Wire:
    """Connections through the egress at ``proxy``; ``trust`` is asked for when TLS is spoken."""

    def __init__(self, proxy: httpx.URL, trust: Callable[[], ssl.SSLContext]) -> None:
        self._proxy = proxy
        self._trust = trust
        self._kept: defaultdict[Origin, list[Connection]] = defaultdict(list)

    async def ask(self, method: str, url: httpx.URL, headers: Headers) -> tuple[Head, Connection]:
        """The head of the answer, and the connection to read its body from, then to give back.

        Raises Unanswered where the proxy refuses it, OSError or an error of h11.
        """
        begun = time.monotonic()
        request = _request(method, url, headers)
        connection, response = await self._answered(origin(url), url, request)
        heard = httpx.Headers(response.headers.raw_items())
        # Behind a tunnel only the site answers.
        if url.scheme == "http" and (refused := refusal(heard)):
            connection.abort()
            raise refused
        took_ms = round((time.monotonic() - begun) * 1000)
        return Head(response.status_code, heard, took_ms), connection

    def give_back(self, url: httpx.URL, connection: Connection) -> None:
        """Keep it for the next request to the origin of ``url``, or hang up."""
        kept = self._kept[origin(url)]
        if len(kept) < _KEPT and connection.is_ready():
            kept.append(connection)
        else:
            connection.abort()

    def close(self) -> None:
        """Hang up on all that were kept."""
        for connections in self._kept.values():
            while connections:
                connections.pop().abort()

    async def _answered(
        self, there: Origin, url: httpx.URL, request: h11.Request
    ) -> tuple[Connection, h11.Response]:
        """On a kept connection; on a new one when there is none, or when it has died meanwhile."""
        while kept := self._kept[there]:
            connection = kept.pop()
            try:
                return connection, await _begun(connection, request)
            except (OSError, h11.RemoteProtocolError):
                if connection.heard:
                    raise
        connection = await self._connected(url)
        return connection, await _begun(connection, request)

    async def _connected(self, url: httpx.URL) -> Connection:
        reader, writer = await asyncio.open_connection(self._proxy.host, self._proxy.port)
        connection = Connection(reader, writer)
        if url.scheme == "http":
            return connection
        try:
            host = url.raw_host.decode("ascii")
            trust = self._trust()
            trust.set_alpn_protocols(["http/1.1"])
            await connection.tunnel(_authority(url), host.removesuffix("."), trust)
        except BaseException:
            connection.abort()
            raise
        return connection


async def _begun(connection: Connection, request: h11.Request) -> h11.Response:
    try:
        return await connection.begin(request)
    except BaseException:
        connection.abort()
        raise


def _request(method: str, url: httpx.URL, headers: Headers) -> h11.Request:
    """A proxy of plain HTTP is told the whole address; at a tunnel's end the path is enough."""
    host = url.netloc.decode("ascii")
    path = url.raw_path.decode("ascii")
    target = f"http://{host}{path}" if url.scheme == "http" else path
    named = any(name.lower() == "host" for name, _ in headers)
    own = [] if named else [("Host", host)]
    return h11.Request(method=method, target=target, headers=[*own, *headers])


def _authority(url: httpx.URL) -> str:
    netloc = url.netloc.decode("ascii")
    return netloc if url.port else f"{netloc}:443"


def _client() -> h11.Connection:
    return h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD_BYTES)
