"""SQL that SQLite and PostgreSQL write alike: times in UTC, the clock, upserts, text they take."""

import datetime as dt
import re
from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

Insert = postgresql.Insert | sqlite.Insert
_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")


class UtcDateTime(sa.TypeDecorator[dt.datetime]):
    """An aware time in UTC with microseconds.

    SQLite holds it as text that sorts by time, PostgreSQL as ``timestamptz``.
    """

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, _: sa.Dialect) -> dt.datetime | None:
        """Raises ValueError for a time without a zone."""
        return None if value is None else in_utc(value)

    def process_result_value(self, value: dt.datetime | None, _: sa.Dialect) -> dt.datetime | None:
        """SQLite's own type gives no zone; PostgreSQL's gives the session's."""
        if value is None or value.tzinfo is None:
            return value and value.replace(tzinfo=dt.UTC)
        return value.astimezone(dt.UTC)


def in_utc(moment: dt.datetime) -> dt.datetime:
    """The same moment in UTC; raises ValueError for a time without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return moment.astimezone(dt.UTC)


class DatabaseClock(FunctionElement[float]):
    """The database's own clock, which all processes of a host share.

    Seconds since 1970 as the statement runs, not as its transaction began.
    """

    type = sa.Double()
    inherit_cache = True


@compiles(DatabaseClock, "sqlite")
def _sqlite_clock(_: DatabaseClock, __: SQLCompiler, **___: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(DatabaseClock, "postgresql")
def _postgresql_clock(_: DatabaseClock, __: SQLCompiler, **___: Any) -> str:
    return "extract(epoch from clock_timestamp())::float8"


async def database_now(conn: AsyncConnection) -> dt.datetime:
    """The time by the database's clock, in UTC."""
    seconds = (await conn.execute(sa.select(DatabaseClock()))).scalar_one()
    return dt.datetime.fromtimestamp(seconds, dt.UTC)


def insert(conn: AsyncConnection, table: sa.Table[Any]) -> Insert:
    """An insertion in the dialect of ``conn``, which knows ``ON CONFLICT``."""
    on_postgresql = conn.dialect.name == "postgresql"
    return postgresql.insert(table) if on_postgresql else sqlite.insert(table)


async def added(conn: AsyncConnection, put: Insert) -> bool:
    """Whether the insertion wrote a row, new or in place of one.

    Drivers count the rows of an ``INSERT`` in different ways; what it returns is certain.
    """
    return (await conn.execute(put.returning(sa.literal(1)))).first() is not None


async def deleted(
    conn: AsyncConnection, table: sa.Table[Any], *where: sa.ColumnElement[bool]
) -> int:
    """Delete the rows of which all of ``where`` holds; returns how many there were."""
    return (await conn.execute(sa.delete(table).where(*where))).rowcount


async def upsert(
    conn: AsyncConnection,
    table: sa.Table[Any],
    row: Mapping[str, object],
    *,
    key: Collection[str],
    renew: Collection[str],
) -> None:
    """Insert ``row``; where one has the same ``key`` columns, update its ``renew`` columns."""
    put = insert(conn, table).values(row)
    renewed = {name: put.excluded[name] for name in renew}
    await conn.execute(put.on_conflict_do_update(index_elements=list(key), set_=renewed))


def safe_id(id: str) -> str:
    """``id``, or the empty string, which no row has, where it cannot be an identifier.

    Databases refuse some text (a null, a surrogate); the query is made all the same, so that a
    malformed identifier takes as long as an unknown one.
    """
    return id if _ID.fullmatch(id) else ""


def storable(text: str) -> str:
    """``text`` with what databases refuse, nulls and surrogates, replaced."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
