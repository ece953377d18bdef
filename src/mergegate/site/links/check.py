"""Check links: each address once, side by side, and those in doubt again in a browser."""

import asyncio
import contextlib
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import httpx

from mergegate.sandbox.egress.destination import Lack
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web.address import Origin, origin
from mergegate.sandbox.web.way import Exchange, trusted
from mergegate.site.browser_test.facts import OUT_OF_TIME, LinkAnswer, LinkAnswers, LinkState
from mergegate.site.links.address import Address, Unasked, anchor, changes_state, is_held, read
from mergegate.site.links.asker import Asker, Failure, Reply, is_html, is_wall
from mergegate.site.links.bounds import Bounds, Reopen, Reopened
from mergegate.site.links.follow import Clock, Follower, Trail
from mergegate.site.links.page import Nowhere, Page, read_page, says_nothing
from mergegate.site.links.verdict import (
    TOO_LONG,
    Found,
    Judged,
    Verdict,
    asks_for_patience,
    judged,
    known,
    of_failure,
    of_reply,
    retry_after_s,
    unasked,
)

_GONE = frozenset({404, 410})
_ROBOTS_ONLY = frozenset({401, 403, 407, 408, 425, 429, 451})
"""What a headless browser may be told, and a visitor not."""
_NOWHERE = frozenset({"net::ERR_TOO_MANY_REDIRECTS", "net::ERR_UNSAFE_REDIRECT"})
"""Failures that do not depend on the day."""


def settled(links: Sequence[Judged], own: Origin, reopen: Reopen, most: int) -> list[Judged]:
    """``links``, with browser verdicts for at most ``most`` doubtful ones, the site's own first."""
    doubtful = [link for link in links if link.verdict.doubtful]
    doubtful.sort(key=lambda link: (not _is_own(link, own), str(link.address.url)))
    urls = list(dict.fromkeys(str(link.address.url) for link in doubtful))[:most]
    opened = reopen(urls) if urls else {}
    return [_settled(link, opened.get(str(link.address.url)), own) for link in links]


def _settled(link: Judged, seen: Reopened | None, own: Origin) -> Judged:
    if seen is None or not link.verdict.doubtful:
        return link
    verdict = _settle_verdict(link, seen, _is_own(link, own))
    found = replace(
        link.found,
        status=link.found.status if seen.status is None else seen.status,
        final_url=seen.final_url or link.found.final_url,
        attempts=link.found.attempts + 1,
    )
    return Judged(link.address, found, verdict)


def _settle_verdict(link: Judged, seen: Reopened, own: bool) -> Verdict:
    if seen.error in _NOWHERE:
        return Verdict(LinkState.DEAD, "it redirects, and a browser gives up on it")
    if seen.status in _GONE:
        return Verdict(LinkState.DEAD, "a browser does not find it either")
    if seen.status is None:
        return replace(link.verdict, doubtful=False)
    if own and 400 <= seen.status < 500 and seen.status not in _ROBOTS_ONLY:
        return Verdict(LinkState.DEAD, "it refuses a browser too")
    if seen.status >= 400 or is_wall(seen.title):
        return replace(link.verdict, doubtful=False)
    return _of_page(link, seen)


def _of_page(link: Judged, seen: Reopened) -> Verdict:
    """The browser shows something."""
    if says_nothing(seen.title) or says_nothing(seen.heading):
        soft = link.verdict.state is LinkState.SOFT_404
        reason = link.verdict.reason if soft else "it says that there is no such page"
        return Verdict(LinkState.SOFT_404, reason)
    if link.anchor and not is_held(link.anchor, seen.anchors):
        return Verdict(LinkState.DEAD, "the page has no such anchor") if seen.whole else TOO_LONG
    return Verdict(LinkState.ALIVE, "it opens in a browser")


def _is_own(link: Judged, own: Origin) -> bool:
    return origin(link.address.url) == own


_BOUNDS = Bounds()
_FIRST_WAIT_S = 0.5
"""Before the second try; it doubles with each further one."""
_LATE = unasked(OUT_OF_TIME)
_MANY = unasked("beyond the links that are checked")
_CHANGES = unasked("asking for it may change something")
_NO_NAMES = Verdict(LinkState.FLAKY, "no name can be looked up from here")


def check_links(
    links: Iterable[str],
    *,
    proxy: str,
    own: Visit,
    anchors: Mapping[str, frozenset[str]] | None = None,
    reopen: Reopen | None = None,
    bounds: Bounds = _BOUNDS,
    trust: ssl.SSLContext | None = None,
    clock: Clock | None = None,
) -> LinkAnswers:
    """One answer for each different link, absolute with its fragment, sorted by address.

    ``proxy`` is the egress. ``own`` is the page that is visited: its credentials go to its
    origin alone, and soft 404s are looked for there alone. ``anchors`` is what the pages hold that
    the browser visited, by their addresses without fragment. ``reopen`` opens what is in doubt.
    ``trust`` vouches for certificates, by default as this machine does. What goes wrong with a
    site is an answer and raises nothing.
    """
    readings = [read(link, bounds.address_letters) for link in dict.fromkeys(links)]
    asked = [reading for reading in readings if isinstance(reading, Address)]
    check = _Check(own, bounds, clock or Clock())
    found = asyncio.run(check.all(_wanted(asked), proxy, _vouching(trust)))
    visited = known(anchors or {})
    results = [judged(one, found.get(str(one.url), _MANY), visited) for one in asked]
    if reopen:
        results = settled(results, origin(httpx.URL(own.url)), reopen, bounds.reopened)
    answers = [result.answer() for result in results]
    answers += [_unasked(reading) for reading in readings if isinstance(reading, Unasked)]
    return LinkAnswers(tuple(sorted(answers, key=lambda answer: answer.url)))


