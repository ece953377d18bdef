"""PostgreSQL's looks: those that are asked while one is under way go together in the next.

A look takes its time for the driver and the way to the server, not for its row: ten at once cost
hardly more than one.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any

import psycopg

from mergegate.host.store.address import Address
from mergegate.host.store.peeking import WAIT_S
from mergegate.host.store.questions import Question, Values
from mergegate.host.store.trouble import DatabaseRefused, told_plainly

_TRIES = 3
"""Of connections that were made and then broke; one that cannot be made is enough."""
_LOST = ("08", "57P")
"""Classes of errors after which a connection is gone (PostgreSQL 15, appendix A): lost, ended."""
_Connection = psycopg.AsyncConnection[tuple[Any, ...]]
_Row = tuple[Any, ...]


class PostgresPeeks:
    """A few connections of its own; whoever leaves, nobody else's look ends with it."""

    def __init__(self, where: Address, most: int) -> None:
        self._conninfo = where.conninfo
        self._most = most
        self._idle: list[_Connection] = []
        self._waiting: deque[_Look] = deque()
        self._at_work: set[asyncio.Task[None]] = set()
        self._busy = 0
        self._is_called = False

    async def row(self, question: Question, values: Values) -> Sequence[Any] | None:
        """As in :class:`.peeking.Peeks`; a connection that broke is made anew."""
        look = _Look(question, values)
        self._waiting.append(look)
        self._call()
        patience = asyncio.get_running_loop().call_later(WAIT_S, look.give_up)
        try:
            with told_plainly():
                return await look.found
        finally:
            patience.cancel()

    async def close(self) -> None:
        """As in :class:`.peeking.Peeks`; who still waits is told."""
        for task in self._at_work:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)
        _fail(self._waiting, _closed())
        self._waiting.clear()
        self._busy, self._is_called = 0, False
        while self._idle:
            await self._idle.pop().close()

    def _call(self) -> None:
        """Somebody is to take what waits: in a moment, when more may have come."""
        if self._is_called or self._busy >= self._most:
            return
        self._is_called = True
        self._busy += 1
        task = asyncio.create_task(self._work())
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def _work(self) -> None:
        self._is_called = False
        try:
            while looks := self._next():
                await self._settle(looks)
        finally:
            self._busy -= 1

    def _next(self) -> "list[_Look]":
        """The first that waits, and those behind it that ask the same."""
        looks: list[_Look] = []
        while self._waiting and (not looks or _may_join(self._waiting[0], looks)):
            look = self._waiting.popleft()
            if not look.found.done():  # else they left
                looks.append(look)
        return looks

    async def _settle(self, looks: "Sequence[_Look]") -> None:
        """Answer them all; what one of them alone is to blame for is told to that one alone."""
        try:
            async with asyncio.timeout(WAIT_S):
                rows = await self._rows(looks)
        except asyncio.CancelledError:
            _fail(looks, _closed())
            raise
        except TimeoutError:
            _fail(looks, _late())
        except psycopg.Error as error:
            if len(looks) == 1 or _is_lost(error):
                _fail(looks, error)
            else:
                await self._settle_each(looks)
        except Exception as error:
            _fail(looks, error)
        else:
            for at, look in enumerate(looks, 1):
                look.end(rows.get(at))

    async def _settle_each(self, looks: "Sequence[_Look]") -> None:
        for one in looks:
            if not one.found.done():
                await self._settle([one])

    async def _rows(self, looks: "Sequence[_Look]") -> dict[int, _Row]:
        """By the number of the look, from 1 on."""
        tries = 0
        while True:
            if self._idle:
                connection = self._idle.pop()
            else:
                tries += 1
                connection = await self._connect()
            try:
                return await self._ask(connection, looks)
            except psycopg.Error as error:
                if tries == _TRIES or not _is_lost(error):
                    raise

    async def _ask(self, connection: _Connection, looks: "Sequence[_Look]") -> dict[int, _Row]:
        """A connection that anything went wrong with is not kept."""
        question = looks[0].question
        given = question.of_many([one.values for one in looks])
        try:
            found = await connection.execute(question.for_postgresql, given)
            rows = await found.fetchall()
        except BaseException:
            await connection.close()
            raise
        self._idle.append(connection)
        return {row[0]: row[1:] for row in rows}

    async def _connect(self) -> _Connection:
        return await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)


class _Look:
    """What one caller waits for."""

    __slots__ = ("found", "question", "values")

    def __init__(self, question: Question, values: Values) -> None:
        self.question = question
        self.values = values
        self.found: asyncio.Future[_Row | None] = asyncio.get_running_loop().create_future()

    def end(self, row: _Row | None) -> None:
        """Tell them, if they are still there."""
        if not self.found.done():
            self.found.set_result(row)

    def give_up(self) -> None:
        """Tell them that it takes too long."""
        _fail((self,), _late())


def _may_join(look: _Look, others: Sequence[_Look]) -> bool:
    return look.question is others[0].question and len(others) < look.question.most_together


def _fail(looks: "Sequence[_Look]", error: Exception) -> None:
    for one in looks:
        if not one.found.done():
            one.found.set_exception(error)


def _is_lost(error: psycopg.Error) -> bool:
    """What the client itself finds out about its connection has no code."""
    return isinstance(error, psycopg.OperationalError) and (
        error.sqlstate is None or error.sqlstate.startswith(_LOST)
    )


def _late() -> DatabaseRefused:
    return DatabaseRefused("the database does not answer in time", remedy="Try again.")


def _closed() -> DatabaseRefused:
    return DatabaseRefused("the database was closed meanwhile", remedy="Try again.")
