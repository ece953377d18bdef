"""The SQLite file: its tables, how a record is written into a row, and what is asked of it."""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mergegate.core.errors import StoreError
from mergegate.packages.dependencies import AdvisoryRecord, AdvisorySource, AffectedRange
from mergegate.packages.ecosystems import package_key

SCHEMA = "3"
_BODY = (
    *("aliases", "summary", "severity", "cvss", "cwe", "references", "informational", "flags"),
    *("published", "modified", "ranges", "versions", "imports", "symbols"),
)
"""A record's fields in the order of a row's body; another order is another schema."""
_FLAGS = ("malicious", "known_exploited", "imprecise")

# Texts that nearly every record holds: small rows shrink by a third with them.
_COMMON = (
    b'"2021-0"2022-0"2023-0"2024-0"2025-0"2026-0T00:00:00Z","affected","fixed","introduced",'
    b'"medium","critical","high","low","unmaintained","unsound","CWE-79","CWE-400",'
    b'"https://nvd.nist.gov/vuln/detail/CVE-20","https://github.com/pull/","https://github.com/'
    b'/commit/","https://github.com/issues/","https://github.com/advisories/GHSA-","GHSA-'
    b'"https://rustsec.org/advisories/RUSTSEC-202.html","/security/advisories/GHSA-","CVE-2024-'
    b'"CVE-2023-","CVE-2022-","CVE-2021-","CVE-2025-","PYSEC-202","GO-202","vulnerability in the '
    b' allows a remote attacker to denial of service[["SEMVER",[["introduced","0"],["fixed","'
    b'[["ECOSYSTEM",[["introduced","0"],["fixed","1.0.","2.0.","0.1.'
)

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
    ecosystem TEXT PRIMARY KEY, records INTEGER NOT NULL, newest TEXT NOT NULL,
    imported_at TEXT NOT NULL, label TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE affected (
    ecosystem TEXT NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (ecosystem, name, id)
) WITHOUT ROWID;
CREATE TABLE exploitation (
    list TEXT NOT NULL, cve TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (list, cve)
) WITHOUT ROWID;
"""


class OtherVersion(StoreError):
    """A store that another version of ours wrote: it is replaced, and nothing of it kept."""


def create(path: Path) -> sqlite3.Connection:
    """A new, empty store that is not yet anybody's."""
    connection = sqlite3.connect(path, isolation_level=None)
    # The file is renamed into place only when it is whole: a journal would guard nothing.
    connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
    connection.executescript(_TABLES)
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", (SCHEMA,))
    return connection


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The store, read-only; raises StoreError when it is damaged or of another version."""
    with explained(path):
        address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        # Engines run in threads of their own and only read.
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        try:
            (found,) = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
            if found != SCHEMA:
                raise OtherVersion(
                    f"the advisory store {path.name} was written by another version of Mergegate",
                    remedy="Run `mergegate advisories update`.",
                )
            yield connection
        finally:
            connection.close()


def refuse_others(path: Path) -> None:
    """Raises StoreError unless the file has our tables and nothing else.

    A view or trigger holds code that SQLite would run, possibly without end, in each reader.
    """
    theirs = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with explained(path), closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(_TABLES)
        with closing(sqlite3.connect(theirs, uri=True)) as found:
            if _schema(found) != _schema(fresh):
                raise ValueError("it has other tables")


def _schema(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    asked = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    return connection.execute(asked).fetchall()


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """SQLite's errors as StoreError."""
    try:
        yield
    except (sqlite3.Error, TypeError, ValueError, zlib.error) as error:
        raise StoreError(
            f"the advisory store {path.name} cannot be read: it is damaged",
            remedy="Delete it and run `mergegate advisories update`.",
        ) from error


def packed(record: AdvisoryRecord) -> bytes:
    """A row's body."""
    made: dict[str, Any] = {
        "flags": [int(getattr(record, name)) for name in _FLAGS],
        "ranges": [[piece.kind, piece.events] for piece in record.ranges],
    }
    values = [made[name] if name in made else getattr(record, name) for name in _BODY]
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_COMMON)
    return packer.compress(text.encode("utf-8", "replace")) + packer.flush()


def unpacked(id: str, body: bytes) -> AdvisoryRecord:
    """The record in a row."""
    values = json.loads(zlib.decompressobj(-15, zdict=_COMMON).decompress(body))
    told: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in zip(_BODY, values, strict=True)
    }
    told |= zip(_FLAGS, map(bool, told.pop("flags")), strict=True)
    told["ranges"] = tuple(_range(kind, events) for kind, events in told["ranges"])
    return AdvisoryRecord(id=id, **told)


def _range(kind: str, events: list[list[str]]) -> AffectedRange:
    return AffectedRange(kind, tuple((name, version) for name, version in events))


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """What the store holds."""

    sources: tuple[AdvisorySource, ...]
    """Sorted by ecosystem."""

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
        """One entry an imported ecosystem or list, sorted; raises StoreError."""
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

    def exploitation(self, name: str, cves: Sequence[str]) -> float | None:
        """The highest value that the list ``name`` has of them; None without; raises StoreError."""
        asked = "SELECT value FROM exploitation WHERE list = ? AND cve = ?"
        with explained(self._path):
            rows = (self._connection.execute(asked, (name, cve)).fetchone() for cve in cves)
            return max((float(row[0]) for row in rows if row), default=None)


def open_store(path: Path) -> AdvisoryStore | None:
    """The store at ``path``; None when there is none; raises StoreError when it is damaged."""
    return AdvisoryStore(path) if path.is_file() else None


def status(path: Path) -> StoreStatus | None:
    """What the store at ``path`` holds; None without one of this version; raises StoreError."""
    try:
        store = open_store(path)
    except OtherVersion:
        return None
    if store is None:
        return None
    with store:
        return StoreStatus(store.sources())


def _sources(connection: sqlite3.Connection) -> tuple[AdvisorySource, ...]:
    rows = connection.execute(
        "SELECT ecosystem, records, newest, imported_at, label FROM source ORDER BY ecosystem"
    )
    return tuple(AdvisorySource(*row) for row in rows)
