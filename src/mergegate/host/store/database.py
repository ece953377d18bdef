"""The one database of a host, and its transactions."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from mergegate.host.store.address import Address, address, claim_file
from mergegate.host.store.database_errors import drop_read_only, translated_errors

_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
_POOL_WAIT_S = 10
_QUEUE_S = 15
"""How long a change waits for those of the same process on SQLite."""
_READ_S = 20
"""How long a read may take, the wait for a connection or a lock included."""


class Database:
    """Belongs to one event loop. The tables are :func:`mergegate.host.store.migrate`'s."""

    def __init__(self, where: Address, pool: int) -> None:
        self.address = where
        self.is_sqlite = where.file is not None
        """Whether it is a file on this machine."""
        self._reads, self._changes = (_sqlite if where.file else _postgresql)(where, pool)

    @classmethod
    def open(cls, url: str, *, pool: int = 10) -> "Database":
        """No connection is made yet, of at most ``pool`` at a time.

        Raises UsageError for a URL that names no database of ours (:func:`.address.address`), and
        StoreError when the SQLite file cannot be made.
        """
        where = address(url)
        if where.file:
            claim_file(where.file)
        return cls(where, pool)

    @property
    def url(self) -> str:
        """As it was given; it may hold a password."""
        return self.address.given

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for queries; each sees what was committed when it began.

        Raises DatabaseUnavailable for what the database does, an answer that is late included.
        """
        with translated_errors():
            async with asyncio.timeout(_READ_S), self._reads.connect() as conn:
                yield conn

    @asynccontextmanager
    async def change(self) -> AsyncIterator[AsyncConnection]:
        """One transaction: committed at the end, undone by any exception.

        On SQLite one at a time: those of this process queue for a single connection, first come,
        first served; those of other processes wait for :data:`.address.BUSY_S`. Raises
        DatabaseUnavailable for what the database does.
        """
        with translated_errors():
            async with self._changes.begin() as conn:
                yield conn

    async def close(self) -> None:
        """End every connection."""
        await self._reads.dispose()
        await self._changes.dispose()


def _postgresql(where: Address, pool: int) -> tuple[AsyncEngine, AsyncEngine]:
    """Two views of one pool: for reads, each in a transaction of its own, and for changes."""
    engine = create_async_engine(
        where.asynchronous,
        connect_args=dict(where.arguments),
        hide_parameters=True,
        pool_size=pool,
        max_overflow=0,
        pool_timeout=_POOL_WAIT_S,
        pool_pre_ping=True,  # after a restart of the server each pooled connection is dead once
    )
    sa.event.listen(engine.sync_engine, "handle_error", drop_read_only)
    return engine.execution_options(isolation_level="AUTOCOMMIT"), engine


def _sqlite(where: Address, pool: int) -> tuple[AsyncEngine, AsyncEngine]:
    """A pool for reads, and a single connection for changes."""
    options = {
        "connect_args": dict(where.arguments),
        "hide_parameters": True,
        "max_overflow": 0,
    }
    reads = create_async_engine(
        where.asynchronous,
        **options,
        pool_size=pool,
        pool_timeout=_POOL_WAIT_S,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
    )
    changes = create_async_engine(where.asynchronous, **options, pool_size=1, pool_timeout=_QUEUE_S)
    sa.event.listen(reads.sync_engine, "connect", _set_up_sqlite)
    _begin_immediately(changes.sync_engine)
    return reads, changes


def _begin_immediately(engine: sa.Engine) -> None:
    """Have SQLite's transactions take the write lock as they begin; later they could only fail.

    The driver's own transactions are switched off by :attr:`.address.Address.arguments`
    (SQLAlchemy 2.1, SQLite dialect, "Serializable isolation / Savepoints / Transactional DDL").
    """
    sa.event.listen(engine, "connect", _set_up_sqlite)
    sa.event.listen(engine, "begin", lambda conn: conn.exec_driver_sql("BEGIN IMMEDIATE"))


def _set_up_sqlite(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """SQLite forgets these settings with each connection, but for the journal's mode."""
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def waiting_engine(where: Address) -> sa.Engine:
    """For callers without an event loop; every transaction may write, none is pooled."""
    engine = sa.create_engine(
        where.waiting,
        connect_args=dict(where.arguments),
        hide_parameters=True,
        poolclass=sa.pool.NullPool,
    )
    if where.file:
        _begin_immediately(engine)
    return engine
