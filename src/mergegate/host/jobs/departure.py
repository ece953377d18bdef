"""Accounts that rest or go: what runs of theirs is called off, and what is stored forgotten."""

import datetime as dt
from collections.abc import Sequence

from mergegate.host.jobs.cancelling import cancel
from mergegate.host.jobs.port import Queue
from mergegate.host.store import accounts, removal
from mergegate.host.store.database import Database


async def suspend(database: Database, queue: Queue, account_id: str, now: dt.datetime) -> int:
    """Let the account do nothing until it is resumed; tells how many of its scans ended by this.

    May be done again, also where it was interrupted. Raises StoreError.
    """
    async with database.change() as conn:
        await accounts.suspend(conn, account_id, now)
    ids = await _running(database, account_id)
    return sum([await cancel(database, queue, id, now) for id in ids])


async def remove(database: Database, queue: Queue, account_id: str, now: dt.datetime) -> None:
    """Forget the account and all that is stored of it; its keys and hooks open nothing at once.

    Interrupted, it leaves a suspended account, of which it forgets the rest when it is done again.
    Raises StoreError.
    """
    async with database.change() as conn:
        await removal.disarm(conn, account_id, now)
    for id in await _running(database, account_id):
        await cancel(database, queue, id, now)
        await queue.cancel(id)  # of a change too: there is nobody left to take leave as
    while await _forget_some(database, account_id):
        pass
    async with database.change() as conn:
        await removal.forget(conn, account_id)


async def _running(database: Database, account_id: str) -> Sequence[str]:
    async with database.read() as conn:
        return await removal.running(conn, account_id)


async def _forget_some(database: Database, account_id: str) -> int:
    async with database.change() as conn:
        return await removal.forget_scans(conn, account_id)
