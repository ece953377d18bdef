"""Delete an account with all that is stored of it, in steps that may be repeated.

First what gives access and what starts scans; then its scans, some at a time, for a host goes on
meanwhile; the account last, so that a removal that was interrupted finds it.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.scan import State
from mergegate.host.store.accounts import suspend
from mergegate.host.store.tables import (
    accounts,
    answers,
    audit_months,
    audited_sites,
    connections,
    hooks,
    keys,
    rates,
    scans,
    schedules,
)

_AT_A_TIME = 500
_OPENING = (keys, connections, hooks, schedules, answers, audit_months, audited_sites)


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much is stored of an account."""

    keys: int
    """Revoked and expired ones among them."""
    connections: int
    hooks: int
    schedules: int
    scans: int


async def holdings(conn: AsyncConnection, account_id: str) -> Holdings:
    """Count what is stored of that account."""
    counts = [
        await conn.scalar(
            sa.select(sa.func.count()).select_from(table).where(table.c.account_id == account_id)
        )
        for table in (keys, connections, hooks, schedules, scans)
    ]
    return Holdings(*(count or 0 for count in counts))


async def running(conn: AsyncConnection, account_id: str) -> Sequence[str]:
    """Identifiers of its scans that are not settled."""
    mine = (scans.c.account_id == account_id, scans.c.state == State.RUNNING)
    return list(await conn.scalars(sa.select(scans.c.id).where(*mine)))


async def disarm(conn: AsyncConnection, account_id: str, now: dt.datetime) -> None:
    """Suspend it, and delete its keys, tokens, hooks, schedules and usage."""
    await _overwriting(conn)
    await suspend(conn, account_id, now)
    mine = sa.select(keys.c.id).where(keys.c.account_id == account_id)
    await conn.execute(sa.delete(rates).where(rates.c.key_id.in_(mine)))
    for table in _OPENING:
        await conn.execute(sa.delete(table).where(table.c.account_id == account_id))


async def forget_scans(conn: AsyncConnection, account_id: str, limit: int = _AT_A_TIME) -> int:
    """Delete some of its scans with their results; returns how many, 0 when none is left."""
    await _overwriting(conn)
    some = sa.select(scans.c.id).where(scans.c.account_id == account_id).limit(limit)
    return (await conn.execute(sa.delete(scans).where(scans.c.id.in_(some)))).rowcount


async def forget(conn: AsyncConnection, account_id: str) -> bool:
    """Delete the account and what came in meanwhile; whether it was there."""
    await _overwriting(conn)
    return (await conn.execute(sa.delete(accounts).where(accounts.c.id == account_id))).rowcount > 0


async def _overwriting(conn: AsyncConnection) -> None:
    """Have SQLite overwrite what it deletes, which else stays in the file for a while."""
    if conn.dialect.name == "sqlite":
        await conn.exec_driver_sql("PRAGMA secure_delete = ON")
