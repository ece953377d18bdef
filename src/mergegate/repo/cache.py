"""Answers of engines kept between scans, by the hash of all that decides them."""

import json
import sqlite3
import time
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

_SCHEMA = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, value BLOB, used INTEGER)"
_BATCH = 5_000
_FRESH_S = 24 * 3600
"""A use is noted once a day: writing it costs more than reading the answer."""
LARGEST_BYTES = 512 * 1024 * 1024
"""The limit for all values together; beyond it the least recently used are deleted."""


class AnswerCache:
    """A file that may be deleted, damaged or locked at any time: then it holds nothing."""

    def __init__(self, file: Path, largest_bytes: int = LARGEST_BYTES) -> None:
        self._file = file
        self._largest_bytes = largest_bytes

    def recall(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """The values known under ``keys``; empty when the file cannot be read."""
        found: dict[str, bytes] = {}
        try:
            with self._open() as database:
                for start in range(0, len(keys), _BATCH):
                    found |= _batch(database, keys[start : start + _BATCH])
        except (sqlite3.Error, OSError, zlib.error):
            return {}
        return found

    def remember(self, values: Mapping[str, bytes]) -> None:
        """Keep ``values``; when that fails the next scan works harder, nothing else."""
        if not values:
            return
        now = int(time.time())
        rows = [(key, zlib.compress(value, 1), now) for key, value in values.items()]
        try:
            with self._open() as database, database:
                database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
                self._shrink(database)
        except (sqlite3.Error, OSError):
            return

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(self._file, timeout=10)) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute(_SCHEMA)
            yield database

    def _shrink(self, database: sqlite3.Connection) -> None:
        held = database.execute("SELECT coalesce(sum(length(value)), 0) FROM answers").fetchone()[0]
        if held > self._largest_bytes:
            database.execute(
                "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used, key"
                " LIMIT (SELECT count(*) / 2 FROM answers))"
            )


def _batch(database: sqlite3.Connection, keys: Sequence[str]) -> dict[str, bytes]:
    rows = database.execute(
        "SELECT key, value, used FROM answers WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keys)),),
    ).fetchall()
    now = int(time.time())
    stale = [(now, key) for key, _, used in rows if used < now - _FRESH_S]
    if stale:
        database.executemany("UPDATE answers SET used = ? WHERE key = ?", stale)
        database.commit()
    return {key: zlib.decompress(value) for key, value, _ in rows}


class RunMemory:
    """The answers of this run, in front of the lasting cache if there is one."""

    def __init__(self, lasting: AnswerCache | None = None) -> None:
        self._lasting = lasting
        self._learned: dict[str, bytes] = {}

    def recall(self, keys: Sequence[str], anew: Collection[str] = ()) -> Mapping[str, bytes]:
        """Values of this run first, then, but for those of ``anew``, of the lasting memory."""
        known = {key: self._learned[key] for key in keys if key in self._learned}
        unknown = [key for key in keys if key not in known and key not in anew]
        if self._lasting and unknown:
            known |= self._lasting.recall(unknown)
        return known

    def remember(self, values: Mapping[str, bytes]) -> None:
        """Keep ``values`` for this run, and beyond it where there is a lasting memory."""
        self._learned |= values
        if self._lasting:
            self._lasting.remember(values)
