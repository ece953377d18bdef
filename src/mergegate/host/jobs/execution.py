"""One scan in the hands of a worker, from its claim to its single outcome."""

import asyncio
import datetime as dt
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from mergegate.core.errors import Failed, StoreError
from mergegate.core.plans import Tool
from mergegate.host.scan import Outcome, Scan
from mergegate.host.store import leases, scans
from mergegate.host.store.database import Database
from mergegate.host.store.endings import COMPLETED, Ended

LIMITS_S: Mapping[Tool, float] = {
    Tool.REPOSITORY: 900.0,
    Tool.CHANGE: 900.0,
    Tool.SEO: 180.0,
    Tool.AUDIT: 120.0,
    Tool.BROWSER_TEST: 300.0,
    Tool.SECURITY_SCAN: 120.0,
}
"""How long a worker may be busy with one scan, anew at each try; the wait is not in it."""
TRIES = 3
"""A scan whose worker died so often is not tried again."""
RETENTION = dt.timedelta(days=90)
"""How long results are kept unless a host says otherwise (decisions, every endpoint)."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """How often a worker does what it does, in seconds."""

    heartbeat_s: float = 5.0
    """It says that it is alive, and looks for workers that are not."""
    ttl_s: float = 20.0
    """A worker without a heartbeat for that long is taken for dead, one more beat later."""
    poll_s: float = 0.2
    """It looks for work. Of many workers each may look less often: one second."""
    watch_s: float = 1.0
    """It looks whether a scan of its own was cancelled or taken over."""
    schedule_s: float = 10.0
    """It looks for scans that are due by a schedule."""
    purge_s: float = 60.0
    """It deletes what is older than it may be."""
    review_s: float = 600.0
    """It looks whether a wrong clock has put schedules off."""


USUAL = Intervals()
ALONE = Intervals(poll_s=2.0)
"""For a worker that is woken by each scan that is submitted: other changes can wait."""


_log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Clock = Callable[[], dt.datetime]
"""Now, in UTC."""
Executor = Callable[[Scan], Awaitable[Outcome]]
"""Executes a scan, in a process of its own that ends when the awaiting task is cancelled.

Of a change that was cancelled, which its ``outcome`` says, it only tells the forge.
An exception is a mistake of ours: it becomes ``INTERNAL``, and its text goes to the log alone.
"""

TIMED_OUT = Failed("SCAN_TIMEOUT", "The scan took longer than it may.")
OUR_MISTAKE = Failed("INTERNAL", "The scan ended in a mistake of Mergegate's own.")
NO_ROOM = Failed("INTERNAL", "The scan was done, but its result could not be stored.")

_LETTING_GO_S = 30.0
"""What an executor may take to end its processes before we stop waiting for it."""
_ROOM_WITHIN_S = 20.0
"""How long a result is offered before the failure to store it is offered beside it."""
_LONGEST_PAUSE_S = 2.0


class ScanRun:
    """Executes a claimed scan and settles it; the database may be away for any part of it."""

    def __init__(
        self, scan: Scan, database: Database, executor: Executor, worker: str, clock: Clock
    ) -> None:
        self.scan = scan
        """As it was claimed; with an outcome when its forge is only to be told of that."""
        self.is_executed = False
        """Whether nothing is left to do but to store what became of it."""
        self._database = database
        self._executor = executor
        self._worker = worker
        self._clock = clock

    async def run(self, timeout_s: float) -> None:
        """Returns when the scan is settled, by us or before us.

        Cancelled, it ends the executor and leaves the scan to the worker that claims it next.
        """
        if self.scan.outcome is None:
            outcome = await self._execute(timeout_s)
            self.is_executed = True
            await self._settle(outcome)
        else:
            await self._notify(timeout_s)

    async def _notify(self, timeout_s: float) -> None:
        """Tell the forge that the change was cancelled; the row stays, whatever comes of it."""
        what = f"scan {self.scan.id} cannot be taken leave of"
        if not await retrying(what, self._is_superseded):
            await self._execute(timeout_s)
        await retrying(what, self.notified)

    async def _is_superseded(self) -> bool:
        async with self._database.read() as conn:
            return await leases.is_superseded(conn, self.scan.id)

    async def notified(self) -> None:
        """Note that the forge was told. Raises StoreError."""
        async with self._database.change() as conn:
            await leases.notified(conn, self.scan.id, self._worker)

    async def _execute(self, timeout_s: float) -> Outcome:
        """By the monotonic clock: jumps of the wall clock end no scan."""
        task = asyncio.ensure_future(self._executor(self.scan))
        try:
            in_time, _ = await asyncio.wait({task}, timeout=timeout_s)
        finally:
            await _end(task, self.scan.id)
        return _told(task, self.scan.id) if in_time else TIMED_OUT

    async def _settle(self, outcome: Outcome) -> None:
        what, patience = f"scan {self.scan.id} cannot be settled", time.monotonic() + _ROOM_WITHIN_S

        async def attempt() -> None:
            try:
                await self._write(outcome)
            except StoreError:
                if time.monotonic() < patience:
                    raise
                # A full disk may still take a line where it does not take a report.
                await self._write(NO_ROOM)

        try:
            await retrying(what, attempt)
        except Exception:  # the database answers, and takes no such value
            _log.exception(what)
            await retrying(what, lambda: self._write(OUR_MISTAKE))

    async def _write(self, outcome: Outcome) -> None:
        """The first outcome counts; what was cancelled meanwhile has told its forge itself."""
        async with self._database.change() as conn:
            ended = await scans.settle(conn, self.scan.id, outcome, self._clock())
            if ended is None:
                _log.info("scan %s was settled before", self.scan.id)
                await leases.notified(conn, self.scan.id, self._worker)
        if ended is not None:
            tell(ended, self.scan.account_id)


def tell(ended: Ended, account_id: str | None = None) -> None:
    """One line of log for each scan that ended; its detail, which may quote a stranger, is not."""
    level = logging.INFO if ended.code == COMPLETED else logging.WARNING
    fields = {
        "scan_id": ended.id,
        "account_id": account_id,
        "tool": ended.tool.value,
        "code": ended.code,
        "scheduled": ended.scheduled,
        "seconds": round(ended.seconds, 1),
    }
    _log.log(level, "scan ended", extra=fields)


async def retrying(
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
    """What an executor that ended by itself says."""
    if task.cancelled():
        _log.error("the executor of scan %s gave up", scan_id)
        return OUR_MISTAKE
    if error := task.exception():
        _log.error("the executor of scan %s failed", scan_id, exc_info=error)
        return OUR_MISTAKE
    return task.result()
