"""The one database of a host, its transactions, and its errors as errors of ours.

No error tells a statement or a value of one.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import psycopg
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from mergegate.core.errors import StoreError
from mergegate.host.store.address import Address, address, claim_file

_REACH = "Check that the database runs and that MERGEGATE_DATABASE_URL names it."
_MIGRATE = "Start `mergegate serve` once: it makes and renews the tables."
_AGAIN = "Try again: others are using it."
_REMEDIES = (
    (("disk is full", "no space left", "could not extend file", "diskfull"), "Free disk space."),
    (("no such table", "no such column", "undefinedtable", "undefinedcolumn"), _MIGRATE),
    (("database is locked", "lock timeout", "too many"), _AGAIN),
    (("readonly", "read-only"), "Let this account write the database."),
    (("not a database", "malformed"), "Restore the file from a backup."),
    (("unable to open",), "Check that the file's folder exists and may be written."),
    (("disk i/o error",), "Check the disk that holds the database."),
)
_CALLERS = (sa.exc.IntegrityError, sa.exc.DataError)
"""The database works; what it was asked is wrong."""


class DatabaseUnavailable(StoreError):
    """The database is away, full or busy: the same may be asked again later."""


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raises DatabaseUnavailable for errors of the database; errors of its caller pass through."""
    try:
        yield
    except _CALLERS:
        raise
    except sa.exc.TimeoutError as error:
        raise DatabaseUnavailable(
            "every connection to the database is in use", remedy=_AGAIN
        ) from error
    except TimeoutError as error:
        raise DatabaseUnavailable("the database does not answer in time", remedy=_REACH) from error
    except sa.exc.DBAPIError as error:
        raise _unavailable(error.orig or error) from error
    except (sqlite3.Error, psycopg.Error) as error:
        raise _unavailable(error) from error


def drop_read_only(context: sa.ExceptionContext) -> None:
    """Close sessions in which nothing can be written; an engine's ``handle_error`` listener.

    After a failover, or while an operator forbids changes, they would stay so for ever; a new one
    finds out how it stands.
    """
    if isinstance(context.original_exception, psycopg.errors.ReadOnlySqlTransaction):
        context.is_disconnect = True


def _unavailable(error: BaseException) -> DatabaseUnavailable:
    said = " ".join(str(error).split("\n")[0].split())
    known = f"{type(error).__name__} {said}".lower()
    remedy = next((remedy for signs, remedy in _REMEDIES if any(s in known for s in signs)), _REACH)
    return DatabaseUnavailable(f"the database refused: {said}", remedy=remedy)


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
