"""One request and its answer, and one address through its redirects, each hop judged anew."""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

import h11
import httpx

from mergegate.sandbox.egress.destination import Lack
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web.address import Unanswered, following, read, unanswered
from mergegate.sandbox.web.decode import Unpacking, text
from mergegate.sandbox.web.wire import (
    Connection,
    Head,
    Headers,
    RequestHeaders,
    Wire,
    keep,
    over,
    state,
    usual,
)


@cache
def trusted() -> ssl.SSLContext:
    """Those that httpx brings, and those this machine knows.

    Reading them takes tens of milliseconds.
    """
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def asking(*, names: bool, chain: bool) -> ssl.SSLContext:
    """A context without roots that asks a certificate for as much as it is told to.

    Without ``names`` it may be for any host, without ``chain`` also from anybody: that is for
    looking at a bad certificate, and at what stands behind it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if not names:
        context.check_hostname = False
    if not chain:
        context.verify_mode = ssl.CERT_NONE
    return context


@dataclass(frozen=True, slots=True)
class Body:
    """What was read of one, unpacked."""

    data: bytes = b""
    whole: bool = True
    wire_bytes: int = 0


class Exchange:
    """Asks one hop at a time, each on its own; connections are kept in between.

    ``trust`` is asked for who vouches for certificates when TLS is spoken. ``again`` asks a server
    that hangs up without an answer once more.
    """

    def __init__(
        self, proxy: str, trust: Callable[[], ssl.SSLContext] = trusted, *, again: bool = False
    ) -> None:
        self._wire = Wire(httpx.URL(proxy), trust)
        self._again = again

    def close(self) -> None:
        """Hang up; the loop needs one more round for it."""
        self._wire.close()

    async def ask(
        self,
        method: str,
        url: httpx.URL,
        headers: Headers,
        *,
        most: Callable[[Head], int],
        until: float,
    ) -> tuple[Head, Body]:
        """The answer, and ``most`` bytes of its body, by ``until`` of the loop's clock.

        A body that does not end in time is what came of it. Raises Unanswered.
        """
        try:
            async with asyncio.timeout_at(until):
                head, connection = await self._begun(method, url, headers)
        except (OSError, ValueError, h11.ProtocolError) as error:
            raise unanswered(error) from error
        try:
            return head, await _read(head, connection, most(head), until)
        finally:
            self._wire.give_back(url, connection)

    async def _begun(
        self, method: str, url: httpx.URL, headers: Headers
    ) -> tuple[Head, Connection]:
        try:
            return await self._wire.ask(method, url, headers)
        except (ConnectionError, h11.RemoteProtocolError):
            if not self._again:
                raise
        return await self._wire.ask(method, url, headers)


async def _read(head: Head, connection: Connection, most: int, until: float) -> Body:
    unpacking = Unpacking(head.headers.get("content-encoding", ""), most)
    ended = False
    with contextlib.suppress(OSError, h11.ProtocolError):
        async with asyncio.timeout_at(until):
            async for piece in connection.body():
                unpacking.take(piece)
                if not unpacking.wants_more:
                    break
            else:
                ended = True
    return Body(unpacking.body, ended and unpacking.complete, unpacking.wire_bytes)


_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Times in seconds, sizes in bytes."""

    body_bytes: int = 5 * _MEBIBYTE
    """Bytes read of one body, packed or unpacked, unless the request says otherwise."""
    answer_s: float = 20.0
    """Time for one address, redirects and bodies included, unless the request says otherwise."""
    hops: int = 10
    """Redirects of one address."""
    headers: int = 256
    """Headers kept of one answer."""
    header_letters: int = 16_384
    """Characters kept of one header's value."""
    address_letters: int = 8_192
    cookies: int = 50
    """Cookies kept of one answer for the hops that follow."""
    at_once: int = 16
    """Addresses requested side by side."""
    per_host: int = 6
    """Addresses of one origin requested side by side, as browsers do."""
    requests: int = 2_000
    """Requests in all, each hop counted."""
    total_s: float = 600.0
    """Time from the opening of the client: no request is begun later."""


