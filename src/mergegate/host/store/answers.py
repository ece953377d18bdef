"""What an ``Idempotency-Key`` was first answered with, for a day."""

import datetime as dt
import hashlib
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.moment import Moment
from mergegate.host.store.tables import answers
from mergegate.host.store.upsert import Addition, Insert

KEPT = dt.timedelta(hours=24)
"""Afterwards the key is free again (decisions)."""


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
    row = {
        "account_id": account_id,
        "key": (hashed := _hash(key)),
        "body_hash": body_hash,
        "scan_id": scan_id,
        "created_at": now,
    }
    if await _UNLESS_KEPT.made(conn, {**row, "free_before": now - KEPT}):
        return Fresh()
    mine = (answers.c.account_id == account_id, answers.c.key == hashed)
    found = (await conn.execute(sa.select(answers).where(*mine))).one()
    return Same(found.scan_id) if found.body_hash == body_hash else Conflict()


async def told(conn: AsyncConnection, account_id: str, key: str) -> str | None:
    """The scan that the account's key stands for; None where it stands for none."""
    mine = (answers.c.account_id == account_id, answers.c.key == _hash(key))
    return await conn.scalar(sa.select(answers.c.scan_id).where(*mine))


async def point(conn: AsyncConnection, account_id: str, key: str, scan_id: str) -> None:
    """Let a key that was claimed stand for another scan."""
    mine = (answers.c.account_id == account_id, answers.c.key == _hash(key))
    await conn.execute(sa.update(answers).where(*mine).values(scan_id=scan_id))


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _unless_kept(put: Insert) -> Insert:
    return put.on_conflict_do_update(
        index_elements=["account_id", "key"],
        set_={name: put.excluded[name] for name in ("body_hash", "scan_id", "created_at")},
        where=answers.c.created_at <= sa.bindparam("free_before", type_=Moment),
    )


_UNLESS_KEPT = Addition(
    answers, ("account_id", "key", "body_hash", "scan_id", "created_at"), _unless_kept
)


async def purge(conn: AsyncConnection, now: dt.datetime) -> int:
    """Forget the keys that are free again; tells how many."""
    old = sa.delete(answers).where(answers.c.created_at <= now - KEPT)
    return (await conn.execute(old)).rowcount
