"""A worker: claims what waits in its lanes, until it is told to stop or is killed."""

import asyncio
import datetime as dt
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from functools import partial

from mergegate.core.errors import StoreError, UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.host.jobs.execution import (
    LIMITS_S,
    RETENTION,
    USUAL,
    Clock,
    Executor,
    Intervals,
    ScanRun,
)
from mergegate.host.jobs.maintenance import FileLock, Recovery, purge
from mergegate.host.jobs.schedule import Scheduler
from mergegate.host.scan import Scan
from mergegate.host.store import leases
from mergegate.host.store.database import Database

_log = logging.getLogger(__name__)

_IDLE_WATCHES = 5
_AFTER_A_FAILURE_S = 1.0
"""The least pause of a duty that the database refused."""


def _utc_now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class Worker:
    """One a process. Everything it calls runs on the loop that awaits ``start``.

    ``database`` must belong to that loop too.
    """

    def __init__(
        self,
        database: Database,
        executor: Executor,
        slots: Mapping[Lane, int],
        *,
        intervals: Intervals = USUAL,
        limits_s: Mapping[Tool, float] = LIMITS_S,
        retention: dt.timedelta = RETENTION,
        clock: Clock = _utc_now,
        wake: asyncio.Event | None = None,
    ) -> None:
        """``slots``: how many scans of a lane at a time; a lane without any is left to others.

        ``wake`` is set by who has submitted a scan in this process, so that it is looked for at
        once; others' scans are found by looking again and again.

        Raises UsageError for no slots at all, or a worker that would be dead between two beats.
        """
        _check(slots, intervals)
        self.id = leases.new_id()
        """Never used again: a lease is held by a name."""
        self._database = database
        self._executor = executor
        self._slots = slots
        self._intervals = intervals
        self._limits_s = limits_s
        self._clock = clock
        self._wake = wake or asyncio.Event()
        self._watches = 0
        self._recovery = Recovery(database, self.id, intervals.ttl_s, clock)
        self._scheduler = Scheduler(database)
        self._purge = partial(purge, database, retention)
        file = database.address.file
        self._lock = FileLock(file) if file else None
        self._runs: dict[str, ScanRun] = {}
        self._tasks: dict[ScanRun, asyncio.Task[None]] = {}
        self._unknown: frozenset[str] = frozenset()
        self._heart: list[asyncio.Task[None]] = []
        self._claiming: list[asyncio.Task[None]] = []
        self._duties: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take up work from now on. Needs ``host.store.migrate``.

        Raises StoreError when the database does not answer.
        """
        await self._beat()  # before any scan is held: no other may take us for dead
        if self._lock is not None and self._lock.acquire():
            await self._recovery.recover_all()
        every = self._intervals
        self._heart = [_every(every.heartbeat_s, self._beat)]
        self._claiming = [_every(every.poll_s, self._claim, self._wake)]
        self._duties = [
            _every(every.heartbeat_s, self._recovery.run),
            _every(every.watch_s, self._watch),
            _every(every.schedule_s, self._submit_due),
            _every(every.purge_s, self._purge),
            _every(every.review_s, self._scheduler.bring_forward),
        ]
        _log.info("worker %s is ready", self.id)

    async def _beat(self) -> None:
        async with self._database.change() as conn:
            await leases.beat(conn, self.id)

    async def _claim(self) -> None:
        """Fill the free slots, as far as scans wait for them."""
        busy = Counter(run.scan.lane for run in self._tasks)
        free = {lane: most - busy[lane] for lane, most in self._slots.items() if most > busy[lane]}
        if not free:
            return
        async with self._database.read() as conn:
            lanes = await leases.waiting_lanes(conn, free)
        if not lanes:
            return
        now = self._clock()
        async with self._database.change() as conn:
            found = [await leases.claim(conn, lane, self.id, free[lane], now) for lane in lanes]
        for claimed in found:
            for scan in claimed:
                self._begin(scan)

    def _begin(self, scan: Scan) -> None:
        """Its earlier run ends first, where we were taken for dead and it came back to us."""
        earlier = self._runs.get(scan.id)
        run = ScanRun(scan, self._database, self._executor, self.id, self._clock)
        self._runs[scan.id] = run
        self._tasks[run] = asyncio.create_task(self._carry(run, earlier))

    async def _carry(self, run: ScanRun, earlier: ScanRun | None) -> None:
        try:
            if earlier is not None:
                await self._let_go([earlier])
            await run.run(self._limits_s[run.scan.tool])
        except Exception:
            _log.exception("scan %s came to no end", run.scan.id)
        finally:
            del self._tasks[run]
            if self._runs.get(run.scan.id) is run:
                del self._runs[run.scan.id]
            self._wake.set()  # a slot is free

    async def _let_go(self, runs: Iterable[ScanRun]) -> None:
        tasks = {task for run in runs if (task := self._tasks.get(run))}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _submit_due(self) -> None:
        if await self._scheduler.submit_due():
            self._wake.set()

    async def _watch(self) -> None:
        """Let go of what was cancelled, or taken over while this worker was frozen.

        Who has nothing in hand looks less often: only a claim whose commit was not confirmed to us
        can be found then.
        """
        self._watches += 1
        if not self._runs and self._watches % _IDLE_WATCHES:
            return
        runs = dict(self._runs)  # before the look: what is claimed meanwhile is not gone
        async with self._database.read() as conn:
            held = await leases.held(conn, self.id)
        gone = [run for id, run in runs.items() if id not in held and not run.is_executed]
        over = [run for id, run in runs.items() if held.get(id) and run.scan.outcome is None]
        await self._let_go(gone + over)
        for run in over:  # who carried a change told its forge as it let go
            await run.notified()
        await self._find_lost(held.keys() - runs.keys())

    async def _find_lost(self, unknown: Collection[str]) -> None:
        """Hand back claims, unknown twice in a row, whose commit was not confirmed to us."""
        lost = self._unknown.intersection(unknown) - self._runs.keys()
        self._unknown = frozenset(unknown) - lost
        if lost:
            async with self._database.change() as conn:
                await leases.release(conn, self.id, lost)

    async def stop(self, grace_s: float) -> None:
        """Take up nothing more, give what runs ``grace_s`` to end, and hand the rest to others."""
        await _cancel(self._claiming)
        if self._tasks:
            await asyncio.wait(set(self._tasks.values()), timeout=grace_s)
        await _cancel(self._duties)
        await self._let_go(list(self._tasks))
        await _cancel(self._heart)
        try:
            await self._leave()
        except StoreError as error:
            _log.warning("worker %s could not say that it leaves: %s", self.id, error)
        if self._lock is not None:
            self._lock.release()

    async def _leave(self) -> None:
        """Others need not wait until our heartbeat is old."""
        async with self._database.change() as conn:
            returned = await leases.release(conn, self.id)
            await leases.leave(conn, self.id)
        if returned:
            _log.info("%s scans are handed back", returned)


def _check(slots: Mapping[Lane, int], intervals: Intervals) -> None:
    if min(slots.values(), default=0) < 0 or not sum(slots.values()):
        raise UsageError("a worker needs slots", remedy="Give at least one lane a slot.")
    if intervals.ttl_s < 2 * intervals.heartbeat_s:
        raise UsageError(
            "a worker would be taken for dead between two of its heartbeats",
            remedy="Let the time to live be at least twice the interval of heartbeats.",
        )


def _every(
    pause_s: float, duty: Callable[[], Awaitable[None]], wake: asyncio.Event | None = None
) -> asyncio.Task[None]:
    return asyncio.create_task(_for_ever(pause_s, duty, wake or asyncio.Event()))


async def _for_ever(
    pause_s: float, duty: Callable[[], Awaitable[None]], wake: asyncio.Event
) -> None:
    """``wake`` ends a pause before its time, but none after a failure.

    No failure ends it: a worker without its duties would hold scans that nobody finishes.

    A failure that repeats itself is logged once.
    """
    said = ""
    while True:
        wait_s = pause_s
        wake.clear()
        try:
            await duty()
            said = ""
            await _paused(pause_s, wake)
            continue
        except StoreError as error:
            if str(error) != said:
                _log.warning("the database does not do its part: %s", error)
            said, wait_s = str(error), max(pause_s, _AFTER_A_FAILURE_S)
        except Exception:
            _log.exception("a worker's duty failed")
            wait_s = max(pause_s, _AFTER_A_FAILURE_S)
        await asyncio.sleep(wait_s)


async def _paused(wait_s: float, wake: asyncio.Event) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(wait_s):
            await wake.wait()


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
