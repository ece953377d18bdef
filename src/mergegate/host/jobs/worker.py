"""A worker: takes up what waits in its lanes, until it is told to stop or is killed."""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping

from mergegate.core.errors import StoreError, UsageError
from mergegate.core.tool import Lane, Tool
from mergegate.host.jobs import farewell
from mergegate.host.jobs.engine import Capacity, Engine
from mergegate.host.jobs.errand import Errand
from mergegate.host.jobs.means import Clock, Means
from mergegate.host.jobs.migrate import migrate
from mergegate.host.jobs.named import worker_id
from mergegate.host.jobs.oblivion import Oblivion
from mergegate.host.jobs.pace import USUAL, Pace
from mergegate.host.jobs.port import LIMITS_S, Carrier
from mergegate.host.jobs.presence import Presence
from mergegate.host.jobs.queue import open_queue
from mergegate.host.jobs.schedule import Timetable
from mergegate.host.jobs.sweep import Sweep
from mergegate.host.store import workers
from mergegate.host.store.database import Database

_log = logging.getLogger(__name__)

RETENTION = dt.timedelta(days=90)
"""How long results are kept unless a host says otherwise (decisions, every endpoint)."""
_LAST_NOTES_S = 5.0
"""What DBOS may take to note the end of scans that are settled."""


def _utc_now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class Worker:
    """One a process. Everything it calls runs on the loop that awaits ``start``.

    ``database`` must belong to that loop too.
    """

    def __init__(
        self,
        database: Database,
        carrier: Carrier,
        lanes: Mapping[Lane, int],
        *,
        per_account: Mapping[Lane, int] | None = None,
        pace: Pace = USUAL,
        limits_s: Mapping[Tool, float] = LIMITS_S,
        retention: dt.timedelta = RETENTION,
        clock: Clock = _utc_now,
    ) -> None:
        """``lanes`` and ``per_account`` as in :class:`.engine.Capacity`.

        Raises UsageError for no slots at all, or a worker that would be dead between two beats.
        """
        _check(lanes, pace)
        self.id = worker_id()
        """Never again used: two processes of one identifier would strand each other's scans."""
        self._database = database
        self._pace = pace
        self._errand = Errand(database, carrier, self.id, clock)
        capacity = Capacity(lanes, per_account or {}, pace.poll_s)
        self._engine = Engine(database.url, self.id, capacity, self._work)
        self._queue = open_queue(database.url)
        means = Means(database, self._queue, limits_s, clock)
        self._sweep = Sweep(means, self._engine, self.id, pace.ttl_s)
        self._timetable = Timetable(means)
        self._oblivion = Oblivion(means, self._engine, retention)
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._heart: list[asyncio.Task[None]] = []
        self._duties: list[asyncio.Task[None]] = []
        file = database.address.file
        self._presence = Presence(file) if file else None
        self._leaving = False

    async def start(self) -> None:
        """Take up work from now on. Needs ``store.service.migrate``; makes the queue's own tables.

        Raises StoreError when the database does not answer.
        """
        await asyncio.to_thread(migrate, self._database.url)
        await self._beat()  # before any scan is held: nobody shall take us for dead
        alone = self._presence is not None and self._presence.enter()
        await self._engine.start()
        if alone:
            await self._sweep.take_over()
        self._heart = [_every(self._pace.beat_s, self._beat)]
        self._duties = self._begin_duties()
        _log.info("worker %s is ready", self.id)

    def _begin_duties(self) -> list[asyncio.Task[None]]:
        pace = self._pace
        return [
            _every(pace.beat_s, self._sweep.once),
            _every(pace.watch_s, self._watch),
            _every(pace.schedule_s, self._timetable.submit_due),
            _every(pace.purge_s, self._oblivion.forget),
            _every(pace.review_s, self._timetable.bring_forward),
        ]

    async def _beat(self) -> None:
        async with self._database.change() as conn:
            await workers.beat(conn, self.id)

    async def _work(self, scan_id: str, timeout_s: float) -> None:
        """Called by the engine, which a cancellation tells nothing: the row stays as it is."""
        if self._leaving:
            raise asyncio.CancelledError
        # One of before we were taken for dead: the row went away, and came back to us.
        await self._let_go({scan_id})
        task = asyncio.create_task(self._errand.run(scan_id, timeout_s))
        self._busy[scan_id] = task
        try:
            await task
        finally:
            if self._busy.get(scan_id) is task:
                del self._busy[scan_id]

    async def _let_go(self, scan_ids: Iterable[str]) -> None:
        tasks = {task for id in scan_ids if (task := self._busy.get(id))}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _watch(self) -> None:
        """A worker that was frozen learns here that others have its scans now."""
        busy = set(self._busy)
        if not busy:
            return
        if gone := busy - await self._sweep.still_mine():
            await self._let_go(gone)
            await self._sweep.settle_stranded()
        if changes := set(filter(farewell.is_owed, busy - gone)):
            await self._take_leave(changes)

    async def _take_leave(self, changes: set[str]) -> None:
        """Of those that were called off; who carries them tells the forge as it lets go."""
        async with self._database.read() as conn:
            over = await farewell.called_off_from(conn, self.id, changes)
        await self._let_go(over)
        for scan_id in over:
            await self._queue.cancel(scan_id)

    async def stop(self, grace_s: float) -> None:
        """Take up nothing more, give what runs ``grace_s`` to end, and hand the rest to others."""
        self._leaving = True
        self._engine.pause()
        if self._busy:
            await asyncio.wait(set(self._busy.values()), timeout=grace_s)
        await _cancel(self._duties)  # else the sweep would find scans that nobody works on
        await self._let_go(set(self._busy))
        await self._await_notes()
        await self._engine.stop()
        await self._leave()

    async def _await_notes(self) -> None:
        until = asyncio.get_running_loop().time() + _LAST_NOTES_S
        while self._engine.holds() and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.02)

    async def _leave(self) -> None:
        """Others need not wait until our heartbeat is old."""
        await _cancel(self._heart)
        try:
            await self._sweep.hand_back()
        except StoreError as error:
            _log.warning("worker %s could not say that it leaves: %s", self.id, error)
        self._queue.close()
        if self._presence:
            self._presence.leave()


def _check(lanes: Mapping[Lane, int], pace: Pace) -> None:
    if min(lanes.values(), default=0) < 0 or not sum(lanes.values()):
        raise UsageError("a worker needs slots", remedy="Give at least one lane a slot.")
    if pace.ttl_s < 2 * pace.beat_s:
        raise UsageError(
            "a worker would be taken for dead between two of its beats",
            remedy="Let the time to live be at least twice the beat.",
        )


def _every(pause_s: float, duty: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
    return asyncio.create_task(_for_ever(pause_s, duty))


async def _for_ever(pause_s: float, duty: Callable[[], Awaitable[None]]) -> None:
    """No failure ends it: a worker without its duties would hold scans that nobody finishes."""
    while True:
        try:
            await duty()
        except StoreError as error:
            _log.warning("the database does not do its part: %s", error)
        except Exception:
            _log.exception("a worker's duty failed")
        await asyncio.sleep(pause_s)


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
