"""One row at once: what a service does thousands of times a second goes straight to the driver.

Through SQLAlchemy the same read takes five times as long on PostgreSQL, and two changes of thread
on SQLite.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any, Protocol

from mergegate.host.store.address import Address
from mergegate.host.store.questions import Question, Values
from mergegate.host.store.sqlite_driver import patiently
from mergegate.host.store.trouble import told_plainly

WAIT_S = 10
"""How long a look may take, whatever it waits for."""


class Peeks(Protocol):
    """Reads of one row, outside of any transaction, on one event loop."""

    async def row(self, question: Question, values: Values) -> Sequence[Any] | None:
        """The row, None without any; in the driver's own types.

        Raises StoreError for what the database does, :data:`WAIT_S` of silence included.
        """

    async def close(self) -> None:
        """End every connection."""


class SqlitePeeks:
    """On the event loop itself: a look-up by an index is over before a thread would have begun."""

    def __init__(self, where: Address) -> None:
        self._file = str(where.file)
        self._connection: sqlite3.Connection | None = None

    async def row(self, question: Question, values: Values) -> Sequence[Any] | None:
        """As in :class:`Peeks`.

        Readers wait for nobody in write-ahead logging, save while a file is recovered after a
        crash, or held by a program that is alone with it: then others go on meanwhile.
        """
        given = question.of_one(values)
        with told_plainly():
            rows = await patiently(lambda: self._ask(question.for_sqlite, given), WAIT_S)
        return rows[0] if rows else None

    async def close(self) -> None:
        """As in :class:`Peeks`."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, statement: str, given: dict[str, str | None]) -> list[Any]:
        """All rows: a statement that is not read to its end keeps its transaction open."""
        if self._connection is None:
            opened = sqlite3.connect(self._file, timeout=0, isolation_level=None)
            opened.execute("PRAGMA query_only = ON")
            self._connection = opened
        return self._connection.execute(statement, given).fetchall()
