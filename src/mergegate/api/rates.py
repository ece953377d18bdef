"""How many requests a key may make: a sliding minute, counted by the second.

A window and no bucket: of sixty requests a minute the sixty-first is refused, however they are
spread. Counts are kept in memory, for an answer must not wait for the database; each process of a
host counts for itself.
"""

import math
from collections import OrderedDict

WINDOW_S = 60
_MOST_KEYS = 50_000


class Rates:
    """Counts requests by key; a refused one does not count."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, dict[int, int]] = OrderedDict()

    def wait_s(self, key_id: str, limit: int | None, now_s: float) -> int:
        """0 when the request may go on, and was counted; else the seconds until one may.

        ``now_s`` is of a clock that never goes back.
        """
        if limit is None:
            return 0
        second = math.floor(now_s)
        counted = self._window(key_id, second)
        if sum(counted.values()) >= limit:
            return min(counted, default=second) + WINDOW_S - second
        counted[second] = counted.get(second, 0) + 1
        return 0

    def _window(self, key_id: str, second: int) -> dict[int, int]:
        """Second → requests in it; keys that were not used for longest are forgotten."""
        counted = self._keys.setdefault(key_id, {})
        self._keys.move_to_end(key_id)
        if len(self._keys) > _MOST_KEYS:
            self._keys.popitem(last=False)
        for old in [one for one in counted if one <= second - WINDOW_S]:
            del counted[old]
        return counted
