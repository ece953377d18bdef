"""The database's own clock, which all processes of a host share."""

import datetime as dt
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class DatabaseClock(FunctionElement[float]):
    """Seconds since 1970 as the statement runs, not as its transaction began."""

    type = sa.Double()
    inherit_cache = True


@compiles(DatabaseClock, "sqlite")
def _of_sqlite(_: DatabaseClock, __: SQLCompiler, **___: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(DatabaseClock, "postgresql")
def _of_postgresql(_: DatabaseClock, __: SQLCompiler, **___: Any) -> str:
    return "extract(epoch from clock_timestamp())::float8"


async def database_now(conn: AsyncConnection) -> dt.datetime:
    """What that clock says, in UTC."""
    return dt.datetime.fromtimestamp(
        (await conn.execute(sa.select(DatabaseClock()))).scalar_one(), dt.UTC
    )
