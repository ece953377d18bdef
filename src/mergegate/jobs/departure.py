"""Accounts that rest or go: what runs of theirs is called off, and what is stored forgotten."""

import datetime as dt

from mergegate.jobs.cancelling import cancel
from mergegate.jobs.port import Queue
from mergegate.store.service import accounts, removal
from mergegate.store.service.database import Database


async def suspend(database: Database, queue: Queue, account_id: str, now: dt.datetime) -> int:
    """Let the account do nothing until it is resumed; tells how many of its scans ended by this.

    May be done again, also where it was interrupted. Raises StoreError.
    """
    async with database.change() as conn:
        await accounts.suspend(conn, account_id, now)
    return await _call_off(database, queue, account_id, now)


async def remove(database: Database, queue: Queue, account_id: str, now: dt.datetime) -> None:
    """Forget the account and all that is stored of it; its keys and hooks open nothing at once.

    Interrupted, it leaves a suspended account, of which it forgets the rest when it is done again.
    Raises StoreError.
    """
    async with database.change() as conn:
        await removal.disarm(conn, account_id, now)
    await _call_off(database, queue, account_id, now)
    while await _forget_some(database, account_id):
        pass
    async with database.change() as conn:
        await removal.forget(conn, account_id)


async def _call_off(database: Database, queue: Queue, account_id: str, now: dt.datetime) -> int:
    async with database.read() as conn:
        ids = await removal.running(conn, account_id)
    return sum([await cancel(database, queue, id, now) for id in ids])


async def _forget_some(database: Database, account_id: str) -> int:
    async with database.change() as conn:
        return await removal.forget_scans(conn, account_id)
