"""Ask the store: what is known about a package, and how fresh that is."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from mergegate.packages.advisories.tables import explained, reading, unpacked
from mergegate.packages.dependencies import AdvisoryRecord, AdvisorySource
from mergegate.packages.ecosystems import package_key


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """What the store holds."""

    sources: tuple[AdvisorySource, ...]
    """Sorted by ecosystem."""
    size_bytes: int

    @property
    def newest(self) -> str:
        """When the newest record of all was modified, ISO 8601; empty for an empty store."""
        return max((source.newest for source in self.sources), default="")


class AdvisoryStore:
    """An opened store; a context manager. Updates meanwhile do not disturb it."""

    def __init__(self, path: Path) -> None:
        """Open ``path``; raises StoreError when it is damaged."""
        self._path = path
        self._context = reading(path)
        self._connection = self._context.__enter__()

    def __enter__(self) -> "AdvisoryStore":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    def sources(self) -> tuple[AdvisorySource, ...]:
        """One entry an imported ecosystem, sorted; raises StoreError."""
        with explained(self._path):
            return _sources(self._connection)

    def lookup(self, ecosystem: str, name: str) -> tuple[AdvisoryRecord, ...]:
        """Every record on the package, sorted by id; raises StoreError."""
        # A lock file may spell half a surrogate pair: no package is called so, and no UTF-8.
        key = package_key(ecosystem, name).encode("utf-8", "backslashreplace").decode()
        with explained(self._path):
            rows = self._connection.execute(
                "SELECT id, body FROM affected WHERE ecosystem = ? AND name = ? ORDER BY id",
                (ecosystem, key),
            )
            return tuple(unpacked(id, body) for id, body in rows)


def open_store(path: Path) -> AdvisoryStore | None:
    """The store at ``path``; None when there is none; raises StoreError when it is damaged."""
    return AdvisoryStore(path) if path.is_file() else None


def status(path: Path) -> StoreStatus | None:
    """What the store at ``path`` holds; None when there is none; raises StoreError."""
    store = open_store(path)
    if store is None:
        return None
    with store:
        return StoreStatus(store.sources(), path.stat().st_size)


def _sources(connection: sqlite3.Connection) -> tuple[AdvisorySource, ...]:
    rows = connection.execute(
        "SELECT ecosystem, records, newest, imported_at, label FROM source ORDER BY ecosystem"
    )
    return tuple(AdvisorySource(*row) for row in rows)
