"""How much a host takes on: requests of each key in a minute, and waiting scans of each lane.

Both are counted in memory, since an answer must not wait for the database; the database tells a
moment later what the other processes of the host have counted.
"""

import asyncio
import math
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress

from mergegate.core.errors import StoreError
from mergegate.core.plans import Lane
from mergegate.host.api.problems import busy
from mergegate.host.store import scans, usage
from mergegate.host.store.database import Database
from mergegate.host.store.usage import Use

WINDOW_S = 60
_MOST_KEYS = 50_000
_UNUSED = Use(0, math.inf)
_EXCHANGE_S = 1.0
_EXCHANGES_TO_PURGE = 60
_IDLE = Use(0, 0.0)
_FRESH_S = 0.25


class RateLimits:
    """Counts the requests of each key in a sliding minute, by the second; refused ones are not.

    A window and no token bucket: of sixty requests a minute the sixty-first is refused, however
    they are spread.
    """

    def __init__(self) -> None:
        self._keys: OrderedDict[str, dict[int, int]] = OrderedDict()
        self._elsewhere: Mapping[str, Use] = {}
        self._heard_at = 0

    def wait_s(self, key_id: str, limit: int | None, now_s: float) -> int:
        """0 when the request may go on, and was counted; else the seconds until one may.

        ``now_s`` is of a monotonic clock.
        """
        if limit is None:
            return 0
        second = math.floor(now_s)
        counted = self._window(key_id, second)
        elsewhere = self._elsewhere.get(key_id, _UNUSED)
        if sum(counted.values()) + elsewhere.requests >= limit:
            here = min(counted, default=second) + WINDOW_S
            wait_s = min(here, self._heard_at + elsewhere.frees_in_s) - second
            return min(WINDOW_S, max(1, math.ceil(wait_s)))
        counted[second] = counted.get(second, 0) + 1
        return 0

    def used(self, now_s: float) -> Mapping[str, Use]:
        """Key → what this process has counted; forgets keys without a request in the window."""
        second = math.floor(now_s)
        for key_id in [id for id, one in self._keys.items() if not self._current(one, second)]:
            del self._keys[key_id]
        return {
            key_id: Use(sum(counted.values()), min(counted) + WINDOW_S - second)
            for key_id, counted in self._keys.items()
        }

    def hear(self, elsewhere: Mapping[str, Use], now_s: float) -> None:
        """Take over what the other processes have counted, by key; it replaces what was heard."""
        self._elsewhere, self._heard_at = elsewhere, math.floor(now_s)

    def _window(self, key_id: str, second: int) -> dict[int, int]:
        """Second → requests in it; drops the key used longest ago when there are too many."""
        counted = self._keys.setdefault(key_id, {})
        self._keys.move_to_end(key_id)
        if len(self._keys) > _MOST_KEYS:
            self._keys.popitem(last=False)
        return self._current(counted, second)

    @staticmethod
    def _current(counted: dict[int, int], second: int) -> dict[int, int]:
        for old in [one for one in counted if one <= second - WINDOW_S]:
            del counted[old]
        return counted


class SharedRates:
    """Exchanges counts with the other processes of a host; a host of one process needs none."""

    def __init__(
        self, database: Database, counted: RateLimits, monotonic: Callable[[], float]
    ) -> None:
        self._database = database
        self._counted = counted
        self._monotonic = monotonic
        self._process = secrets.token_hex(8)
        self._told: Mapping[str, tuple[int, float]] = {}
        self._exchanges = 0

    async def run(self) -> None:
        """Exchange every second until cancelled; after a StoreError the next exchange tells all."""
        while True:
            with suppress(StoreError):
                await self.exchange()
            await asyncio.sleep(_EXCHANGE_S)

    async def exchange(self) -> None:
        """Tell what has changed, and hear what the others counted; raises StoreError."""
        second = math.floor(self._monotonic())
        used = self._counted.used(second)
        stand = {id: (one.requests, second + one.frees_in_s) for id, one in used.items()}
        if news := self._news(used, stand):
            async with self._database.change() as connection:
                await usage.share_requests(connection, self._process, news)
        self._told = stand
        async with self._database.read() as connection:
            self._counted.hear(
                await usage.requests_elsewhere(connection, self._process), self._monotonic()
            )
        await self._purge()

    def _news(
        self, used: Mapping[str, Use], stand: Mapping[str, tuple[int, float]]
    ) -> Mapping[str, Use]:
        """What the others do not know yet; that a key is idle is told once.

        A key that is used as often as before is told again once its oldest request has changed.
        """
        gone = {key_id: _IDLE for key_id in self._told if key_id not in used}
        changed = {id: one for id, one in used.items() if self._told.get(id) != stand[id]}
        return {**gone, **changed}

    async def _purge(self) -> None:
        self._exchanges += 1
        if self._exchanges % _EXCHANGES_TO_PURGE == 0:
            async with self._database.change() as connection:
                await usage.purge_rates(connection)


class Backpressure:
    """The backlog of each lane as it was a moment ago; what this process adds counts at once.

    Counting the backlog for each request would slow all of them.
    """

    def __init__(
        self, database: Database, most: Mapping[Lane, int], monotonic: Callable[[], float]
    ) -> None:
        """``most`` scans of each lane may wait."""
        self._database = database
        self._most = most
        self._monotonic = monotonic
        self._waiting: Counter[Lane] = Counter()
        self._counted_at_s = -_FRESH_S

    async def refresh(self) -> None:
        """Count again when the last count is old; raises StoreError."""
        now_s = self._monotonic()
        if now_s - self._counted_at_s >= _FRESH_S:
            self._counted_at_s = now_s  # one request counts, the others use the last count
            before = Counter(self._waiting)
            async with self._database.read() as connection:
                counted = Counter(await scans.backlog(connection))
            # Scans added meanwhile may be missing from the count; at worst they count twice.
            self._waiting = counted + (self._waiting - before)

    def check(self, lane: Lane) -> None:
        """Raises Refusal when the lane was full at the last count."""
        if self._waiting[lane] >= self._most[lane]:
            raise busy("Too many scans of this kind are waiting.", 10)

    def add(self, lane: Lane) -> None:
        """One more scan waits."""
        self._waiting[lane] += 1
