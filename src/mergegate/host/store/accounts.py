"""Accounts: who owns keys, connections and scans, and how an account is removed.

A removal has steps that may be repeated. First what gives access and what starts scans; then its
scans, some at a time, for a host goes on meanwhile; the account last, so that a removal that was
interrupted finds it.
"""

import datetime as dt
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.host.account import PLANS, Account, Plan
from mergegate.host.scan import State
from mergegate.host.store.sql import added, deleted, insert
from mergegate.host.store.tables import (
    accounts,
    answers,
    audit_months,
    audited_sites,
    connections,
    consoles,
    hooks,
    keys,
    rates,
    scans,
    schedules,
)
from mergegate.site.level import RANDOM_BYTES, identifier


async def create(
    conn: AsyncConnection,
    name: str,
    plan: Plan,
    now: dt.datetime,
    random: Callable[[int], bytes] = secrets.token_bytes,
) -> Account:
    """A new account; raises UsageError when there is one of that name."""
    made = Account(identifier("acc_", now, random(RANDOM_BYTES)), name, plan, now)
    row = {"id": made.id, "name": name, "plan": plan.name, "created_at": now}
    put = insert(conn, accounts).values(row).on_conflict_do_nothing(index_elements=["name"])
    if not await added(conn, put):
        raise _given(name)
    return made


def _given(name: str) -> UsageError:
    return UsageError(f"there is an account {name!r} already", remedy="Choose another name.")


async def named(conn: AsyncConnection, name: str) -> Account | None:
    """The account of that name; None also for what no database takes as text."""
    if not name.isprintable():
        return None
    row = (await conn.execute(sa.select(accounts).where(accounts.c.name == name))).first()
    return None if row is None else _account(row)


async def plan(conn: AsyncConnection, account_id: str) -> Plan:
    """The account's plan."""
    mine = sa.select(accounts.c.plan).where(accounts.c.id == account_id)
    return plan_of(await conn.scalar(mine) or "")


async def is_there(conn: AsyncConnection, account_id: str) -> bool:
    """Whether the account exists."""
    mine = sa.select(accounts.c.id).where(accounts.c.id == account_id)
    return await conn.scalar(mine) is not None


async def listed(conn: AsyncConnection) -> Sequence[Account]:
    """Every account, by name."""
    return [_account(row) for row in await conn.execute(sa.select(accounts).order_by("name"))]


async def set_plan(conn: AsyncConnection, account_id: str, plan: Plan) -> None:
    """Change the plan; used audits stay used, so returning to the free plan gives no new ones."""
    await conn.execute(
        sa.update(accounts).where(accounts.c.id == account_id).values(plan=plan.name)
    )


async def rename(conn: AsyncConnection, account_id: str, name: str) -> None:
    """Raises UsageError when there is an account of that name."""
    changed = sa.update(accounts).where(accounts.c.id == account_id).values(name=name)
    try:
        await conn.execute(changed)
    except sa.exc.IntegrityError as error:
        raise _given(name) from error


async def suspend(conn: AsyncConnection, account_id: str, now: dt.datetime) -> bool:
    """Stop its keys, hooks and schedules from working; whether they worked until now."""
    served = (accounts.c.id == account_id, accounts.c.suspended_at.is_(None))
    done = await conn.execute(sa.update(accounts).where(*served).values(suspended_at=now))
    return done.rowcount > 0


async def resume(conn: AsyncConnection, account_id: str) -> bool:
    """Have them work again as before; whether it was suspended."""
    rests = (accounts.c.id == account_id, accounts.c.suspended_at.is_not(None))
    done = await conn.execute(sa.update(accounts).where(*rests).values(suspended_at=None))
    return done.rowcount > 0


def plan_of(name: str) -> Plan:
    """The plan of that name; the free one for a name that this release does not know."""
    return PLANS.get(name, PLANS["free"])


def _account(row: sa.Row[Any]) -> Account:
    return Account(row.id, row.name, plan_of(row.plan), row.created_at, row.suspended_at)


_AT_A_TIME = 500
_OPENING = (keys, connections, consoles, hooks, schedules, answers, audit_months, audited_sites)


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


async def revoke_access(conn: AsyncConnection, account_id: str, now: dt.datetime) -> None:
    """Suspend it, and delete its keys, tokens, hooks, schedules and usage."""
    await _overwriting(conn)
    await suspend(conn, account_id, now)
    mine = sa.select(keys.c.id).where(keys.c.account_id == account_id)
    await deleted(conn, rates, rates.c.key_id.in_(mine))
    for table in _OPENING:
        await deleted(conn, table, table.c.account_id == account_id)


async def forget_scans(conn: AsyncConnection, account_id: str, limit: int = _AT_A_TIME) -> int:
    """Delete some of its scans with their results; returns how many, 0 when none is left."""
    await _overwriting(conn)
    some = sa.select(scans.c.id).where(scans.c.account_id == account_id).limit(limit)
    return await deleted(conn, scans, scans.c.id.in_(some))


async def forget(conn: AsyncConnection, account_id: str) -> bool:
    """Delete the account and what came in meanwhile; whether it was there."""
    await _overwriting(conn)
    return await deleted(conn, accounts, accounts.c.id == account_id) > 0


async def _overwriting(conn: AsyncConnection) -> None:
    """Have SQLite overwrite what it deletes, which else stays in the file for a while."""
    if conn.dialect.name == "sqlite":
        await conn.exec_driver_sql("PRAGMA secure_delete = ON")
