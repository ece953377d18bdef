"""What models cost in each month, kept in the data folder and shared by all scans that use it."""

import datetime as dt
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mergegate.core.errors import StoreError

_SCHEMA = "CREATE TABLE IF NOT EXISTS spent (month TEXT PRIMARY KEY, money INTEGER NOT NULL)"
_ADD = "INSERT INTO spent VALUES (?, max(?, 0)) ON CONFLICT DO UPDATE SET money = max(money + ?, 0)"
_WAIT_S = 2.0


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()


class Spent:
    """A :class:`~mergegate.model.budget.Month` in a file."""

    def __init__(self, file: Path, today: Callable[[], dt.date] = _today) -> None:
        self._file = file
        self._today = today

    def spend(self, money: int, most: int) -> bool:
        """Add ``money`` unless more than ``most`` is spent then; raises StoreError."""
        with self._open() as database:
            if money > 0 and self._of(database) + money > most:
                return False
            database.execute(_ADD, (self._month, money, money))
        return True

    @property
    def money(self) -> int:
        """What was spent in this month; raises StoreError."""
        with self._open() as database:
            return self._of(database)

    @property
    def _month(self) -> str:
        return self._today().strftime("%Y-%m")

    def _of(self, database: sqlite3.Connection) -> int:
        found = database.execute("SELECT money FROM spent WHERE month = ?", (self._month,))
        return int((found.fetchone() or [0])[0])

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One transaction, which others wait for: two scans must not both take what is left."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            opened = sqlite3.connect(self._file, timeout=_WAIT_S, isolation_level=None)
            with closing(opened) as database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(_SCHEMA)
                yield database
                database.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                "what models cost in this month cannot be counted",
                remedy="Let this account write into the data folder (MERGEGATE_DATA_DIR).",
            ) from error
