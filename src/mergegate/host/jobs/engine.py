"""DBOS in this process: it claims what waits in the lanes, and calls us for each scan."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig

from mergegate.core.tool import Lane
from mergegate.host.jobs.durable import (
    APPLICATION,
    SCHEMA,
    SERIALIZER,
    TRIES,
    VERSION,
    WORKFLOW,
    dbos_url,
    queue_name,
    quiet,
)
from mergegate.host.store.trouble import drop_read_only, told_plainly

Work = Callable[[str, float], Awaitable[None]]
"""Carries out the scan of that identifier within so many seconds; cancelled, it lets go."""

_POOL = 10


@dataclass(frozen=True, slots=True)
class Capacity:
    """What one process takes on."""

    slots: Mapping[Lane, int]
    """How many scans of a lane at a time; a lane without any is left to others."""
    per_account: Mapping[Lane, int]
    """How many of those one account may hold; all of them where a lane is not named.

    Accounts take turns in any case: of a slot that falls free each of them is as likely to get it.
    """
    poll_s: float
    """How often the database is asked for work; a lane fills at most its free slots each time."""

    def held(self, lane: Lane) -> int:
        """How many slots of ``lane`` one account may hold; at least one."""
        return max(1, min(self.per_account.get(lane, self.slots[lane]), self.slots[lane]))


class Engine:
    """DBOS keeps its state in module globals: one of these a process at a time.

    What it calls runs on the event loop that ``start`` was awaited on. Where no public function
    exists a private one of DBOS 3.4 is used; the dependency is pinned for that.
    """

    def __init__(self, url: str, worker: str, capacity: Capacity, work: Work) -> None:
        self._url = url
        self._worker = worker
        self._capacity = capacity
        self._work = work

    async def start(self) -> None:
        """From its return on, scans are taken up. Needs ``jobs.migrate``; raises StoreError."""
        quiet()
        self._dbos = DBOS(config=self._configuration())
        # DBOS has a loop of its own otherwise; the database's connections belong to this one.
        self._dbos._background_event_loop.set_main_loop()
        DBOS.workflow(name=WORKFLOW, max_recovery_attempts=TRIES - 1)(self._workflow())
        for lane, slots in self._capacity.slots.items():
            if slots:
                self._open(lane, slots)
        with told_plainly():
            await asyncio.to_thread(DBOS.launch)
        sa.event.listen(self._dbos._sys_db.engine, "handle_error", drop_read_only)
        # It would wait up to a minute and a half between two attempts, when an outage was long.
        # What then gets lost of DBOS's own books the sweep puts right.
        self._dbos._sys_db._retry_connection_errors = False

    def _configuration(self) -> DBOSConfig:
        return DBOSConfig(
            system_database_url=dbos_url(self._url),
            dbos_system_schema=SCHEMA,
            serializer=SERIALIZER,
            name=APPLICATION,
            executor_id=self._worker,
            application_version=VERSION,
            run_migrations=False,
            sys_db_pool_size=_POOL,
            log_level="WARNING",
            # Nothing of ours is notified; this is how long its end is waited for.
            notification_listener_polling_interval_sec=0.2,
        )

    def _workflow(self) -> Callable[[str, float], Awaitable[None]]:
        work = self._work

        async def scan(scan_id: str, timeout_s: float) -> None:
            # No step of DBOS within: ``begin`` and ``settle`` see to what must not happen twice,
            # and a step would cost a write for each scan.
            await work(scan_id, timeout_s)

        return scan

    def _open(self, lane: Lane, slots: int) -> None:
        """Public queues keep their slots in the database, the same for every worker."""
        self._dbos._registry._register_internal_queue(
            queue_name(lane),
            worker_concurrency=slots,
            # A limit of any kind is what makes the queue one of turns. One that counts within
            # this process alone lets workers claim side by side, without conflicts.
            partition_worker_concurrency=self._capacity.held(lane),
            polling_interval_sec=self._capacity.poll_s,
        )

    def pause(self) -> None:
        """Take up nothing more."""
        for event in self._dbos.background_thread_stop_events:
            event.set()

    async def stop(self) -> None:
        """End DBOS's threads. What still runs has to have been let go of before."""
        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)

    async def take_back(self, workers: Iterable[str]) -> None:
        """Have the scans of workers that are no more taken up again; once, whoever else asks.

        The public ``resume_workflow`` counts tries anew and takes from the living as well.
        """
        with told_plainly():
            await asyncio.to_thread(DBOS._recover_pending_workflows, sorted(workers))

    async def take_up_again(self, scan_ids: Iterable[str]) -> None:
        """The same for single scans that are this worker's own, but that it knows nothing of."""
        put_back = self._dbos._sys_db.reenqueue_for_recovery
        for scan_id in scan_ids:
            with told_plainly():
                await asyncio.to_thread(put_back, scan_id, [self._worker], queue_name(Lane.LIGHT))

    async def forget(self, scan_ids: Iterable[str]) -> None:
        """Delete what DBOS has noted about them."""
        with told_plainly():
            await asyncio.to_thread(DBOS.delete_workflows, list(scan_ids))

    def holds(self) -> frozenset[str]:
        """Scans that DBOS has called us for and not yet heard the end of."""
        return frozenset(self._dbos._active_workflows_set.activeList())
