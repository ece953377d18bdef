"""Requests and deliveries that came before: each has its effect once."""

import datetime as dt
import hashlib
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.sql import added, deleted, insert
from mergegate.host.store.tables import answers, deliveries

KEPT = dt.timedelta(hours=24)
"""Afterwards an ``Idempotency-Key`` is free again (decisions)."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """The key is this request's now."""


@dataclass(frozen=True, slots=True)
class Same:
    """The request was there before."""

    scan_id: str
    """What it was answered with."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Another request came with this key."""


async def claim(  # noqa: PLR0917 - one row, its columns in their order
    conn: AsyncConnection,
    account_id: str,
    key: str,
    body_hash: str,
    scan_id: str,
    now: dt.datetime,
) -> Fresh | Same | Conflict:
    """Take the key of that account for a request, unless one took it within :data:`KEPT`.

    Of parallel requests one is fresh; the others wait until its transaction ends, and are fresh
    themselves if that was undone. ``body_hash`` stands for all that makes the request, its path
    included.
    """
    put = insert(conn, answers).values(
        account_id=account_id,
        key=_hash(key),
        body_hash=body_hash,
        scan_id=scan_id,
        created_at=now,
    )
    renewed = {name: put.excluded[name] for name in ("body_hash", "scan_id", "created_at")}
    unless_kept = put.on_conflict_do_update(
        index_elements=["account_id", "key"],
        set_=renewed,
        where=answers.c.created_at <= now - KEPT,
    )
    if await added(conn, unless_kept):
        return Fresh()
    found = (await conn.execute(sa.select(answers).where(_is(account_id, key)))).one()
    return Same(found.scan_id) if found.body_hash == body_hash else Conflict()


async def answered(conn: AsyncConnection, account_id: str, key: str) -> str | None:
    """The scan that the account's key stands for; None where it stands for none."""
    return await conn.scalar(sa.select(answers.c.scan_id).where(_is(account_id, key)))


async def point(conn: AsyncConnection, account_id: str, key: str, scan_id: str) -> None:
    """Let a key that was claimed stand for another scan."""
    await conn.execute(sa.update(answers).where(_is(account_id, key)).values(scan_id=scan_id))


async def purge_keys(conn: AsyncConnection, now: dt.datetime) -> int:
    """Delete the keys that are free again; returns how many."""
    return await deleted(conn, answers, answers.c.created_at <= now - KEPT)


async def first_delivery(
    conn: AsyncConnection, provider: str, delivery_id: str, now: dt.datetime
) -> bool:
    """Whether the delivery is new; True for one of however many ask at once.

    It counts as seen when the transaction of ``conn`` ends well.
    """
    row = {"provider": provider, "delivery": _hash(delivery_id), "seen_at": now}
    put = insert(conn, deliveries).values(row)
    return await added(conn, put.on_conflict_do_nothing(index_elements=["provider", "delivery"]))


async def purge_deliveries(conn: AsyncConnection, before: dt.datetime) -> int:
    """Delete those that were seen before that; returns how many."""
    return await deleted(conn, deliveries, deliveries.c.seen_at < before)


def _is(account_id: str, key: str) -> sa.ColumnElement[bool]:
    return sa.and_(answers.c.account_id == account_id, answers.c.key == _hash(key))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
