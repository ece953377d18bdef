"""``INSERT … ON CONFLICT``, which both databases write alike and SQLAlchemy has twice."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert(conn: AsyncConnection, table: sa.Table[Any]) -> postgresql.Insert | sqlite.Insert:
    """An insertion into ``table`` in the dialect of ``conn``."""
    if conn.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


async def added(conn: AsyncConnection, put: postgresql.Insert | sqlite.Insert) -> bool:
    """Whether the insertion wrote a row, new or in place of one.

    Drivers count the rows of an ``INSERT`` in different ways; what it returns is certain.
    """
    return (await conn.execute(put.returning(sa.literal(1)))).first() is not None
