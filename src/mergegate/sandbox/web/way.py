"""One address through its redirects, each hop judged anew."""

import asyncio
from collections.abc import Sequence

import httpx

from mergegate import __version__
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.sandbox.visit import NONE, Visit
from mergegate.sandbox.web.address import following, origin, read
from mergegate.sandbox.web.decode import text
from mergegate.sandbox.web.exchange import Body, Exchange
from mergegate.sandbox.web.failure import Unanswered
from mergegate.sandbox.web.request import Bounds, Request

_LONGEST = 8_192


def keep(cookies: httpx.Cookies, answer: Answer, most: int) -> None:
    """Take up what ``answer`` sets, ``most`` of it."""
    fields = [value for value in answer.all("set-cookie") if len(value) <= _LONGEST][:most]
    if fields:
        request = httpx.Request("GET", answer.url)
        headers = [("Set-Cookie", value) for value in fields]
        cookies.extract_cookies(httpx.Response(answer.status, headers=headers, request=request))


def crumbs(cookies: httpx.Cookies, url: httpx.URL) -> str:
    """The ``Cookie`` that goes to ``url``; empty when there is none."""
    if not cookies:
        return ""
    request = httpx.Request("GET", url)
    cookies.set_cookie_header(request)
    return str(request.headers.get("Cookie", ""))


def state(cookies: httpx.Cookies) -> str:
    """Tells apart what was asked before and after a cookie changed."""
    return repr(sorted((one.domain, one.path, one.name, one.value) for one in cookies.jar))


_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_USUAL = (
    ("User-Agent", f"Mozilla/5.0 (compatible; Mergegate/{__version__}; site check)"),
    ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
    ("Accept-Language", "en-US,en;q=0.9"),
    ("Accept-Encoding", "gzip, deflate"),
)
"""As a browser asks, under our own name: servers send others to their wall at once."""

Pairs = Sequence[tuple[str, str]]


class Way:
    """Fetches addresses; the credentials of the visit go to its own origin alone, hop by hop."""

    def __init__(
        self, exchange: Exchange, own: Visit, bounds: Bounds, *, agent: str | None, trusted: bool
    ) -> None:
        self._exchange = exchange
        self._own = origin(httpx.URL(own.url))
        self._credentials = own.credentials if trusted else NONE
        self._bounds = bounds
        self._usual = _over(_USUAL, _agent(agent))

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
            _mark(url, cookies, seen)
            answer, body = await self._hop(request, url, cookies, until)
            trail.append(answer)
            location = answer.first("location") if answer.status in _REDIRECTS else ""
            if not location or not request.follow:
                return body
            keep(cookies, answer, self._bounds.cookies)
            url = following(url, location, self._bounds.address_letters)
        raise Unanswered("it redirects again and again")

    async def _hop(
        self, request: Request, url: httpx.URL, cookies: httpx.Cookies, until: float
    ) -> tuple[Answer, Body]:
        most = self._bounds.body_bytes if request.most_bytes is None else request.most_bytes
        left = until - asyncio.get_running_loop().time()
        if left <= 0:
            raise Unanswered("it does not answer in time")
        try:
            hop = httpx.Request(
                request.method,
                url,
                headers=self._headers(request, url, cookies),
                extensions={"timeout": httpx.Timeout(left).as_dict()},
            )
        except (httpx.InvalidURL, ValueError) as error:
            raise Unanswered("the address cannot be asked for") from error
        return await self._exchange.ask(hop, most, until)

    def _headers(self, request: Request, url: httpx.URL, cookies: httpx.Cookies) -> Pairs:
        """The usual ones, over them those of the visit, over them those of the request."""
        given = self._credentials if origin(url) == self._own else NONE
        ours = [pair for pair in given.headers if pair[0].lower() != "cookie"]
        jar = [value for name, value in given.headers if name.lower() == "cookie"]
        jar += [f"{name}={value}" for name, value in given.cookies]
        jar += [crumbs(cookies, url)]
        sent = _over(_over(self._usual, ours), request.headers)
        kept = "; ".join(filter(None, jar))
        return [*_over(sent, _agent(request.agent)), *([("Cookie", kept)] if kept else [])]


def _mark(url: httpx.URL, cookies: httpx.Cookies, seen: set[tuple[str, str]]) -> None:
    """Sites may redirect to themselves to set a cookie; what else goes round is Unanswered."""
    step = str(url), state(cookies)
    if step in seen:
        raise Unanswered("it redirects in a circle")
    seen.add(step)


def _agent(agent: str | None) -> Pairs:
    return () if agent is None else (("User-Agent", agent),)


def _over(lower: Pairs, upper: Pairs) -> Pairs:
    """Both, less those of ``lower`` that ``upper`` names too."""
    names = {name.lower() for name, _ in upper}
    return [*(pair for pair in lower if pair[0].lower() not in names), *upper]
