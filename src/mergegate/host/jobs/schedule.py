"""Scans that come back: each is submitted once when it is due, however many workers look."""

import asyncio
import datetime as dt
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress

from croniter import CroniterError, croniter  # type: ignore[import-untyped]
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.core.plans import PREFIXES
from mergegate.host.scan import Priority
from mergegate.host.store import scans, schedules
from mergegate.host.store.database import Database
from mergegate.host.store.scans import Submission
from mergegate.host.store.schedules import Schedule
from mergegate.host.store.sql import database_now
from mergegate.site.level import RANDOM_BYTES, identifier

_log = logging.getLogger(__name__)
_FIELDS = 5
"""croniter takes seconds and years as well."""
_AFTER_A_MISTAKE = dt.timedelta(days=1)


class Scheduler:
    """Submits what is due."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def submit_due(self) -> bool:
        """By the database's clock, which all workers share; what was missed is submitted once.

        Whether anything was due. Raises StoreError when the database does not answer.
        """
        async with self._database.read() as conn:
            now = await database_now(conn)
            due = await schedules.due(conn, now)
        for one in due:
            await self._move_on(one, now)
        return bool(due)

    async def bring_forward(self) -> None:
        """What a clock that ran ahead has put off comes back to its time, once the clock is right.

        A day in the next century would otherwise be waited for. Raises StoreError.
        """
        async with self._database.read() as conn:
            now = await database_now(conn)
            waiting = await schedules.later(conn, now)
        for one, next_at in await asyncio.to_thread(_put_off, waiting, now):
            async with self._database.change() as conn:
                await schedules.advance(conn, one, next_at)

    async def _move_on(self, one: Schedule, now: dt.datetime) -> None:
        """One that cannot be understood must not keep the others from their turn."""
        next_at = _next(one, now)
        async with self._database.change() as conn:
            moved = await schedules.advance(conn, one, next_at or now + _AFTER_A_MISTAKE)
            if moved and next_at:
                await self._submit(conn, one, now)

    async def _submit(self, conn: AsyncConnection, one: Schedule, now: dt.datetime) -> None:
        """In the transaction that moves the schedule on: both happen, or neither."""
        id = identifier(PREFIXES[one.tool], now, secrets.token_bytes(RANDOM_BYTES))
        what = (one.account_id, one.tool, one.lane, one.request)
        await scans.submit(conn, Submission(id, *what, now, Priority.LATER), joinable=True)


def next_time(cron: str, after: dt.datetime) -> dt.datetime:
    """When five fields (crontab(5), in UTC) come true next; what was missed is not made up for.

    Raises UsageError for fields that are not understood, or that never come true.
    """
    try:
        if len(cron.split()) != _FIELDS:
            raise CroniterError
        found: dt.datetime = croniter(cron, after.astimezone(dt.UTC)).get_next(dt.datetime)
    except CroniterError as error:
        raise UsageError(
            "the times of the schedule are not understood",
            remedy="Write five fields as crontab does, such as `30 6 * * 1`.",
        ) from error
    return found


def _next(one: Schedule, now: dt.datetime) -> dt.datetime | None:
    try:
        return next_time(one.cron, now)
    except UsageError as error:
        _log.error("schedule %s: %s", one.id, error)
        return None


def _put_off(waiting: Sequence[Schedule], now: dt.datetime) -> list[tuple[Schedule, dt.datetime]]:
    """Those that stand later than they come true next, and when that is."""
    found = []
    for one in waiting:
        with suppress(UsageError):  # it was told when it was due
            if (next_at := next_time(one.cron, now)) < one.next_at:
                found.append((one, next_at))
    return found
