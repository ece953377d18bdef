"""Send one request through the proxy, and read no more of the answer than is of use."""

import asyncio

import httpx

from mergegate.sandbox.egress.destination import Lack
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web.address import BROKEN_OFF, HUNG_UP, Unanswered
from mergegate.sandbox.web.way import Exchange
from mergegate.sandbox.web.wire import Head, RequestHeaders, keep, usual
from mergegate.site.links.answer import Failure, Reply, is_html
from mergegate.site.links.bounds import Bounds

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
