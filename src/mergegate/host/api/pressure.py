"""How much waits, as it was a moment ago: counting it for each request would slow all of them."""

from collections import Counter
from collections.abc import Callable, Mapping

from mergegate.core.plans import Lane
from mergegate.host.api.problems import busy
from mergegate.host.store import scans
from mergegate.host.store.database import Database

_FRESH_S = 0.25


class Pressure:
    """The backlog of each lane; what this process adds is counted at once."""

    def __init__(
        self,
        database: Database,
        most: Mapping[Lane, int],
        monotonic: Callable[[], float],
    ) -> None:
        """``most`` scans of each lane may wait."""
        self._database = database
        self._most = most
        self._monotonic = monotonic
        self._waiting: Counter[Lane] = Counter()
        self._read_at_s = -_FRESH_S

    async def look(self) -> None:
        """Count anew where the last count is old; raises StoreError when nobody can tell."""
        now_s = self._monotonic()
        if now_s - self._read_at_s >= _FRESH_S:
            self._read_at_s = now_s  # one asks, the others go by what is known
            before = Counter(self._waiting)
            async with self._database.read() as connection:
                counted = Counter(await scans.backlog(connection))
            # What came meanwhile may not be among them; at worst it is, and counts twice so long.
            self._waiting = counted + (self._waiting - before)

    def check(self, lane: Lane) -> None:
        """Raises Refusal when the lane was full at the last look."""
        if self._waiting[lane] >= self._most[lane]:
            raise busy("Too many scans of this kind are waiting.", 10)

    def add(self, lane: Lane) -> None:
        """One more waits."""
        self._waiting[lane] += 1
