"""What every worker does for all of them: recover the scans of dead ones, delete what is old."""

import datetime as dt
import fcntl
import logging
import os
from collections.abc import Collection
from pathlib import Path

from mergegate.core.errors import Failed
from mergegate.host.jobs.execution import TRIES, Clock, tell
from mergegate.host.store import idempotency, leases, scans, usage
from mergegate.host.store.address import claim_file
from mergegate.host.store.database import Database
from mergegate.host.store.sql import database_now

_log = logging.getLogger(__name__)

WORKER_LOST = Failed(
    "WORKER_LOST", "Each worker that took the scan up was lost before it could finish it."
)
_DEAD_KEPT_S = 3600.0
_DELIVERIES_KEPT = dt.timedelta(days=30)
"""Longer than a provider tries again."""


class Recovery:
    """Lets others claim what dead workers had in hand; any number of workers may run it at once."""

    def __init__(self, database: Database, worker: str, ttl_s: float, clock: Clock) -> None:
        self._database = database
        self._worker = worker
        self._ttl_s = ttl_s
        self._clock = clock
        self._silent: frozenset[str] = frozenset()

    async def run(self) -> None:
        """Recover from workers without a heartbeat, twice in a row.

        After an outage of the database, or a jump of its clock, all seem dead until they beat; and
        a worker that cannot be heard itself, while nothing can be written, must not call others
        silent. Raises StoreError when the database does not answer.
        """
        async with self._database.read() as conn:
            alive = await leases.alive(conn, self._ttl_s)
            holders = await leases.holders(conn)
        silent = holders - alive if self._worker in alive else frozenset()
        dead = silent & self._silent
        await self._reclaim(dead)
        self._silent = silent - dead

    async def recover_all(self) -> None:
        """Recover at once from every other worker: it is known that none lives."""
        async with self._database.read() as conn:
            holders = await leases.holders(conn)
        await self._reclaim(holders - {self._worker})

    async def _reclaim(self, dead: Collection[str]) -> None:
        if not dead:
            return
        _log.warning("worker %s is dead; its scans are taken over", ", ".join(sorted(dead)))
        async with self._database.change() as conn:
            ended = await leases.reclaim(conn, dead, TRIES, WORKER_LOST, self._clock())
        for one in ended:
            tell(one)


class FileLock:
    """Held by every worker on a SQLite file; the system takes it away when a process ends."""

    def __init__(self, database: Path) -> None:
        self._beside = database.with_name(f"{database.name}.workers")

    def acquire(self) -> bool:
        """Whether no other worker holds it: those that did are dead, whatever their heartbeats say.

        Raises StoreError when the file beside the database cannot be made.
        """
        claim_file(self._beside)
        self._held = os.open(self._beside, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_alone = True
        except BlockingIOError:
            is_alone = False
        fcntl.flock(self._held, fcntl.LOCK_SH)
        return is_alone

    def release(self) -> None:
        """Let others be alone."""
        os.close(self._held)


async def purge(database: Database, retention: dt.timedelta) -> None:
    """Delete what a host no longer needs to know, a little at a time.

    By the database's clock: one machine whose own is wrong must not delete for all. Raises
    StoreError when the database does not answer.
    """
    async with database.change() as conn:
        now = await database_now(conn)
        await scans.purge(conn, now - retention)
        await idempotency.purge_keys(conn, now)
        await usage.purge(conn, now - usage.SITES_KEPT)
        await idempotency.purge_deliveries(conn, now - _DELIVERIES_KEPT)
        await leases.purge_workers(conn, _DEAD_KEPT_S)
