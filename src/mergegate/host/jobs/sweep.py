"""Puts right what dead workers leave behind, and where DBOS's books differ from ours.

DBOS finds dead workers only with a paid service. An error in the middle of a recovery strands what
it has not come to, and a stranded scan would run for ever: so each sweep looks at everything anew.
"""

import logging

from mergegate.host.jobs.engine import Engine
from mergegate.host.jobs.ledger import Ledger, Stranded
from mergegate.host.jobs.means import Means
from mergegate.host.store import scans, workers

_log = logging.getLogger(__name__)
_NOBODY: frozenset[str] = frozenset()


class Sweep:
    """Of one worker; as many as there are may sweep at the same time."""

    def __init__(self, means: Means, engine: Engine, worker: str, ttl_s: float) -> None:
        self._means = means
        self._database = means.database
        self._ledger = Ledger(sqlite=means.database.is_sqlite)
        self._engine = engine
        self._worker = worker
        self._ttl_s = ttl_s
        self._silent = _NOBODY
        self._unknown = _NOBODY

    async def once(self) -> None:
        """Raises StoreError when the database does not answer."""
        async with self._database.read() as conn:
            alive = await workers.alive(conn, self._ttl_s)
            owners = await self._ledger.owners(conn)
            mine = await self._ledger.held_by(conn, self._worker)
        # Who cannot be heard itself, while nothing can be written, must not call others silent.
        silent = owners - alive - {self._worker} if self._worker in alive else _NOBODY
        await self._recover(silent)
        await self._find_lost(mine - self._engine.holds())
        await self.settle_stranded()

    async def take_over(self) -> None:
        """Recover at once what any other worker held: it is known that there is none."""
        async with self._database.read() as conn:
            owners = await self._ledger.owners(conn)
        await self._take_back(owners - {self._worker})

    async def _recover(self, silent: frozenset[str]) -> None:
        """Those that are silent twice in a row.

        After an outage of the database, or a jump of its clock, all seem dead until they beat.
        """
        dead = silent & self._silent
        await self._take_back(dead)
        self._silent = silent - dead

    async def _take_back(self, dead: frozenset[str]) -> None:
        if dead:
            _log.warning("worker %s is dead; its scans are taken over", ", ".join(sorted(dead)))
            await self._engine.take_back(dead)

    async def _find_lost(self, unknown: frozenset[str]) -> None:
        """DBOS may claim a scan and then fail to call us, or fail to note that we are done."""
        lost = unknown & self._unknown
        await self._engine.take_up_again(lost)
        self._unknown = unknown - lost

    async def settle_stranded(self) -> None:
        """What was cancelled, gave up or vanished. Raises StoreError."""
        async with self._database.read() as conn:
            found = await self._ledger.stranded(conn)
        for one in found:
            await self._settle(one)

    async def _settle(self, one: Stranded) -> None:
        scan = one.scan
        async with self._database.change() as conn:
            if one.outcome is None:
                _log.warning("scan %s was in no queue; it is enqueued again", scan.id)
                limit_s = self._means.limits_s[scan.tool]
                await conn.run_sync(self._means.queue.enqueue, scan, limit_s)
            elif await scans.settle(conn, scan.id, one.outcome, self._means.clock()):
                _log.warning("scan %s ended: %s", scan.id, one.outcome.code)

    async def hand_back(self) -> None:
        """Leave: what this worker still holds goes to others at once. Raises StoreError."""
        async with self._database.change() as conn:
            returned = await self._ledger.hand_back(conn, self._worker)
            await workers.leave(conn, self._worker)
        if returned:
            _log.info("%s scans are handed back", returned)

    async def still_mine(self) -> frozenset[str]:
        """Scans that nobody has taken from this worker or cancelled. Raises StoreError."""
        async with self._database.read() as conn:
            return await self._ledger.held_by(conn, self._worker)
