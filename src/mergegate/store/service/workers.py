"""Who carries scans and lives: heartbeats by the database's clock, which all of them share."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from mergegate.store.service.tables import workers
from mergegate.store.service.upsert import insert


class _Clock(FunctionElement[float]):
    """Seconds since 1970 as the statement runs, not as its transaction began."""

    type = sa.Double()
    inherit_cache = True


@compiles(_Clock, "sqlite")
def _of_sqlite(_: _Clock, __: SQLCompiler, **___: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(_Clock, "postgresql")
def _of_postgresql(_: _Clock, __: SQLCompiler, **___: Any) -> str:
    return "extract(epoch from clock_timestamp())::float8"


async def beat(conn: AsyncConnection, id: str) -> None:
    """The worker lives."""
    put = insert(conn, workers).values(id=id, beat_at=_Clock())
    await conn.execute(put.on_conflict_do_update(index_elements=["id"], set_={"beat_at": _Clock()}))


async def alive(conn: AsyncConnection, ttl_s: float) -> frozenset[str]:
    """Workers that were heard of within ``ttl_s``."""
    recent = workers.c.beat_at > _Clock() - ttl_s
    return frozenset(await conn.scalars(sa.select(workers.c.id).where(recent)))


async def leave(conn: AsyncConnection, id: str) -> None:
    """The worker is no more, and says so."""
    await conn.execute(sa.delete(workers).where(workers.c.id == id))


async def bury(conn: AsyncConnection, ttl_s: float) -> int:
    """Forget those that were not heard of for ``ttl_s``; tells how many."""
    silent = workers.c.beat_at <= _Clock() - ttl_s
    return (await conn.execute(sa.delete(workers).where(silent))).rowcount