class _Check:
    """One check, from its first request to its last."""

    def __init__(self, own: Visit, bounds: Bounds, clock: Clock) -> None:
        self._own = own
        self._bounds = bounds
        self._clock = clock

    async def all(
        self, wanted: Mapping[httpx.URL, bool], proxy: str, trust: Callable[[], ssl.SSLContext]
    ) -> dict[str, Found]:
        """What was found at each address, within bounds; ``wanted``: whether anchors count."""
        first = list(wanted.items())[: self._bounds.links]
        with contextlib.closing(Exchange(proxy, trust)) as exchange:
            asker = Asker(exchange, self._own, self._bounds)
            follower = Follower(asker, self._bounds, self._clock)
            walk = _Walk(self._own, follower, self._bounds, self._clock)
            # What others make us wait for passes while the site itself is asked.
            first.sort(key=lambda one: follower.is_own(one[0]))
            tasks = {str(url): asyncio.create_task(walk.find(url, page)) for url, page in first}
            if tasks:
                _, late = await asyncio.wait(tasks.values(), timeout=self._bounds.total_s)
                await _dismissed(late)
        found = {url: _LATE if task.cancelled() else task.result() for url, task in tasks.items()}
        return found if follower.names_work else _without_names(found)


class _Walk:
    """Finds out about addresses, each with second tries."""

    def __init__(self, own: Visit, follower: Follower, bounds: Bounds, clock: Clock) -> None:
        self._follower = follower
        self._bounds = bounds
        self._clock = clock
        self._until = clock.now() + bounds.total_s
        self._nowhere = Nowhere(own.url, self._page_at, bounds.probes)

    async def find(self, url: httpx.URL, page: bool) -> Found:
        """What ``url`` answers at last; with ``page`` its anchors are wanted."""
        if self._follower.is_own(url):
            if changes_state(url):
                return _CHANGES
            self._nowhere.expect(url)
        attempt = 1
        while True:
            trail = await self._follower.follow(url, page=page)
            verdict = _verdict(trail)
            if not verdict.again or not await self._may_try_again(trail, attempt):
                return await self._found(trail, verdict, attempt, page)
            attempt += 1

    async def _may_try_again(self, trail: Trail, attempt: int) -> bool:
        """Whether there is another try, after the time that it takes."""
        lane, end = self._follower.lane(trail.url), trail.end
        busy = isinstance(end, Reply) and asks_for_patience(end)
        asked_s = retry_after_s(end, self._clock.wall()) if isinstance(end, Reply) else None
        tries = self._bounds.patience if busy else self._bounds.attempts
        wait_s = _FIRST_WAIT_S * 2 ** (attempt - 1) if asked_s is None else asked_s
        if attempt >= tries or lane.given_up or self._is_too_long(wait_s):
            if isinstance(end, Failure):
                lane.failed(end)
            return False
        if busy:
            lane.hold(wait_s)
        else:
            await self._clock.sleep(wait_s)
        return True

    def _is_too_long(self, wait_s: float) -> bool:
        return wait_s > self._bounds.wait_s or self._clock.now() + wait_s > self._until

    async def _found(self, trail: Trail, verdict: Verdict, attempts: int, page: bool) -> Found:
        end = trail.end
        held: Page | None = None
        if isinstance(end, Reply) and is_html(end.headers):
            held = read_page(end.html)
            verdict = await self._unless_nothing(trail, held, verdict)
        return Found(
            verdict=verdict,
            status=end.status if isinstance(end, Reply) else None,
            final_url=str(trail.url) if isinstance(end, Reply) else "",
            attempts=attempts,
            page=replace(held, text="") if held and page else None,
            whole=not isinstance(end, Reply) or end.whole,
            fragment=trail.fragment,
            lack=end.lack if isinstance(end, Failure) else None,
        )

    async def _unless_nothing(self, trail: Trail, page: Page, verdict: Verdict) -> Verdict:
        if verdict.state is not LinkState.ALIVE or not self._follower.is_own(trail.url):
            return verdict
        reason = await self._nowhere.objection(page, trail.url)
        return Verdict(LinkState.SOFT_404, reason, doubtful=True) if reason else verdict

    async def _page_at(self, url: httpx.URL) -> Reply | None:
        trail = await self._follower.follow(url, page=True)
        return trail.end if isinstance(trail.end, Reply) else None


def _vouching(given: ssl.SSLContext | None) -> Callable[[], ssl.SSLContext]:
    return trusted if given is None else lambda: given


def _verdict(trail: Trail) -> Verdict:
    match trail.end:
        case Reply():
            return of_reply(trail.end)
        case Failure():
            return of_failure(trail.end)
    return trail.end


def _wanted(addresses: Iterable[Address]) -> dict[httpx.URL, bool]:
    """Each address, and whether a link to it names an anchor."""
    wanted: dict[httpx.URL, bool] = {}
    for address in addresses:
        wanted[address.url] = wanted.get(address.url, False) or bool(anchor(address.fragment))
    return wanted


def _without_names(found: Mapping[str, Found]) -> dict[str, Found]:
    """``found`` without verdicts on unknown names, for when no name could be resolved at all."""
    return {
        url: replace(one, verdict=_NO_NAMES) if one.lack is Lack.NO_NAME else one
        for url, one in found.items()
    }


async def _dismissed(tasks: set[asyncio.Task[Found]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _unasked(reading: Unasked) -> LinkAnswer:
    return LinkAnswer(
        url=reading.link, state=LinkState.UNCHECKED, reason=reading.reason, attempts=0
    )
