"""Who carries scans and lives: heartbeats by the database's clock, which all of them share."""

import os
import secrets
import socket

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.clock import DatabaseClock
from mergegate.host.store.tables import workers
from mergegate.host.store.upsert import insert


def new_id() -> str:
    """Names the machine for people, and tells this process from any other there ever was."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(8)}"


def machine_of(id: str) -> str:
    """The host name in :func:`new_id`; one may begin as another does, and hold hyphens too."""
    return id.rsplit("-", 2)[0]


async def beat(conn: AsyncConnection, id: str) -> None:
    """The worker lives."""
    put = insert(conn, workers).values(id=id, beat_at=DatabaseClock())
    await conn.execute(
        put.on_conflict_do_update(index_elements=["id"], set_={"beat_at": DatabaseClock()})
    )


async def alive(conn: AsyncConnection, ttl_s: float) -> frozenset[str]:
    """Workers that were heard of within ``ttl_s``.

    What lies further ahead than that was said before the clock was set back: whoever lives says it
    again at once, and whoever does not must not live on until the clock gets there.
    """
    now = DatabaseClock()
    recent = workers.c.beat_at.between(now - ttl_s, now + ttl_s)
    return frozenset(await conn.scalars(sa.select(workers.c.id).where(recent)))


async def leave(conn: AsyncConnection, id: str) -> None:
    """The worker is no more, and says so."""
    await conn.execute(sa.delete(workers).where(workers.c.id == id))


async def bury(conn: AsyncConnection, ttl_s: float) -> int:
    """Forget those that were not heard of for ``ttl_s``; tells how many."""
    silent = workers.c.beat_at <= DatabaseClock() - ttl_s
    return (await conn.execute(sa.delete(workers).where(silent))).rowcount
