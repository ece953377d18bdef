"""Repeated scans: when each is due next, and which of many processes submits it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.plans import Lane, Tool
from mergegate.host.store.sql import deleted
from mergegate.host.store.tables import accounts, schedules


@dataclass(frozen=True, slots=True)
class Schedule:
    """A scan and its times."""

    id: str
    account_id: str
    tool: Tool
    lane: Lane
    request: str
    """As in :class:`mergegate.host.scan.Scan`."""
    cron: str
    """Five fields, in UTC."""
    next_at: dt.datetime
    created_at: dt.datetime


async def add(conn: AsyncConnection, schedule: Schedule) -> None:
    """Store it."""
    await conn.execute(sa.insert(schedules).values(**asdict(schedule)))


async def due(conn: AsyncConnection, now: dt.datetime, limit: int = 100) -> Sequence[Schedule]:
    """Those that are due, the longest overdue first; none of a suspended account."""
    served = sa.select(schedules).join(accounts).where(accounts.c.suspended_at.is_(None))
    found = served.where(schedules.c.next_at <= now)
    ordered = found.order_by(schedules.c.next_at, schedules.c.id).limit(limit)
    return [_schedule(row) for row in await conn.execute(ordered)]


async def later(conn: AsyncConnection, now: dt.datetime) -> Sequence[Schedule]:
    """All that are not due yet."""
    found = sa.select(schedules).where(schedules.c.next_at > now)
    return [_schedule(row) for row in await conn.execute(found)]


async def advance(conn: AsyncConnection, schedule: Schedule, next_at: dt.datetime) -> bool:
    """Move it on; True for one of all who saw it due, who then submits it in this transaction."""
    unmoved = (schedules.c.id == schedule.id, schedules.c.next_at == schedule.next_at)
    moved = sa.update(schedules).where(*unmoved).values(next_at=next_at)
    return (await conn.execute(moved)).rowcount > 0


async def listed(conn: AsyncConnection, account_id: str) -> Sequence[Schedule]:
    """The account's, the next one first."""
    mine = sa.select(schedules).where(schedules.c.account_id == account_id)
    ordered = mine.order_by(schedules.c.next_at, schedules.c.id)
    return [_schedule(row) for row in await conn.execute(ordered)]


async def remove(conn: AsyncConnection, account_id: str, id: str) -> bool:
    """Delete the account's schedule of that identifier; whether there was one."""
    mine = (schedules.c.id == id, schedules.c.account_id == account_id)
    return await deleted(conn, schedules, *mine) > 0


def _schedule(row: sa.Row[Any]) -> Schedule:
    what = (Tool(row.tool), Lane(row.lane), row.request, row.cron)
    return Schedule(row.id, row.account_id, *what, row.next_at, row.created_at)
