"""Leases: which worker has which scan in hand, and which workers live.

A scan is *open* while it is running, and while the forge of a cancelled change still has to be told
of the cancellation (``notice_due``). An open scan without a worker waits to be claimed. A lease has
no time of its own: it lasts as long as the heartbeat of its worker, by the database's clock.
"""

import datetime as dt
import os
import secrets
import socket
from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Tool
from mergegate.host.scan import Scan
from mergegate.host.store.endings import Ended, end
from mergegate.host.store.scans import COLUMNS, failure_row, scan_of
from mergegate.host.store.sql import DatabaseClock, UtcDateTime, deleted, upsert
from mergegate.host.store.tables import OPEN, scans, workers

_C = scans.c
_IS_OPEN = sa.text(f"({OPEN})")
"""As the partial index says it: the planner must see that it is meant."""
_RANKED = 4
"""So many times what is to be claimed is looked at: others may claim the first at the same time."""
_IS_RUNNING = _C.state == sa.literal_column("'running'")


def _is_free(lanes: Collection[Lane]) -> sa.ColumnElement[bool]:
    return sa.and_(_IS_OPEN, _C.worker.is_(None), _C.lane.in_(lanes))


async def waiting_lanes(conn: AsyncConnection, among: Collection[Lane]) -> frozenset[Lane]:
    """The lanes in which a scan can be claimed."""
    found = await conn.scalars(sa.select(_C.lane).where(_is_free(among)).distinct())
    return frozenset(map(Lane, found))


async def claim(
    conn: AsyncConnection, lane: Lane, worker: str, limit: int, now: dt.datetime
) -> Sequence[Scan]:
    """Take up to ``limit`` waiting scans of ``lane``; no other worker gets the same ones.

    Accounts take turns: the first scan of each comes before the second of any, in random order.
    Within an account, priority decides and then age. A running scan counts one try more; one that
    is over was cancelled, and only its forge is to be told.
    """
    if not (ranked := await _ranked(conn, lane, _RANKED * limit)):
        return []
    place = sa.case({id: place for place, id in enumerate(ranked)}, value=_C.id)
    picked = (
        sa.select(_C.id)
        .where(_is_free([lane]), _C.id.in_(ranked))  # still: they may have been claimed since
        .order_by(place)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("picked")
    )
    taken = {
        "worker": worker,
        "started_at": sa.case((_IS_RUNNING, sa.literal(now, UtcDateTime())), else_=_C.started_at),
        "tries": _C.tries + sa.case((_IS_RUNNING, 1), else_=0),
    }
    claimed = sa.update(scans).where(_C.id.in_(sa.select(picked.c.id))).values(taken)
    return [scan_of(row) for row in await conn.execute(claimed.returning(*COLUMNS))]


async def _ranked(conn: AsyncConnection, lane: Lane, limit: int) -> Sequence[str]:
    """The first of the waiting scans, in the order in which they are to be claimed.

    A statement of its own: PostgreSQL locks no rows that a window was drawn over, and joins the
    window with the table in a time that grows with the square of what waits.
    """
    by_age = (_C.priority, _C.created_at, _C.id)
    turn = sa.func.row_number().over(partition_by=_C.account_id, order_by=by_age)
    first = sa.select(_C.id).where(_is_free([lane])).order_by(turn, sa.func.random()).limit(limit)
    return list(await conn.scalars(first))


async def held(conn: AsyncConnection, worker: str) -> Mapping[str, bool]:
    """The open scans that ``worker`` has in hand, and whether each is a notice that is due."""
    rows = await conn.execute(sa.select(_C.id, _C.notice_due).where(_IS_OPEN, _C.worker == worker))
    return {row.id: row.notice_due for row in rows}


async def holders(conn: AsyncConnection) -> frozenset[str]:
    """Workers that have an open scan in hand."""
    found = sa.select(_C.worker).where(_IS_OPEN, _C.worker.is_not(None)).distinct()
    return frozenset(filter(None, await conn.scalars(found)))


async def release(conn: AsyncConnection, worker: str, among: Collection[str] | None = None) -> int:
    """Let others claim what ``worker`` has in hand, or those ``among`` it; tells how many."""
    mine = sa.and_(_IS_OPEN, _C.worker == worker)
    if among is not None:
        mine &= _C.id.in_(among)
    return (await conn.execute(sa.update(scans).where(mine).values(worker=None))).rowcount


