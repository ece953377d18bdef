"""Follow an address through its redirects, each hop judged and paced on its own."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from ipaddress import ip_address

import httpx

from mergegate.sandbox.egress.destination import Lack
from mergegate.sandbox.web.address import Origin, objection, origin
from mergegate.sandbox.web.wire import state
from mergegate.site.browser_test.facts import LinkState
from mergegate.site.links.address import changes_state, fragment_of, without_fragment
from mergegate.site.links.asker import Asker, Failure, Reply
from mergegate.site.links.bounds import Bounds
from mergegate.site.links.verdict import Verdict


class Clock:
    """Tells the time, and lets it pass: the machine's own."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        await asyncio.sleep(seconds)


_FIRST_GAP_S = 0.05
_NARROWEST_GAP_S = 0.005
_WIDEST_GAP_S = 1.6
_SILENCES = 6
"""Time-outs in a row after which the rest is not waited for."""
_OF_THE_HOST = frozenset({Lack.NO_NAME, Lack.NO_CONNECTION, Lack.BAD_CERTIFICATE})
"""What is as true of the next address of this origin."""


class Lane:
    """The turns of one origin: more side by side while it answers well, fewer once it complains."""

    def __init__(self, width: int, widest: int, clock: Clock) -> None:
        self._turns = asyncio.Semaphore(width)
        self._width = width
        self._widest = widest
        self._surplus = 0
        """Turns to take back as they end."""
        self._clock = clock
        self._gap_s = 0.0
        self._not_before = 0.0
        self._held_until = 0.0
        self._silences = 0
        self.heads = True
        """Whether its answers to HEAD were worth having."""
        self.given_up: Failure | None = None
        """What to believe of every further address."""

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until one may ask."""
        await self._turns.acquire()
        try:
            while (wait := self._not_before - self._clock.now()) > 0:
                await self._clock.sleep(wait)
            self._not_before = max(self._not_before, self._clock.now() + self._gap_s)
            yield
        finally:
            self._end_turn()

    def hold(self, seconds: float) -> None:
        """Pause requests to the origin for ``seconds``, then send fewer and more slowly."""
        now = self._clock.now()
        if now >= self._held_until:  # others that were under way then are told the same
            self._gap_s = min(max(self._gap_s * 2, _FIRST_GAP_S), _WIDEST_GAP_S)
            self._surplus += self._width // 2
            self._width -= self._width // 2
        self._held_until = max(self._held_until, now + seconds)
        self._not_before = max(self._not_before, self._held_until)

    def heard(self, answer: Reply | Failure) -> None:
        """One request is over."""
        silent = isinstance(answer, Failure) and answer.lack is Lack.SLOW
        self._silences = self._silences + 1 if silent else 0
        if isinstance(answer, Failure):
            self.given_up = answer if self._silences >= _SILENCES else self.given_up
        elif answer.status < 400:
            self._quicken()

    def failed(self, failure: Failure) -> None:
        """Record that all tries for one address ended in ``failure``."""
        if failure.lack in _OF_THE_HOST:
            self.given_up = failure

    def _quicken(self) -> None:
        self._gap_s = self._gap_s / 2 if self._gap_s > _NARROWEST_GAP_S else 0.0
        if self._width < self._widest:
            self._width += 1
            self._turns.release()

    def _end_turn(self) -> None:
        if self._surplus:
            self._surplus -= 1
        else:
            self._turns.release()


_UNSAFE = frozenset({"javascript", "data", "file", "blob", "about"})
"""No browser follows a redirect there."""
_WORTH_A_GET = frozenset({Lack.SLOW, Lack.BROKEN})
"""What a HEAD alone may suffer from."""
_LOCAL = (".localhost", ".local", ".internal", ".lan", ".test", ".invalid")
"""Endings of names that no name server is asked for."""


@dataclass(frozen=True, slots=True)
class Trail:
    """What an address led to."""

    url: httpx.URL
    """The last one that was asked."""
    end: Reply | Failure | Verdict
    """What it answered, or why it was not asked."""
    fragment: str | None = None
    """What a redirect put in the place of the link's fragment; None when it kept it."""


