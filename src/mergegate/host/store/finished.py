"""Scans that are over, so that a long result is not fetched again for everybody who asks again."""

import datetime as dt
import sys
from collections import OrderedDict
from dataclasses import dataclass

from mergegate.host.scan import Scan

MOST_BYTES = 32 << 20
_SHARE = 8
"""No scan takes more than that part of the room."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A scan as it was read; a finished one never changes, so one finished then is this one."""

    scan: Scan
    finished_at: str | dt.datetime
    """As the driver reads it, and takes it back."""
    size: int
    """Bytes, more or less."""


class Finished:
    """Those that were asked for last. It says what a scan holds, never that it is still there.

    That, and whose it is, the database is asked each time.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._left = most_bytes
        self._largest = most_bytes // _SHARE

    def find(self, id: str) -> Kept | None:
        """As it was last read."""
        kept = self._kept.get(id)
        if kept is not None:
            self._kept.move_to_end(id)
        return kept

    def keep(self, scan: Scan, finished_at: str | dt.datetime) -> None:
        """In place of those that were not asked for longest."""
        self.forget(scan.id)
        kept = Kept(scan, finished_at, _size(scan))
        if kept.size > self._largest:
            return
        self._kept[scan.id] = kept
        self._left -= kept.size
        while self._left < 0:
            self.forget(next(iter(self._kept)))

    def forget(self, id: str) -> None:
        """It is gone."""
        kept = self._kept.pop(id, None)
        if kept is not None:
            self._left += kept.size


_BESIDE_BYTES = 2_000
"""The values around its texts."""


def _size(scan: Scan) -> int:
    result = scan.outcome.result if scan.outcome else None
    return _BESIDE_BYTES + sys.getsizeof(scan.request) + sys.getsizeof(result)