async def reclaim(
    conn: AsyncConnection, dead: Collection[str], losses: int, outcome: Failed, now: dt.datetime
) -> Sequence[Ended]:
    """Let others claim what ``dead`` workers had in hand.

    What was lost ``losses`` times by now is not tried again: a running scan fails with ``outcome``,
    a notice is dropped. Returns the scans that failed by this.
    """
    lost = sa.and_(_IS_OPEN, _C.worker.in_(dead))
    spent = _C.losses >= losses - 1
    ended = await end(conn, sa.and_(lost, spent), failure_row(outcome), now)
    await conn.execute(sa.update(scans).where(lost, spent).values(notice_due=False))
    returned = {"worker": None, "losses": _C.losses + 1}
    await conn.execute(sa.update(scans).where(lost, ~spent).values(returned))
    return ended


async def cancel(conn: AsyncConnection, scan_id: str, outcome: Failed, now: dt.datetime) -> bool:
    """Whether the scan, of whichever account, ended with ``outcome`` by this.

    The forge of a change is told by a worker, unless the change is a comment's order that nobody
    has begun: it was promised nothing.
    """
    return await _cancel(conn, _C.id == scan_id, outcome, now, _is_notice_due()) > 0


async def cancel_all(
    conn: AsyncConnection, account_id: str, outcome: Failed, now: dt.datetime, *, notify: bool
) -> int:
    """End all scans of the account like :func:`cancel`; ``notify``: tell the forges of changes.

    Returns how many ended.
    """
    notice = _is_notice_due() if notify else sa.false()
    return await _cancel(conn, _C.account_id == account_id, outcome, now, notice)


def _is_notice_due() -> sa.ColumnElement[bool]:
    was_promised = _C.digest.is_not(None) | _C.started_at.is_not(None)
    return sa.and_(_C.tool == Tool.CHANGE, was_promised)


async def _cancel(
    conn: AsyncConnection,
    which: sa.ColumnElement[bool],
    outcome: Failed,
    now: dt.datetime,
    notice: sa.ColumnElement[bool],
) -> int:
    return len(await end(conn, which, failure_row(outcome) | {"notice_due": notice}, now))


async def is_superseded(conn: AsyncConnection, scan_id: str) -> bool:
    """Whether a newer scan of the same change speaks in place of this one."""
    later, c = scans.alias(), scans.c
    alike = (later.c.account_id == c.account_id, later.c.tool == c.tool, later.c.digest == c.digest)
    newer = sa.exists().where(*alike, later.c.created_at > c.created_at)
    return await conn.scalar(sa.select(newer.correlate(scans)).where(c.id == scan_id)) or False


async def notified(conn: AsyncConnection, scan_id: str, worker: str) -> None:
    """The forge heard from ``worker``, which has the scan in hand, how the scan ended."""
    mine = (_C.id == scan_id, _C.worker == worker)
    await conn.execute(sa.update(scans).where(*mine).values(notice_due=False))


def new_id() -> str:
    """Names the machine for people, and tells this process from any other there ever was."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(8)}"


def machine_of(id: str) -> str:
    """The host name in :func:`new_id`; one may begin as another does, and hold hyphens too."""
    return id.rsplit("-", 2)[0]


async def beat(conn: AsyncConnection, id: str) -> None:
    """Note that the worker lives."""
    row = {"id": id, "beat_at": DatabaseClock()}
    await upsert(conn, workers, row, key=["id"], renew=["beat_at"])


async def alive(conn: AsyncConnection, ttl_s: float) -> frozenset[str]:
    """Workers whose last heartbeat is at most ``ttl_s`` away.

    One that lies further ahead was written before the clock was set back: a living worker beats
    again at once, and a dead one must not live on until the clock gets there.
    """
    now = DatabaseClock()
    recent = workers.c.beat_at.between(now - ttl_s, now + ttl_s)
    return frozenset(await conn.scalars(sa.select(workers.c.id).where(recent)))


async def leave(conn: AsyncConnection, id: str) -> None:
    """Delete the worker, which ends in order."""
    await deleted(conn, workers, workers.c.id == id)


async def purge_workers(conn: AsyncConnection, ttl_s: float) -> int:
    """Delete those without a heartbeat for ``ttl_s``; returns how many."""
    silent = workers.c.beat_at <= DatabaseClock() - ttl_s
    return await deleted(conn, workers, silent)
