"""What accounts and keys have used: audits without waiting, and requests of each key.

Audits are counted so that parallel requests never get one too many; requests as the processes of a
host report them to each other.
"""

import datetime as dt
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.account import Caller
from mergegate.host.store.sql import DatabaseClock, deleted, in_utc, insert, upsert
from mergegate.host.store.tables import audit_months, audited_sites, rates, scans

SITES_KEPT = dt.timedelta(days=1)
"""How long it is known when a site was audited: longer than any cooldown."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The audit may be made."""

    is_counted: bool = True
    """Whether it uses up one of the month."""


@dataclass(frozen=True, slots=True)
class Cooldown:
    """The same site was audited a moment ago, and the month's audits are used up."""

    wait_s: int
    """From 1 to the plan's cooldown."""


@dataclass(frozen=True, slots=True)
class AuditsLeft:
    """Audits without waiting, of a plan that has a limit."""

    most: int
    left: int
    renewed_in_s: int
    """Until the month is over, in UTC."""


async def admit_audit(
    conn: AsyncConnection, account: Caller, site: str, now: dt.datetime
) -> Admitted | Cooldown:
    """Count an audit of ``site``, a registrable domain, or tell how long to wait.

    What is counted is so when the transaction of ``conn`` ends well; until then other audits of the
    account wait here. Plans without a limit are not counted.
    """
    allowed = account.plan.audits_without_waiting
    if allowed is None:
        return Admitted(is_counted=False)
    used = await _used(conn, account.account_id, _month(now))
    if used >= allowed:
        wait_s = await _wait(conn, account, site, now)
        if wait_s:
            return Cooldown(wait_s)
    await _count(conn, account.account_id, site, now)
    return Admitted(is_counted=True)


async def give_back(conn: AsyncConnection, scan_id: str, account_id: str, site: str) -> None:
    """What the audit, which was counted for ``site`` and has failed, took: nobody was answered.

    The site was last audited when another audit of it was accepted that has not failed.
    """
    mine = (scans.c.account_id == account_id, scans.c.audited_site == site)
    taken = sa.update(scans).where(scans.c.id == scan_id).values(audited_site=None)
    accepted = (await conn.execute(taken.returning(scans.c.created_at))).scalar_one()
    month = (audit_months.c.account_id == account_id, audit_months.c.month == _month(accepted))
    less = sa.update(audit_months).where(*month, audit_months.c.used > 0)
    await conn.execute(less.values(used=audit_months.c.used - 1))
    lately = scans.c.created_at > accepted - SITES_KEPT
    last = await conn.scalar(sa.select(sa.func.max(scans.c.created_at)).where(*mine, lately))
    here = (audited_sites.c.account_id == account_id, audited_sites.c.site == site)
    if last is None:
        await deleted(conn, audited_sites, *here)
    else:
        await conn.execute(sa.update(audited_sites).where(*here).values(audited_at=last))


async def audits_left(
    conn: AsyncConnection, account: Caller, now: dt.datetime
) -> AuditsLeft | None:
    """What the plan leaves of this month; None where it sets no limit."""
    most = account.plan.audits_without_waiting
    if most is None:
        return None
    mine = (audit_months.c.account_id == account.account_id, audit_months.c.month == _month(now))
    used = await conn.scalar(sa.select(audit_months.c.used).where(*mine)) or 0
    today = in_utc(now)
    midnight = today.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    next_month = (midnight + dt.timedelta(days=31)).replace(day=1)
    return AuditsLeft(most, max(0, most - used), math.ceil((next_month - today).total_seconds()))


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
    return await deleted(conn, audited_sites, audited_sites.c.audited_at < before)


KEPT_S = 60.0
"""Seconds after which a report no longer counts."""


@dataclass(frozen=True, slots=True)
class Use:
    """Requests of one key within the last minute."""

    requests: int
    frees_in_s: float
    """Seconds until the oldest of them no longer counts."""


async def share_requests(conn: AsyncConnection, process: str, used: Mapping[str, Use]) -> None:
    """Report each key's use in ``process``, in place of its last report."""
    if not used:
        return
    put = insert(conn, rates).values(
        key_id=sa.bindparam("key_id"),
        process=process,
        requests=sa.bindparam("requests"),
        told_at=DatabaseClock(),
        frees_at=DatabaseClock() + sa.bindparam("frees_in_s", type_=sa.Double),
    )
    renewed = {name: put.excluded[name] for name in ("requests", "told_at", "frees_at")}
    await conn.execute(
        put.on_conflict_do_update(index_elements=["key_id", "process"], set_=renewed),
        [
            {"key_id": key_id, "requests": one.requests, "frees_in_s": one.frees_in_s}
            for key_id, one in used.items()
        ],
    )


async def requests_elsewhere(conn: AsyncConnection, process: str) -> Mapping[str, Use]:
    """Each key's use in all processes but ``process`` together."""
    c = rates.c
    recent = (c.process != process, c.requests > 0, c.told_at > DatabaseClock() - KEPT_S)
    frees_in: sa.ColumnElement[Any] = sa.func.min(c.frees_at) - DatabaseClock()
    asked = sa.select(c.key_id, sa.func.sum(c.requests), frees_in).where(*recent)
    found = await conn.execute(asked.group_by(c.key_id))
    return {row[0]: Use(int(row[1]), float(row[2])) for row in found}


async def prove_writable(conn: AsyncConnection) -> None:
    """Write a row that counts for no key: what a database that takes no changes cannot answer."""
    await share_requests(conn, "", {"": Use(0, 0.0)})


async def purge_rates(conn: AsyncConnection) -> int:
    """Delete reports that no longer count, a while later; returns how many."""
    old = rates.c.told_at <= DatabaseClock() - 2 * KEPT_S
    return await deleted(conn, rates, old)