Method: TypeAlias = Literal["GET", "HEAD", "OPTIONS"]
"""Those that change nothing (RFC 9110, 9.2.1)."""


@dataclass(frozen=True, slots=True)
class Request:
    """One address, and how to ask for it."""

    url: str
    method: Method = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    """Sent on every hop, in the place of what would be sent under the same name."""
    agent: str | None = None
    """The User-Agent; None for the client's."""
    most_bytes: int | None = None
    """Bytes read of the body; None for the client's bound."""
    follow: bool = True
    """Whether redirects are followed."""
    timeout_s: float | None = None
    """Time for the whole request; None for the client's bound."""


REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OF_A_REDIRECT = 16_384
"""Bytes of its body that are read to keep the connection."""


class Way:
    """Fetches addresses; the credentials of the visit go to its own origin alone, hop by hop."""

    def __init__(
        self, exchange: Exchange, own: Visit, bounds: Bounds, *, agent: str | None, trusted: bool
    ) -> None:
        self._exchange = exchange
        self._headers = RequestHeaders(
            own, over(usual("site check"), _agent(agent)), trusted=trusted
        )
        self._bounds = bounds
        self._left = bounds.requests

    async def fetch(self, request: Request) -> Fetched:
        """What came of it; a site cannot make it raise."""
        trail: list[Answer] = []
        try:
            body = await self._followed(request, trail)
        except Unanswered as error:
            return Fetched(
                url=request.url,
                answers=tuple(trail),
                failure=error.reason,
                refused=error.refused,
                too_large=error.lack in {Lack.TOO_LARGE, Lack.HEAD_TOO_LARGE},
            )
        return Fetched(
            url=request.url,
            answers=tuple(trail),
            body=body.data,
            whole=body.whole,
            wire_bytes=body.wire_bytes,
            text=text(body.data, trail[-1].first("content-type")),
        )

    async def _followed(self, request: Request, trail: list[Answer]) -> Body:
        """The last body; each answer is added to ``trail``. Raises Unanswered."""
        url = read(request.url, self._bounds.address_letters)
        until = asyncio.get_running_loop().time() + (request.timeout_s or self._bounds.answer_s)
        cookies, seen = httpx.Cookies(), set[tuple[str, str]]()
        for _ in range(self._bounds.hops + 1):
            # Sites may redirect to themselves to set a cookie.
            step = state(url, cookies)
            if step in seen:
                raise Unanswered("it redirects in a circle")
            seen.add(step)
            answer, body = await self._hop(request, url, cookies, until)
            trail.append(answer)
            location = answer.first("location") if answer.status in REDIRECTS else ""
            if not location or not request.follow:
                return body
            keep(cookies, answer.url, answer.all("set-cookie"), self._bounds.cookies)
            url = following(url, location, self._bounds.address_letters)
        raise Unanswered("it redirects again and again")

    async def _hop(
        self, request: Request, url: httpx.URL, cookies: httpx.Cookies, until: float
    ) -> tuple[Answer, Body]:
        """Raises Unanswered."""
        if self._left <= 0:
            raise Unanswered("beyond the requests of a scan", Lack.SPENT)
        self._left -= 1
        most = self._bounds.body_bytes if request.most_bytes is None else request.most_bytes

        def wanted(head: Head) -> int:
            redirects = head.status in REDIRECTS and "location" in head.headers
            return min(most, _OF_A_REDIRECT) if redirects else most

        sent = self._headers.to(url, cookies, request.headers, _agent(request.agent))
        head, body = await self._exchange.ask(request.method, url, sent, most=wanted, until=until)
        return self._answer(url, head), body

    def _answer(self, url: httpx.URL, head: Head) -> Answer:
        longest = self._bounds.header_letters
        raw = head.headers.raw[: self._bounds.headers]
        return Answer(
            url=str(url),
            status=head.status,
            headers=tuple(
                (_letters(name).lower(), _letters(value)[:longest]) for name, value in raw
            ),
            took_ms=head.took_ms,
        )


def _agent(agent: str | None) -> Headers:
    return () if agent is None else (("User-Agent", agent),)


def _letters(raw: bytes) -> str:
    """A header as text: UTF-8 where it is that, else its bytes as they are."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
