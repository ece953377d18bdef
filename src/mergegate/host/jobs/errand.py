"""One scan from the moment a worker takes it up to its single outcome."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mergegate.core.errors import StoreError
from mergegate.core.failure import Failed
from mergegate.host.jobs import farewell
from mergegate.host.jobs.means import Clock
from mergegate.host.jobs.port import Carrier
from mergegate.host.scan import Outcome, Scan
from mergegate.host.store import scans
from mergegate.host.store.database import Database

_log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

TIMED_OUT = Failed("SCAN_TIMEOUT", "The scan took longer than it may.")
OUR_MISTAKE = Failed("INTERNAL", "The scan ended in a mistake of Mergegate's own.")
NO_ROOM = Failed("INTERNAL", "The scan was done, but its result could not be stored.")

_LETTING_GO_S = 30.0
"""What a carrier may take to end its processes before we stop waiting for it."""
_ROOM_WITHIN_S = 20.0
"""How long a result is offered before the failure to store it is offered beside it."""
_LONGEST_PAUSE_S = 2.0


class Errand:
    """Begins, carries, settles; the database may be away for any part of it."""

    def __init__(self, database: Database, carrier: Carrier, worker: str, clock: Clock) -> None:
        self._database = database
        self._carrier = carrier
        self._worker = worker
        self._clock = clock

    async def run(self, scan_id: str, timeout_s: float) -> None:
        """Returns when the scan is settled, by us or before us.

        Cancelled, it ends the carrier and leaves the scan to whoever takes it up next.
        """
        scan = await patiently(f"scan {scan_id} cannot begin", lambda: self._begin(scan_id))
        if scan is not None:
            await self._settle(scan_id, await self._carry(scan, timeout_s))
        elif farewell.is_owed(scan_id):
            await self._take_leave(scan_id, timeout_s)

    async def _take_leave(self, scan_id: str, timeout_s: float) -> None:
        """Its row stays as it is, whatever this comes to."""
        what = f"scan {scan_id} cannot be taken leave of"
        scan = await patiently(what, lambda: self._called_off(scan_id))
        if scan is not None:
            await self._carry(scan, timeout_s)

    async def _called_off(self, scan_id: str) -> Scan | None:
        async with self._database.read() as conn:
            return await farewell.called_off(conn, scan_id)

    async def _begin(self, scan_id: str) -> Scan | None:
        async with self._database.change() as conn:
            return await scans.begin(conn, scan_id, self._worker, self._clock())

    async def _carry(self, scan: Scan, timeout_s: float) -> Outcome:
        """By a clock that nobody sets: jumps of the wall clock end no scan."""
        task = asyncio.ensure_future(self._carrier(scan))
        try:
            in_time, _ = await asyncio.wait({task}, timeout=timeout_s)
        finally:
            await _end(task, scan.id)
        return _told(task, scan.id) if in_time else TIMED_OUT

    async def _settle(self, scan_id: str, outcome: Outcome) -> None:
        patience = time.monotonic() + _ROOM_WITHIN_S

        async def attempt() -> None:
            try:
                await self._write(scan_id, outcome)
            except StoreError:
                if time.monotonic() < patience:
                    raise
                # A full disk may still take a line where it does not take a report.
                await self._write(scan_id, NO_ROOM)

        await patiently(f"scan {scan_id} cannot be settled", attempt)

    async def _write(self, scan_id: str, outcome: Outcome) -> None:
        async with self._database.change() as conn:
            first = await scans.settle(conn, scan_id, outcome, self._clock())
        if not first:
            _log.info("scan %s was settled before", scan_id)


async def patiently(
    what: str, attempt: Callable[[], Awaitable[Answer]], refusal: type[StoreError] = StoreError
) -> Answer:
    """Try again for as long as the database refuses; ``what`` is then said in the log."""
    pause_s = 0.1
    while True:
        try:
            return await attempt()
        except refusal as error:
            _log.warning("%s yet: %s", what, error)
        await asyncio.sleep(pause_s * random.uniform(0.5, 1))  # noqa: S311 - not a secret
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


async def _end(task: asyncio.Future[Outcome], scan_id: str) -> None:
    """Cancel it unless it is done, and wait until what it started is gone."""
    if task.done():
        return
    task.cancel()
    await asyncio.wait({task}, timeout=_LETTING_GO_S)
    if not task.done():
        _log.error("scan %s does not let go of its slot", scan_id)


def _told(task: asyncio.Future[Outcome], scan_id: str) -> Outcome:
    """What a carrier that ended by itself says."""
    if task.cancelled():
        _log.error("the carrier of scan %s gave up", scan_id)
        return OUR_MISTAKE
    if error := task.exception():
        _log.error("the carrier of scan %s failed", scan_id, exc_info=error)
        return OUR_MISTAKE
    return task.result()