class Follower:
    """Follows addresses, many at once."""

    def __init__(self, asker: Asker, bounds: Bounds, clock: Clock) -> None:
        self._asker = asker
        self._bounds = bounds
        self._clock = clock
        self._lanes: dict[Origin, Lane] = {}
        self._slots = asyncio.Semaphore(bounds.at_once)
        self.names_work = False
        """Whether any host was reached by a name that has to be looked up."""

    def lane(self, url: httpx.URL) -> Lane:
        """The turns of the origin of ``url``."""
        there = origin(url)
        if there not in self._lanes:
            self._lanes[there] = Lane(self._bounds.per_host, self._bounds.widest, self._clock)
        return self._lanes[there]

    def is_own(self, url: httpx.URL) -> bool:
        """Whether ``url`` is of the site that is visited."""
        return self._asker.is_own(url)

    async def follow(self, url: httpx.URL, *, page: bool) -> Trail:
        """The end of the redirects of ``url``; ``page`` asks for its text too."""
        cookies, seen, fragment = httpx.Cookies(), set[tuple[str, str]](), None
        for _ in range(self._bounds.hops + 1):
            stop = self._stop(url, cookies, seen)
            answer = stop or await self._hop(url, page, cookies)
            if not isinstance(answer, Reply) or answer.location is None:
                return Trail(url, answer, fragment)
            following = _joined(url, answer.location, self._bounds.address_letters)
            if isinstance(following, Verdict):
                return Trail(url, following, fragment)
            fragment = fragment_of(str(following)) or fragment
            url = without_fragment(following)
        return Trail(url, Verdict(LinkState.FLAKY, "it redirects again and again", doubtful=True))

    def _stop(
        self, url: httpx.URL, cookies: httpx.Cookies, seen: set[tuple[str, str]]
    ) -> Verdict | None:
        """Why ``url`` is not asked; some sites redirect to themselves once they set a cookie."""
        step = state(url, cookies)
        reason = objection(url)
        if reason:
            return Verdict(LinkState.UNCHECKED, f"it redirects: {reason}")
        if self.is_own(url) and changes_state(url):
            return Verdict(LinkState.UNCHECKED, "asking for it may change something")
        if step in seen:
            return Verdict(LinkState.FLAKY, "it redirects in a circle", doubtful=True)
        seen.add(step)
        return None

    async def _hop(self, url: httpx.URL, page: bool, cookies: httpx.Cookies) -> Reply | Failure:
        lane = self.lane(url)
        if lane.given_up:
            return lane.given_up
        async with lane.turn(), self._slots:
            if lane.given_up:
                return lane.given_up
            answer = await self._asked(url, page or self.is_own(url) or not lane.heads, cookies)
        lane.heard(answer)
        if isinstance(answer, Reply):
            self.names_work = self.names_work or _is_name(url.host)
        return answer

    async def _asked(self, url: httpx.URL, whole: bool, cookies: httpx.Cookies) -> Reply | Failure:
        """A HEAD moves less; but only its good news is believed, for it brings no reasons."""
        if not whole:
            answer = await self._asker.ask("HEAD", url, cookies)
            if not _is_worth_a_get(answer):
                return answer
        full = await self._asker.ask("GET", url, cookies)
        if not whole and isinstance(full, Reply) and full.well:
            self.lane(url).heads = False
        return full


def _is_worth_a_get(answer: Reply | Failure) -> bool:
    """Whether a HEAD was answered as a GET may not be; who is asked too much is not asked again."""
    if isinstance(answer, Reply):
        return not answer.well and answer.status != 429
    return answer.lack in _WORTH_A_GET


def _joined(url: httpx.URL, location: str, longest: int) -> httpx.URL | Verdict:
    """The target of a redirect, or the verdict on one that cannot be followed."""
    following = None
    if len(location) > longest:
        return Verdict(LinkState.UNCHECKED, "it redirects to an address that is too long")
    with contextlib.suppress(httpx.InvalidURL, ValueError):
        following = url.join(location)
    if following is None or (following.scheme in {"http", "https"} and not following.host):
        return Verdict(LinkState.DEAD, "it redirects to an address that cannot be read")
    if following.scheme in _UNSAFE:
        return Verdict(LinkState.DEAD, "it redirects to an address that no browser follows")
    return following


def _is_name(host: str) -> bool:
    """Whether a name server must have known ``host``."""
    with contextlib.suppress(ValueError):
        ip_address(host)
        return False
    return "." in host and not host.endswith(_LOCAL)
