"""The one database of a host, and its transactions."""

import sqlite3
from collections.abc import AsyncIterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from mergegate.host.store import sqlite_driver
from mergegate.host.store.address import BUSY_S, Address, address, claim_file
from mergegate.host.store.finished import Finished
from mergegate.host.store.peeking import Peeks, SqlitePeeks
from mergegate.host.store.together import PostgresPeeks
from mergegate.host.store.trouble import drop_read_only, told_plainly
from mergegate.host.store.turns import Turns

_CHANGES = "mergegate_changes"
"""Execution option of connections whose transaction will write."""
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
_POOL_WAIT_S = 10
_PEEKS = 2
"""Connections to PostgreSQL beside the pool; each answers thousands of point reads a second."""


class Database:
    """Belongs to one event loop. The tables are :func:`mergegate.host.store.migrate`'s."""

    def __init__(self, where: Address, pool: int) -> None:
        self.address = where
        self.is_sqlite = where.file is not None
        """Whether it is a file on this machine."""
        self._thread = ThreadPoolExecutor(1, "mergegate-database")
        self._engine = _engine(where, pool, self._thread)
        self._reads = _for_reading(where, self._engine)
        self._changes = self._engine.execution_options(**{_CHANGES: True})
        self._turns = Turns(self._changes) if where.file else None
        self.finished = Finished()
        """What looks have fetched of scans that are over."""
        self.peeks: Peeks = SqlitePeeks(where) if where.file else PostgresPeeks(where, _PEEKS)

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
        """For looking; each statement sees what was committed when it began.

        Raises StoreError for what the database does.
        """
        with told_plainly():
            async with self._reads.connect() as conn:
                yield conn

    @asynccontextmanager
    async def change(self) -> AsyncIterator[AsyncConnection]:
        """One transaction: committed at the end, undone by any exception.

        On SQLite one at a time: those of this process queue fairly and may share a transaction
        (:mod:`.turns`), so none ends it by itself; those of others wait for
        :data:`.address.BUSY_S`. Raises StoreError for what the database does.
        """
        begin = self._changes.begin if self._turns is None else self._turns.change
        with told_plainly():
            async with begin() as conn:
                yield conn

    async def close(self) -> None:
        """End every connection."""
        if self._turns is not None:
            await self._turns.close()
        await self.peeks.close()
        await self._engine.dispose()
        self._thread.shutdown()


def _engine(where: Address, pool: int, thread: Executor) -> AsyncEngine:
    options = {"hide_parameters": True, "pool_size": pool, "max_overflow": 0}
    if where.file is None:
        # After a restart of the server each pooled connection is dead once.
        reach = {"connect_args": dict(where.arguments), "pool_pre_ping": True}
        engine = create_async_engine(
            where.asynchronous, pool_timeout=_POOL_WAIT_S, **options, **reach
        )
        sa.event.listen(engine.sync_engine, "handle_error", drop_read_only)
        return engine
    creator = partial(sqlite_driver.connect, str(where.file), BUSY_S, thread)
    engine = create_async_engine(
        where.asynchronous, pool_timeout=_POOL_WAIT_S, **options, async_creator=creator
    )
    sa.event.listen(engine.sync_engine, "connect", set_up_sqlite)
    sa.event.listen(engine.sync_engine, "begin", begin_sqlite)
    return engine


def _for_reading(where: Address, engine: AsyncEngine) -> AsyncEngine:
    """SQLite's connections commit each statement by themselves unless they are told to begin."""
    return engine if where.file else engine.execution_options(isolation_level="AUTOCOMMIT")


def set_up_sqlite(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    """What each connection to SQLite needs: it forgets these between connections."""
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def begin_sqlite(connection: sa.Connection) -> None:
    """A transaction that will write takes its turn at once: later it could only fail."""
    if connection.get_execution_options().get(_CHANGES):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def waiting_engine(where: Address) -> sa.Engine:
    """For callers without an event loop; every transaction may write, none is pooled."""
    engine = sa.create_engine(
        where.waiting,
        connect_args=dict(where.arguments),
        hide_parameters=True,
        poolclass=sa.pool.NullPool,
        execution_options={_CHANGES: True},
    )
    if where.file:
        sa.event.listen(engine, "connect", set_up_sqlite)
        sa.event.listen(engine, "begin", begin_sqlite)
    return engine
