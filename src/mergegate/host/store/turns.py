"""SQLite's changes take turns, and those that queue meanwhile share one wait for the disk.

A change takes its time for the disk, not for its statements: while one commit is on its way, others
line up, and all that stand in line then become one transaction.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import cast

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction

from mergegate.host.store import sqlite_driver
from mergegate.host.store.trouble import DatabaseRefused

_MOST_TOGETHER = 64
"""Other processes wait for all of them."""
_LONGEST_QUEUE_S = 15
"""While another process is in the middle of a change nobody's turn comes, and more and more ask."""


class Turns:
    """The changes of one process, first come, first served. Belongs to one event loop."""

    def __init__(self, engine: AsyncEngine) -> None:
        """``engine`` begins each transaction as one that writes."""
        self._engine = engine
        self._turn = asyncio.Lock()
        self._group: _Group | None = None

    @asynccontextmanager
    async def change(self) -> AsyncIterator[AsyncConnection]:
        """One change: it ends when it is on the disk; an exception undoes it, and it alone.

        An exception comes out when that which it may be about, the changes before in the same
        transaction, is on the disk. Where they cannot be written, that comes out for all of them.
        Raises StoreError when its turn does not come in time.
        """
        group: _Group | None = None
        try:
            async with self._own_turn():
                group = await self._joined()
                with group.part():
                    yield group.connection
        except Exception:
            if group is not None:
                await group.written()
            raise
        await group.written()

    async def close(self) -> None:
        """Returns when nothing is on its way to the disk."""
        async with self._turn:
            if self._group is not None:
                await self._commit(self._group)

    @asynccontextmanager
    async def _own_turn(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(_LONGEST_QUEUE_S):
                await self._turn.acquire()
        except TimeoutError as error:
            raise DatabaseRefused(
                "the database is locked: too many changes wait", remedy="Try again."
            ) from error
        try:
            yield
        finally:
            self._turn.release()

    async def _joined(self) -> "_Group":
        if self._group is not None and not self._group.has_room:
            await asyncio.shield(asyncio.ensure_future(self._commit(self._group)))
        if self._group is None:
            self._group = await _Group.open(self._engine)
            # It gets in line behind those who wait already: they are in.
            self._group.end = asyncio.create_task(self._end(self._group))
        return self._group

    async def _end(self, group: "_Group") -> None:
        async with self._turn:
            if self._group is group:
                await self._commit(group)

    async def _commit(self, group: "_Group") -> None:
        self._group = None
        try:
            await group.commit()
        except Exception as error:
            group.over.set_exception(error)
        else:
            group.over.set_result(None)


class _Group:
    """Changes in one transaction, one after the other."""

    def __init__(
        self,
        connection: AsyncConnection,
        transaction: AsyncTransaction,
        driver: sqlite_driver.Connection,
    ) -> None:
        self.connection = connection
        self.end: asyncio.Task[None] | None = None
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transaction = transaction
        self._driver = driver
        self._size = 0

    @classmethod
    async def open(cls, engine: AsyncEngine) -> "_Group":
        """Begin one; returns when no other process changes anything."""
        connection = await engine.connect()
        try:
            transaction = await connection.begin()
            raw = await connection.get_raw_connection()
        except BaseException:
            await connection.close()
            raise
        return cls(connection, transaction, cast("sqlite_driver.Connection", raw.driver_connection))

    @property
    def has_room(self) -> bool:
        """Whether one more may come in."""
        return self._size < _MOST_TOGETHER and self._is_whole

    @property
    def _is_whole(self) -> bool:
        """Whether the transaction still holds all that was done in it.

        SQLite ends it by itself when the disk is full, SQLAlchemy when a caller leaves in the
        middle of a statement.
        """
        alive = self._transaction.is_active and not self.connection.invalidated
        return alive and self._driver.in_transaction

    @contextmanager
    def part(self) -> Iterator[None]:
        """One of them."""
        self._size += 1
        self._driver.run("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if self._is_whole:
                self._driver.run("ROLLBACK TO part")
                self._driver.run("RELEASE part")
            raise
        self._driver.run("RELEASE part")

    async def commit(self) -> None:
        """Write them all, or raise for all."""
        try:
            if not self._is_whole:
                raise DatabaseRefused(
                    "the changes could not be written together", remedy="Try again."
                )
            await self._transaction.commit()
        finally:
            await self.connection.close()

    async def written(self) -> None:
        """Returns when they are on the disk; raises what kept them from it."""
        await asyncio.shield(self.over)
