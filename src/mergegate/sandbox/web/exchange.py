"""One request and its answer, through the way out."""

import asyncio
import contextlib
import ssl
import time
from dataclasses import dataclass
from functools import cache

import h11
import httpx

from mergegate.sandbox.fetched import Answer
from mergegate.sandbox.web.failure import Unanswered, unanswered
from mergegate.sandbox.web.request import Bounds
from mergegate.sandbox.web.unpack import Unpacking

_OPENING = b"Not let through: "
_STATUSES = frozenset({400, 403, 408, 502, 503, 504, 505})
_HEAD = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
"""What it sends; a site that sends the same, and the same words, calls itself unreachable."""
_REASONS = {
    "the host's name could not be resolved": "there is no host with this name",
    "the response is larger than a scan may receive": "it answers with more than is read",
}
_BY_STATUS = {
    403: "a scan may not go there",
    408: "it does not answer in time",
    502: "the host cannot be reached",
    503: "the scan asks for too much at once",
    504: "it does not answer in time",
}
_FORBIDDEN = frozenset({400, 403})
_MOST_BYTES = 4096


def is_refusal(status: int, headers: httpx.Headers) -> bool:
    """Whether a plain answer may be the way out's own, by its head; HEAD brings no more."""
    return status in _STATUSES and all(headers.get(name) == said for name, said in _HEAD.items())


def refused(status: int, body: bytes | None) -> Unanswered | None:
    """What the way out means; None when ``body`` shows a site speaking.

    Without a body, as HEAD brings none, the status has to do.
    """
    if body and not body.startswith(_OPENING):
        return None
    words = (body or b"").removeprefix(_OPENING)[:200].decode("ascii", "replace")
    said = words.strip().removesuffix(".")
    reason = _REASONS.get(said) or _plain(said) or _BY_STATUS.get(status, _BY_STATUS[502])
    return Unanswered(reason, refused=status in _FORBIDDEN)


async def no_tunnel(proxy: httpx.URL, url: httpx.URL) -> Unanswered:
    """Why the way out opens no tunnel to ``url``: it is asked once more, for httpx does not say."""
    netloc = url.netloc.decode("ascii")
    authority = netloc if url.port else f"{netloc}:443"
    reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
    try:
        return await _asked(reader, writer, authority)
    finally:
        writer.transport.abort()


async def _asked(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, authority: str
) -> Unanswered:
    http = h11.Connection(h11.CLIENT)
    ask = h11.Request(method="CONNECT", target=authority, headers=[("Host", authority)])
    writer.write(http.send(ask) or b"")
    status, words = 502, b""
    while len(words) < _MOST_BYTES:
        event = http.next_event()
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(_MOST_BYTES))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            words += event.data
        else:
            break
    return refused(status, words) or Unanswered(_BY_STATUS[502])


def _plain(words: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in words)


@cache
def trusted() -> ssl.SSLContext:
    """Those that httpx brings, and those this machine knows.

    Reading them takes tens of milliseconds.
    """
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def unquestioned() -> ssl.SSLContext:
    """Anybody, for looking at what stands behind a bad certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


_OF_A_REDIRECT = 16_384
"""Bytes of its body that are read to keep the connection."""
_REFUSAL_BYTES = 4_096
_HUNG_UP = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)


@dataclass(frozen=True, slots=True)
class Body:
    """What was read of one, unpacked."""

    data: bytes = b""
    whole: bool = True
    wire_bytes: int = 0


class Exchange:
    """Asks one hop at a time, each on its own; connections are kept in between."""

    def __init__(self, proxy: str, trust: ssl.SSLContext, bounds: Bounds) -> None:
        self._proxy = httpx.URL(proxy)
        self._bounds = bounds
        self._left = bounds.requests
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=bounds.at_once)
        self._transport = httpx.AsyncHTTPTransport(
            verify=trust, proxy=httpx.Proxy(proxy), trust_env=False, limits=limits
        )

    async def close(self) -> None:
        """Hang up."""
        await self._transport.aclose()

    async def ask(self, request: httpx.Request, most: int, until: float) -> tuple[Answer, Body]:
        """The answer, and ``most`` bytes of its body, by ``until`` of the loop's clock.

        A body that does not end in time is what came of it; of a redirect's only a little is read.
        Raises Unanswered.
        """
        try:
            return await self._again(request, most, until)
        except httpx.ProxyError as error:
            raise await self._no_tunnel(request.url, until) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            raise unanswered(error) from error

    async def _again(self, request: httpx.Request, most: int, until: float) -> tuple[Answer, Body]:
        """Servers hang up on kept connections just as they are used: once more, on another."""
        try:
            return await self._once(request, most, until)
        except _HUNG_UP:
            return await self._once(request, most, until)

    async def _once(self, request: httpx.Request, most: int, until: float) -> tuple[Answer, Body]:
        if self._left <= 0:
            raise Unanswered("beyond the requests of a scan")
        self._left -= 1
        begun = time.monotonic()
        async with asyncio.timeout_at(until):
            response = await self._transport.handle_async_request(request)
        try:
            answer = self._answer(request, response, begun)
            body = await self._body(request, response, most, until)
        finally:
            with contextlib.suppress(httpx.HTTPError, OSError):
                await response.aclose()
        return answer, body

    async def _body(
        self, request: httpx.Request, response: httpx.Response, most: int, until: float
    ) -> Body:
        """Raises Unanswered where it is the way out that speaks."""
        if request.url.scheme == "http" and is_refusal(response.status_code, response.headers):
            return await _heard(request, response, most, until)
        wanted = min(most, _OF_A_REDIRECT) if response.has_redirect_location else most
        return await _read(response, wanted, until)

    def _answer(self, request: httpx.Request, response: httpx.Response, begun: float) -> Answer:
        longest = self._bounds.header_letters
        raw = response.headers.raw[: self._bounds.headers]
        return Answer(
            url=str(request.url),
            status=response.status_code,
            headers=tuple(
                (_letters(name).lower(), _letters(value)[:longest]) for name, value in raw
            ),
            took_ms=round((time.monotonic() - begun) * 1000),
        )

    async def _no_tunnel(self, url: httpx.URL, until: float) -> Unanswered:
        try:
            async with asyncio.timeout_at(until):
                return await no_tunnel(self._proxy, url)
        except (OSError, h11.ProtocolError) as error:
            return unanswered(error)


async def _heard(request: httpx.Request, response: httpx.Response, most: int, until: float) -> Body:
    """The body of a site that looks like the way out; raises Unanswered when it is that."""
    body = await _read(response, max(most, _REFUSAL_BYTES), until)
    refusal = refused(response.status_code, None if request.method == "HEAD" else body.data)
    if refusal:
        raise refusal
    return Body(body.data[:most], body.whole and len(body.data) <= most, body.wire_bytes)


async def _read(response: httpx.Response, most: int, until: float) -> Body:
    unpacking = Unpacking(response.headers.get("content-encoding", ""), most)
    ended = False
    with contextlib.suppress(TimeoutError, OSError, httpx.HTTPError):
        async with asyncio.timeout_at(until):
            async for piece in response.aiter_raw():
                unpacking.take(piece)
                if not unpacking.wants_more:
                    break
            else:
                ended = True
    return Body(unpacking.body, ended and unpacking.complete, unpacking.wire_bytes)


def _letters(raw: bytes) -> str:
    """A header as text: UTF-8 where it is that, else its bytes as they are."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
