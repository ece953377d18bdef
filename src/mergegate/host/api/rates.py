"""How many requests a key may make: a sliding minute, counted by the second.

A window and no bucket: of sixty requests a minute the sixty-first is refused, however they are
spread. Counts are kept in memory, for an answer must not wait for the database; what other
processes of the host have counted is heard a moment later (:mod:`.sharing`).
"""

import math
from collections import OrderedDict
from collections.abc import Mapping

from mergegate.host.store.rates import Use

WINDOW_S = 60
_MOST_KEYS = 50_000
_NEVER = Use(0, math.inf)


class Rates:
    """Counts requests by key; a refused one does not count."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, dict[int, int]] = OrderedDict()
        self._elsewhere: Mapping[str, Use] = {}
        self._heard_at = 0

    def wait_s(self, key_id: str, limit: int | None, now_s: float) -> int:
        """0 when the request may go on, and was counted; else the seconds until one may.

        ``now_s`` is of a clock that never goes back.
        """
        if limit is None:
            return 0
        second = math.floor(now_s)
        counted = self._window(key_id, second)
        elsewhere = self._elsewhere.get(key_id, _NEVER)
        if sum(counted.values()) + elsewhere.requests >= limit:
            here = min(counted, default=second) + WINDOW_S
            return _within_window(min(here, self._heard_at + elsewhere.frees_in_s) - second)
        counted[second] = counted.get(second, 0) + 1
        return 0

    def used(self, now_s: float) -> Mapping[str, Use]:
        """Key → what was counted here; keys that rest are forgotten."""
        second = math.floor(now_s)
        for key_id in [id for id, one in self._keys.items() if not self._current(one, second)]:
            del self._keys[key_id]
        return {
            key_id: Use(sum(counted.values()), min(counted) + WINDOW_S - second)
            for key_id, counted in self._keys.items()
        }

    def hear(self, elsewhere: Mapping[str, Use], now_s: float) -> None:
        """Key → what other processes have counted, in place of what was heard before."""
        self._elsewhere, self._heard_at = elsewhere, math.floor(now_s)

    def _window(self, key_id: str, second: int) -> dict[int, int]:
        """Second → requests in it; keys that were not used for longest are forgotten."""
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


def _within_window(wait_s: float) -> int:
    return min(WINDOW_S, max(1, math.ceil(wait_s)))
