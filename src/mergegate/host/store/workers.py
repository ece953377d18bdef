"""Heartbeats of workers, by the database's clock, which all of them share."""

import os
import secrets
import socket

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.sql import DatabaseClock, upsert
from mergegate.host.store.tables import workers


def new_id() -> str:
    """Names the machine for people, and tells this process from any other there ever was."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(8)}"


def machine_of(id: str) -> str:
    """The host name in :func:`new_id`; one may begin as another does, and hold hyphens too."""
    return id.rsplit("-", 2)[0]


async def beat(conn: AsyncConnection, id: str) -> None:
    """Note that the worker lives."""
    row = {"id": id, "beat_at": DatabaseClock()}
    await upsert(conn, workers, row, key=["id"], renew=["beat_at"])


async def alive(conn: AsyncConnection, ttl_s: float) -> frozenset[str]:
    """Workers whose last heartbeat is at most ``ttl_s`` away.

    One that lies further ahead was written before the clock was set back: a living worker beats
    again at once, and a dead one must not live on until the clock gets there.
    """
    now = DatabaseClock()
    recent = workers.c.beat_at.between(now - ttl_s, now + ttl_s)
    return frozenset(await conn.scalars(sa.select(workers.c.id).where(recent)))


async def leave(conn: AsyncConnection, id: str) -> None:
    """Delete the worker, which ends in order."""
    await conn.execute(sa.delete(workers).where(workers.c.id == id))


async def bury(conn: AsyncConnection, ttl_s: float) -> int:
    """Delete those without a heartbeat for ``ttl_s``; returns how many."""
    silent = workers.c.beat_at <= DatabaseClock() - ttl_s
    return (await conn.execute(sa.delete(workers).where(silent))).rowcount
