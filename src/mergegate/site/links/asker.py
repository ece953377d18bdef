"""Send one request through the proxy: an answer, read as far as is of use, or why there is none."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from mergegate.core.data_table import read_table
from mergegate.sandbox.egress.destination import Lack
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web.address import BROKEN_OFF, HUNG_UP, Unanswered
from mergegate.sandbox.web.decode import text
from mergegate.sandbox.web.way import REDIRECTS, Exchange
from mergegate.sandbox.web.wire import Head, RequestHeaders, keep, usual
from mergegate.site.links.bounds import Bounds


@dataclass(frozen=True, slots=True)
class _Wall:
    """An entry of ``walls.toml``: headers, and what they hold in small letters."""

    owner: str
    alone: Mapping[str, str] = field(default_factory=dict)
    before_pages: Mapping[str, str] = field(default_factory=dict)


_WALLS = read_table(Path(__file__).with_name("walls.toml"), _Wall, "owner").values()
_MARKERS = [(name, word, one.owner) for one in _WALLS for name, word in one.alone.items()]
_GATES = [(name, word, one.owner) for one in _WALLS for name, word in one.before_pages.items()]
_TURNED_AWAY = frozenset({403, 405, 406, 429, 503})
_DATADOME_SCORE = "x-datadome"
_TITLE = re.compile(
    r"just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|robot check"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|security check"
    r"|pardon our interruption|ddos-guard|un instant|einen moment",
    re.IGNORECASE,
)


def wall(status: int, headers: httpx.Headers) -> str:
    """Whose wall answered; empty when none did."""
    signs = _MARKERS + _GATES if status in _TURNED_AWAY else _MARKERS
    for name, word, owner in signs:
        value = str(headers.get(name, ""))
        if value and word in value.lower() and not _is_pass(name, status):
            return owner
    return ""


def is_wall(title: str) -> bool:
    """Whether a page with this title asks who is there rather than to show something."""
    return bool(_TITLE.search(title))


def _is_pass(name: str, status: int) -> bool:
    """DataDome also marks what it lets through."""
    return name == _DATADOME_SCORE and status not in _TURNED_AWAY


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without an answer."""

    lack: Lack
    reason: str
    """One clause of our own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, its body as far as it was read."""

    status: int
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: bytes = b""
    """Unpacked; empty when it is of no use."""
    whole: bool = True
    """Whether the body is all there."""

    @property
    def location(self) -> str | None:
        """The target of a redirect; None for other answers."""
        return self.headers.get("location") if self.status in REDIRECTS else None

    @property
    def well(self) -> bool:
        """Whether it answers what was asked, or says where the answer is."""
        return self.status < 300 or self.status == 304 or bool(self.location)

    @property
    def html(self) -> str:
        """The page, when it is one and was read; empty otherwise."""
        return text(self.body, self.headers["content-type"]) if is_html(self.headers) else ""


def is_html(headers: httpx.Headers) -> bool:
    """Whether the answer is a page."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind in {"text/html", "application/xhtml+xml"}


_WORTH_READING = 64 * 1024
"""Bytes of an answer that are read to keep its connection."""
_COOKIES = 50
"""Kept of one answer for the rest of the way."""


class Asker:
    """Asks on kept connections, each time through the proxy."""

    def __init__(self, exchange: Exchange, own: Visit, bounds: Bounds) -> None:
        self._exchange = exchange
        self._headers = RequestHeaders(own, usual("link check"))
        self._bounds = bounds
        self._asked = 0

    def is_own(self, url: httpx.URL) -> bool:
        """Whether ``url`` is of the origin of the visit."""
        return self._headers.is_own(url)

    async def ask(self, method: str, url: httpx.URL, cookies: httpx.Cookies) -> Reply | Failure:
        """What ``url`` answers; ``cookies`` are sent, and take up what a redirect sets.

        The credentials of the visit go to its own origin alone.
        """
        if self._asked >= self._bounds.requests:
            return Failure(Lack.SPENT, "beyond the requests of the check")
        self._asked += 1
        patience_s = self._bounds.head_s if method == "HEAD" else self._bounds.answer_s
        until = asyncio.get_running_loop().time() + patience_s
        sent = self._headers.to(url, cookies)
        try:
            head, body = await self._exchange.ask(method, url, sent, most=self._wanted, until=until)
        except Unanswered as error:
            return _failure(error)
        reply = Reply(status=head.status, headers=head.headers, body=body.data, whole=body.whole)
        if reply.location:
            keep(cookies, str(url), head.headers.get_list("set-cookie"), _COOKIES)
        return reply

    def _wanted(self, head: Head) -> int:
        return self._bounds.page_bytes if is_html(head.headers) else _WORTH_READING


def _failure(error: Unanswered) -> Failure:
    """A person who follows a link asks less closely what is wrong."""
    reason = HUNG_UP if error.reason == BROKEN_OFF else error.reason
    if error.lack is Lack.BAD_CERTIFICATE:
        reason = "its certificate has expired, names another host or vouches for itself"
    return Failure(error.lack, reason)
