"""Deliveries of hooks that were seen: providers send again, and so do attackers."""

import datetime as dt
import hashlib

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.tables import deliveries
from mergegate.host.store.upsert import added, insert


async def first_time(
    conn: AsyncConnection, provider: str, delivery_id: str, now: dt.datetime
) -> bool:
    """Whether the delivery is new; True for one of however many ask at once.

    It counts as seen when the transaction of ``conn`` ends well.
    """
    hashed = hashlib.sha256(delivery_id.encode("utf-8", "surrogatepass")).hexdigest()
    row = {"provider": provider, "delivery": hashed, "seen_at": now}
    put = insert(conn, deliveries).values(row)
    return await added(conn, put.on_conflict_do_nothing(index_elements=["provider", "delivery"]))


async def purge(conn: AsyncConnection, before: dt.datetime) -> int:
    """Forget those that were seen before that; tells how many."""
    old = sa.delete(deliveries).where(deliveries.c.seen_at < before)
    return (await conn.execute(old)).rowcount
