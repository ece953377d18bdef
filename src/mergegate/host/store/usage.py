"""Audits without waiting, counted so that parallel requests never get one too many."""

import datetime as dt
import math
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.account import Caller
from mergegate.host.store.sql import in_utc, insert, upsert
from mergegate.host.store.tables import audit_months, audited_sites


@dataclass(frozen=True, slots=True)
class Admitted:
    """The audit may be made, and is counted."""


@dataclass(frozen=True, slots=True)
class Cooldown:
    """The same site was audited a moment ago, and the month's audits are used up."""

    wait_s: int
    """From 1 to the plan's cooldown."""


async def admit_audit(
    conn: AsyncConnection, account: Caller, site: str, now: dt.datetime
) -> Admitted | Cooldown:
    """Count an audit of ``site``, a registrable domain, or tell how long to wait.

    What is counted is so when the transaction of ``conn`` ends well; until then other audits of the
    account wait here. Plans without a limit are not counted.
    """
    allowed = account.plan.audits_without_waiting
    if allowed is None:
        return Admitted()
    used = await _used(conn, account.account_id, _month(now))
    if used >= allowed:
        wait_s = await _wait(conn, account, site, now)
        if wait_s:
            return Cooldown(wait_s)
    await _count(conn, account.account_id, site, now)
    return Admitted()


def _month(now: dt.datetime) -> str:
    return f"{in_utc(now):%Y-%m}"


async def _used(conn: AsyncConnection, account_id: str, month: str) -> int:
    """Writes the row even when it stays as it is: that locks it on PostgreSQL."""
    row = {"account_id": account_id, "month": month, "used": 0}
    put = insert(conn, audit_months).values(row)
    same = put.on_conflict_do_update(
        index_elements=["account_id", "month"], set_={"used": audit_months.c.used}
    )
    return (await conn.execute(same.returning(audit_months.c.used))).scalar_one()


async def _wait(conn: AsyncConnection, account: Caller, site: str, now: dt.datetime) -> int:
    """Seconds, 0 when the site may be audited.

    A last time that lies further ahead than a cooldown was written by a clock that was wrong.
    """
    mine = (audited_sites.c.account_id == account.account_id, audited_sites.c.site == site)
    last = await conn.scalar(sa.select(audited_sites.c.audited_at).where(*mine))
    cooldown_s = account.plan.cooldown_s
    if last is None or abs(passed_s := (now - last).total_seconds()) >= cooldown_s:
        return 0
    return min(cooldown_s, math.ceil(cooldown_s - passed_s))


async def _count(conn: AsyncConnection, account_id: str, site: str, now: dt.datetime) -> None:
    mine = (audit_months.c.account_id == account_id, audit_months.c.month == _month(now))
    await conn.execute(sa.update(audit_months).where(*mine).values(used=audit_months.c.used + 1))
    row = {"account_id": account_id, "site": site, "audited_at": now}
    await upsert(conn, audited_sites, row, key=["account_id", "site"], renew=["audited_at"])


async def purge(conn: AsyncConnection, before: dt.datetime) -> int:
    """Delete the sites that were last audited before that; returns how many."""
    old = sa.delete(audited_sites).where(audited_sites.c.audited_at < before)
    return (await conn.execute(old)).rowcount
