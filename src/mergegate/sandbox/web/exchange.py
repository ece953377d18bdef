"""One request and its answer, through the way out."""

import asyncio
import contextlib
import ssl
import time
from dataclasses import dataclass

import h11
import httpx

from mergegate.sandbox.fetched import Answer
from mergegate.sandbox.web.bounds import Bounds
from mergegate.sandbox.web.failure import Unanswered, unanswered
from mergegate.sandbox.web.refusal import is_refusal, no_tunnel, refused
from mergegate.sandbox.web.unpack import Unpacking

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
