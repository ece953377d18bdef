"""What a host no longer needs to know is deleted, a little at a time."""

import datetime as dt

from mergegate.host.jobs.engine import Engine
from mergegate.host.jobs.ledger import Ledger
from mergegate.host.jobs.means import Means
from mergegate.host.store import answers, deliveries, scans, usage, workers
from mergegate.host.store.clock import database_now

_NOTES_KEPT = dt.timedelta(hours=1)
"""DBOS's, on a scan that is settled: for people who look into something. Its queues stay fast."""
_DEAD_KEPT_S = 3600.0
_SITES_KEPT = dt.timedelta(days=1)
"""Longer than any cooldown."""
_DELIVERIES_KEPT = dt.timedelta(days=30)
"""Longer than a provider tries again."""


class Oblivion:
    """As many workers as there are may forget at the same time."""

    def __init__(self, means: Means, engine: Engine, retention: dt.timedelta) -> None:
        self._means = means
        self._ledger = Ledger(sqlite=means.database.is_sqlite)
        self._engine = engine
        self._retention = retention

    async def forget(self) -> None:
        """By the database's clock: one machine whose own is wrong shall not forget for all.

        Raises StoreError when the database does not answer.
        """
        async with self._means.database.change() as conn:
            now = await database_now(conn)
            await scans.purge(conn, now - self._retention)
            await answers.purge(conn, now)
            await usage.purge(conn, now - _SITES_KEPT)
            await deliveries.purge(conn, now - _DELIVERIES_KEPT)
            await workers.bury(conn, _DEAD_KEPT_S)
        async with self._means.database.read() as conn:
            over = await self._ledger.over(conn, int((now - _NOTES_KEPT).timestamp() * 1000))
        if over:
            await self._engine.forget(over)
