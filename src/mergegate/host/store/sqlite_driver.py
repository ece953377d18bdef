"""SQLite on the event loop itself, with a thread for what waits alone.

SQLAlchemy's own driver for asyncio, aiosqlite, changes threads five times a statement: ten times
the work of the statement. Here a statement runs where it is asked for, which takes microseconds,
and only what may take long goes to a thread: the end of a change, which waits for the disk, and
deletions. Who meets another process's change comes again, without holding anything up.

The two classes have what SQLAlchemy 2.1 uses of aiosqlite's (``dialects/sqlite/aiosqlite.py``).
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any, TypeVar

R = TypeVar("R")
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.001, 0.02


async def connect(file: str, patience_s: float, thread: Executor) -> "Connection":
    """A connection that commits each statement by itself unless it is told to begin.

    ``thread`` is for one change at a time; ``patience_s`` is how long a statement tries to get past
    another connection's change.
    """
    made = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    return Connection(made, patience_s, thread)


class Connection:
    """Used by one task at a time."""

    def __init__(self, connection: sqlite3.Connection, patience_s: float, thread: Executor) -> None:
        self._connection = connection
        self._patience_s = patience_s
        self._thread = thread

    @property
    def isolation_level(self) -> str | None:
        """None: SQLite's own way."""
        return self._connection.isolation_level

    @property
    def in_transaction(self) -> bool:
        """Whether a change has begun and is not over."""
        return self._connection.in_transaction

    def run(self, statement: str) -> None:
        """A statement that waits for nothing and answers nothing."""
        self._connection.execute(statement)

    def cursor(self) -> "Cursor":
        """For one statement."""
        return Cursor(self, self._connection.cursor())

    async def create_function(self, *arguments: Any, **named: Any) -> None:
        """A function for statements to call."""
        self._connection.create_function(*arguments, **named)

    async def commit(self) -> None:
        """Returns when the change is on the disk."""
        await self.in_thread(self._connection.commit)

    async def rollback(self) -> None:
        """Undo the change, if one has begun."""
        self._connection.rollback()

    async def close(self) -> None:
        """End it; the last one of a file writes its log back."""
        await self.in_thread(self._connection.close)

    def stop(self) -> None:
        """End it without an event loop."""
        self._connection.close()

    async def patiently(self, work: Callable[[], R]) -> R:
        """What ``work`` returns, as soon as nobody else's change is in its way."""
        return await patiently(work, self._patience_s)

    async def in_thread(self, work: Callable[[], R]) -> R:
        """What ``work`` returns; who is cancelled meanwhile hears of it when it is done.

        Until then the connection is in use.
        """
        running = asyncio.get_running_loop().run_in_executor(self._thread, work)
        cancelled = None
        while not running.done():
            try:
                await asyncio.wait([running])
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            running.exception()
            raise cancelled
        return running.result()


async def patiently(work: Callable[[], R], patience_s: float) -> R:
    """What ``work`` returns, at once or as soon as no other connection is in its way.

    Meanwhile the event loop goes on. Raises what ``work`` does, sqlite3.OperationalError when it is
    kept out for longer than ``patience_s``.
    """
    try:
        return work()
    except sqlite3.OperationalError as error:
        if not _is_busy(error):
            raise
    end, pause_s = time.monotonic() + patience_s, _FIRST_PAUSE_S
    while True:
        await asyncio.sleep(pause_s)
        try:
            return work()
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > end:
                raise
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    """Its errors are numbered within their kind, which the lower byte tells; Python's have none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


class Cursor:
    """One statement and its rows."""

    def __init__(self, connection: Connection, cursor: sqlite3.Cursor) -> None:
        self._connection = connection
        self._cursor = cursor
        self.arraysize = cursor.arraysize

    async def __aenter__(self) -> "Cursor":
        return self

    @property
    def description(self) -> Any:
        """The columns; None without any."""
        return self._cursor.description

    @property
    def rowcount(self) -> int:
        """How many rows were changed; -1 for a question."""
        return self._cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The number of the row that was inserted last."""
        return self._cursor.lastrowid

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> "Cursor":
        """Run it."""
        run = partial(self._cursor.execute, statement, parameters)
        if statement.startswith("DELETE"):
            await self._connection.in_thread(run)
        else:
            await self._connection.patiently(run)
        return self

    async def executemany(self, statement: str, parameters: Sequence[Sequence[Any]]) -> "Cursor":
        """Run it once for each."""
        self._cursor.executemany(statement, parameters)
        return self

    async def fetchone(self) -> Any:
        """The next row; None after the last."""
        return self._cursor.fetchone()

    async def fetchmany(self, size: int | None = None) -> Sequence[Any]:
        """The next rows."""
        return self._cursor.fetchmany(size or self.arraysize)

    async def fetchall(self) -> Sequence[Any]:
        """The other rows."""
        return self._cursor.fetchall()

    async def close(self) -> None:
        """Let go of the rows."""
        self._cursor.close()
