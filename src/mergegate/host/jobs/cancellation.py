"""Cancel scans: one by its identifier, or all of an account that is suspended or removed."""

import datetime as dt

from mergegate.core.errors import Failed
from mergegate.core.render import failures
from mergegate.host.store import accounts, leases
from mergegate.host.store.database import Database

CANCELLED = Failed(failures.CANCELLED, "The scan was cancelled.")
SUPERSEDED = Failed("SUPERSEDED", "A newer state of the change is scanned in its place.")


async def cancel(database: Database, scan_id: str, now: dt.datetime) -> bool:
    """Whether the scan ended by this, as ``CANCELLED``; one that is settled stays as it is.

    Its row says so at once; a worker that carries it hears of it within a second or two, and ends
    its child. The forge of a change is told by a worker. Raises StoreError when the database does
    not answer.
    """
    async with database.change() as conn:
        return await leases.cancel(conn, scan_id, CANCELLED, now)


async def suspend_account(database: Database, account_id: str, now: dt.datetime) -> int:
    """Let the account do nothing until it is resumed; tells how many of its scans ended by this.

    May be repeated, also after an interruption. Raises StoreError.
    """
    async with database.change() as conn:
        await accounts.suspend(conn, account_id, now)
    async with database.change() as conn:  # with what was accepted while the first one committed
        return await leases.cancel_all(conn, account_id, CANCELLED, now, notify=True)


async def remove_account(database: Database, account_id: str, now: dt.datetime) -> None:
    """Delete the account and all that is stored of it; its keys and hooks stop at once.

    No forge is told: there is no account left to speak for. An interruption leaves a suspended
    account, and repeating the call deletes the rest. Raises StoreError.
    """
    async with database.change() as conn:
        await accounts.revoke_access(conn, account_id, now)
    async with database.change() as conn:
        await leases.cancel_all(conn, account_id, CANCELLED, now, notify=False)
    while await _delete_some_scans(database, account_id):
        pass
    async with database.change() as conn:
        await accounts.forget(conn, account_id)


async def _delete_some_scans(database: Database, account_id: str) -> int:
    async with database.change() as conn:
        return await accounts.forget_scans(conn, account_id)
