"""``INSERT … ON CONFLICT``, which both databases write alike and SQLAlchemy has twice."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

Insert = postgresql.Insert | sqlite.Insert


def insert(conn: AsyncConnection, table: sa.Table[Any]) -> Insert:
    """An insertion into ``table`` in the dialect of ``conn``."""
    return _insert(conn.dialect, table)


async def added(conn: AsyncConnection, put: Insert) -> bool:
    """Whether the insertion wrote a row, new or in place of one.

    Drivers count the rows of an ``INSERT`` in different ways; what it returns is certain.
    """
    return (await conn.execute(put.returning(sa.literal(1)))).first() is not None


def _insert(dialect: sa.Dialect, table: sa.Table[Any]) -> Insert:
    return postgresql.insert(table) if dialect.name == "postgresql" else sqlite.insert(table)


class Addition:
    """One insertion that is made again and again, written once for each database.

    SQLAlchemy never keeps what it compiled of an insertion for PostgreSQL, and takes longer than
    SQLite itself to find what it kept.
    """

    def __init__(
        self, table: sa.Table[Any], columns: Sequence[str], finish: Callable[[Insert], Insert]
    ) -> None:
        """``finish`` says what happens on a conflict; its own parameters must have names."""
        self._table = table
        self._columns = columns
        self._finish = finish
        self._written: dict[str, _Written] = {}

    async def made(self, conn: AsyncConnection, values: Mapping[str, object]) -> bool:
        """As :func:`added`."""
        written = self._written.get(conn.dialect.name)
        if written is None:
            written = self._written[conn.dialect.name] = self._write(conn.dialect)
        text, parameters = written.text, written.parameters(values)
        return (await conn.exec_driver_sql(text, parameters)).first() is not None

    def _write(self, dialect: sa.Dialect) -> "_Written":
        put: Any = self._finish(_insert(dialect, self._table)).returning(sa.literal_column("1"))
        return _Written(put.compile(dialect=dialect, column_keys=list(self._columns)), dialect)


class _Written:
    """A statement in a driver's own words."""

    def __init__(self, compiled: Any, dialect: sa.Dialect) -> None:
        self.text = str(compiled)
        self._order: Sequence[str] | None = compiled.positiontup
        processors = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bind in compiled.binds.items()
        }
        self._processors = {name: one for name, one in processors.items() if one is not None}

    def parameters(self, values: Mapping[str, object]) -> Any:
        """``values`` as the driver takes them."""
        ready = dict(values)
        for name, process in self._processors.items():
            ready[name] = process(ready[name])
        return ready if self._order is None else tuple(ready[name] for name in self._order)
