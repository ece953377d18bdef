"""One row at once: what a service does thousands of times a second goes straight to the driver.

Through SQLAlchemy the same read takes five times as long on PostgreSQL, and two changes of thread
on SQLite.
"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString, Protocol

import psycopg
import sqlalchemy as sa

from mergegate.errors import StoreError
from mergegate.store.service.address import Address
from mergegate.store.service.trouble import told_plainly

_WAIT_S = 10
_BUSY_S = 0.1
"""Readers wait for nobody in write-ahead logging, save while a file is recovered after a crash."""


def in_both(question: sa.Select[*tuple[Any, ...]]) -> tuple[str, str]:
    """As SQLite's driver takes it, and as PostgreSQL's."""
    return _written(question, "sqlite", paramstyle="named"), _written(
        question, "postgresql+psycopg"
    )


def _written(question: sa.Select[*tuple[Any, ...]], driver: str, **options: str) -> str:
    return str(question.compile(dialect=sa.make_url(f"{driver}://").get_dialect()(**options)))


class Peeks(Protocol):
    """Reads of one row, outside of any transaction, on one event loop."""

    async def row(
        self, statement: LiteralString, parameters: Mapping[str, Any]
    ) -> Sequence[Any] | None:
        """The first row, None without any; in the driver's own writing and types.

        Raises StoreError for what the database does.
        """

    async def close(self) -> None:
        """End every connection."""


class SqlitePeeks:
    """On the event loop itself: a look-up by an index is over before a thread would have begun."""

    def __init__(self, where: Address) -> None:
        self._file = str(where.file)
        self._connection: sqlite3.Connection | None = None

    async def row(
        self, statement: LiteralString, parameters: Mapping[str, Any]
    ) -> Sequence[Any] | None:
        """As in :class:`Peeks`."""
        with told_plainly():
            rows = self._open().execute(statement, parameters).fetchall()
        return rows[0] if rows else None

    async def close(self) -> None:
        """As in :class:`Peeks`."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, timeout=_BUSY_S, isolation_level=None)
            self._connection.execute("PRAGMA query_only = ON")
        return self._connection


class PostgresPeeks:
    """A few connections of its own, each for one read at a time."""

    def __init__(self, where: Address, most: int) -> None:
        self._conninfo = where.conninfo
        self._places = asyncio.Semaphore(most)
        self._idle: list[psycopg.AsyncConnection[tuple[Any, ...]]] = []

    async def row(
        self, statement: LiteralString, parameters: Mapping[str, Any]
    ) -> Sequence[Any] | None:
        """As in :class:`Peeks`; a connection that died while it was idle is made anew."""
        try:
            async with asyncio.timeout(_WAIT_S), self._places:
                with told_plainly():
                    return await self._read(statement, parameters)
        except TimeoutError as error:
            raise StoreError("the database does not answer in time", remedy="Try again.") from error

    async def close(self) -> None:
        """As in :class:`Peeks`."""
        while self._idle:
            await self._idle.pop().close()

    async def _read(
        self, statement: LiteralString, parameters: Mapping[str, Any]
    ) -> Sequence[Any] | None:
        while self._idle:
            try:
                return await self._asked(self._idle.pop(), statement, parameters)
            except psycopg.OperationalError:
                continue
        return await self._asked(await self._connect(), statement, parameters)

    async def _asked(
        self,
        connection: psycopg.AsyncConnection[tuple[Any, ...]],
        statement: LiteralString,
        parameters: Mapping[str, Any],
    ) -> Sequence[Any] | None:
        """A connection that anything went wrong with, a caller that left included, is not kept."""
        try:
            found = await connection.execute(statement, parameters)
            row = await found.fetchone()
        except BaseException:
            await connection.close()
            raise
        self._idle.append(connection)
        return row

    async def _connect(self) -> psycopg.AsyncConnection[tuple[Any, ...]]:
        return await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
