"""Where our scans and DBOS's workflows disagree, in one look at both."""

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.failure import Failed
from mergegate.host.jobs.durable import workflows
from mergegate.host.jobs.errand import OUR_MISTAKE
from mergegate.host.scan import Scan, State
from mergegate.host.store.scans import COLUMNS, scan_of
from mergegate.host.store.tables import scans

CANCELLED = Failed("CANCELLED", "The scan was cancelled.")
WORKER_LOST = Failed(
    "WORKER_LOST", "Each worker that took the scan up was lost before it could finish it."
)
_AT_A_TIME = 500
_ENQUEUED, _HELD, _CANCELLED = "ENQUEUED", "PENDING", "CANCELLED"
_GIVEN_UP = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"
_OPEN = (_ENQUEUED, _HELD, "DELAYED")
"""DBOS's words for the state of a workflow."""


@dataclass(frozen=True, slots=True)
class Stranded:
    """A scan that is running by our books, and that nobody will ever settle."""

    scan: Scan
    outcome: Failed | None
    """What its workflow ended as; None when it has none, and can be enqueued again."""


class Ledger:
    """Reads DBOS's table in our transactions, since both are of one database."""

    def __init__(self, *, sqlite: bool) -> None:
        self._flows = workflows(sqlite=sqlite)

    async def owners(self, conn: AsyncConnection) -> frozenset[str]:
        """Workers that hold a scan, by DBOS's books."""
        held = sa.select(self._flows.c.executor_id).where(self._held())
        return frozenset(await conn.scalars(held.distinct()))

    async def held_by(self, conn: AsyncConnection, worker: str) -> frozenset[str]:
        """Scans that ``worker`` holds, by DBOS's books."""
        held = sa.select(self._flows.c.workflow_uuid).where(self._held(worker))
        return frozenset(await conn.scalars(held))

    async def stranded(self, conn: AsyncConnection) -> list[Stranded]:
        """Some hundreds at most; the rest is found when these are settled."""
        flows = self._flows
        ended = sa.or_(flows.c.status.is_(None), flows.c.status.not_in(_OPEN))
        both = scans.outerjoin(flows, flows.c.workflow_uuid == scans.c.id)
        found = (
            sa.select(*COLUMNS, flows.c.status)
            .select_from(both)
            .where(scans.c.state == State.RUNNING, ended)
            .limit(_AT_A_TIME)
        )
        rows = await conn.execute(found)
        return [Stranded(scan_of(row[:-1]), _end(row.status)) for row in rows]

    async def hand_back(self, conn: AsyncConnection, worker: str) -> int:
        """Return what ``worker`` holds to the lanes, without a count against it; tells how many.

        DBOS would count a worker that leaves in order like one that was killed: a long scan would
        then not survive a few deployments in a row.
        """
        flows = self._flows
        returned = {
            "status": _ENQUEUED,
            "owner_xid": None,
            "started_at_epoch_ms": None,
            "recovery_attempts": flows.c.recovery_attempts - 1,
        }
        back = sa.update(flows).where(self._held(worker)).values(returned)
        return (await conn.execute(back)).rowcount

    async def over(self, conn: AsyncConnection, before_ms: int) -> Collection[str]:
        """Workflows that ended before, in milliseconds since 1970, and that no scan waits for."""
        flows = self._flows
        both = flows.outerjoin(scans, flows.c.workflow_uuid == scans.c.id)
        old = (
            sa.select(flows.c.workflow_uuid)
            .select_from(both)
            .where(flows.c.status.not_in(_OPEN), flows.c.completed_at < before_ms)
            .where(sa.or_(scans.c.id.is_(None), scans.c.state != State.RUNNING))
            .limit(_AT_A_TIME)
        )
        return list(await conn.scalars(old))

    def _held(self, worker: str | None = None) -> sa.ColumnElement[bool]:
        held = self._flows.c.status == _HELD
        return held if worker is None else held & (self._flows.c.executor_id == worker)


def _end(status: str | None) -> Failed | None:
    """What a scan without an outcome comes to when its workflow ended like this."""
    if status is None:
        return None
    return {_CANCELLED: CANCELLED, _GIVEN_UP: WORKER_LOST}.get(status, OUR_MISTAKE)
