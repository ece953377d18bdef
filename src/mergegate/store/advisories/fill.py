"""Fill the store: whole ecosystems at a time, the new file in place of the old at once."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import httpx

from mergegate.errors import StoreError
from mergegate.model.facts.dependencies import AdvisorySource
from mergegate.store.advisories import tables
from mergegate.store.advisories.dumps import Budget, Document, documents
from mergegate.store.advisories.fetch import download, shown
from mergegate.store.advisories.records import (
    Imported,
    MalformedError,
    is_withdrawn,
    modified,
    read_record,
)

DEFAULT_BASE = "https://osv-vulnerabilities.storage.googleapis.com"
"""OSV's public bucket: ``{base}/{ecosystem}/all.zip``."""
DEFAULT_ECOSYSTEMS = ("PyPI", "npm", "Go", "crates.io")


_Row = tuple[str | int | bytes, ...]


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update did."""

    sources: tuple[AdvisorySource, ...]
    """The ecosystems that were replaced."""
    withdrawn: int
    malformed: int
    """Documents that were skipped: no record of OSV's schema, or refused by the archive reader."""


def update(
    source: str | Path,
    store: Path,
    *,
    ecosystems: Sequence[str] = (),
    client: httpx.Client | None = None,
) -> Updated:
    """Replace in ``store`` every ecosystem that ``source`` holds, and keep the others.

    ``source``: a folder, a zip, a record, or an https address: of one zip (``….zip``), or the
    base under which ``{ecosystem}/all.zip`` lie for ``ecosystems`` (default: the four that
    Mergegate reads lock files of). For folders and zips ``ecosystems`` narrows what is taken.
    All or nothing: raises StoreError and leaves the store as it was.
    """
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        with _alone(store), _workplace(store) as folder:
            return _rebuilt(folder, _fetched(source, folder, ecosystems, client), ecosystems, store)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"the advisory store {store.name} cannot be written: {error}") from error


def _rebuilt(
    folder: Path, dumps: Iterable[tuple[Path, str]], ecosystems: Sequence[str], store: Path
) -> Updated:
    fresh = folder / "store.sqlite"
    with closing(tables.create(fresh)) as connection:
        draft = _Draft(connection, frozenset(ecosystems), Budget())
        for dump, label in dumps:
            draft.add(dump, label)
        draft.refuse_nonsense()
        result = draft.finish(store)
    _replace(fresh, store)
    return result


@dataclass(slots=True)
class _Tally:
    """What was imported of one ecosystem."""

    label: str
    ids: set[str] = field(default_factory=set)
    newest: str = ""


@dataclass(slots=True)
class _Draft:
    """The new store while it is filled."""

    connection: sqlite3.Connection
    wanted: frozenset[str]
    budget: Budget
    tallies: dict[str, _Tally] = field(default_factory=dict)
    withdrawn: int = 0
    malformed: int = 0

    def add(self, dump: Path, label: str) -> None:
        """Import one dump; raises StoreError on a bomb."""
        self.connection.execute("BEGIN")
        for document in documents(dump, self.budget):
            self._take(document, label)
        self.connection.execute("COMMIT")

    def _take(self, document: Document, source: str) -> None:
        try:
            content = _parsed(document)
            imported = read_record(content)
        except MalformedError:
            self.malformed += 1
            return
        self.withdrawn += is_withdrawn(content)
        for part in imported:
            # A record in PyPI's dump may name an npm package too: one is not all of npm's.
            if document.label in ("", part.ecosystem) and self._wants(part):
                self._write(part, source, modified(content))

    def _wants(self, part: Imported) -> bool:
        return not self.wanted or part.ecosystem in self.wanted

    def _write(self, part: Imported, source: str, changed: str) -> None:
        tally = self.tallies.setdefault(part.ecosystem, _Tally(source))
        tally.ids.add(part.record.id)
        tally.newest = max(tally.newest, changed)
        self.connection.execute(
            "INSERT OR REPLACE INTO affected VALUES (?, ?, ?, ?)",
            (part.ecosystem, part.name, part.record.id, tables.packed(part.record)),
        )

    def refuse_nonsense(self) -> None:
        """A dump without records, or with hardly any, would read as a clean bill of health."""
        records = sum(len(tally.ids) for tally in self.tallies.values())
        if not records:
            what = f"the dump holds no advisories ({self.malformed} files in it are no records)"
            raise StoreError(what, remedy="Name a zip or folder of OSV records.")
        if self.malformed > records:
            raise StoreError(
                f"{self.malformed} files of the dump are no OSV records: it is damaged"
            )

    def finish(self, old: Path) -> Updated:
        """Take over the other ecosystems from ``old``."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        new = tuple(
            AdvisorySource(name, len(tally.ids), tally.newest, now, tally.label)
            for name, tally in sorted(self.tallies.items())
        )
        if old.is_file():
            self._take_over(old)
        for source in new:
            row = (source.ecosystem, source.records, source.newest, now, source.source)
            self.connection.execute("INSERT INTO source VALUES (?, ?, ?, ?, ?)", row)
        return Updated(new, self.withdrawn, self.malformed)

    def _take_over(self, old: Path) -> None:
        with tables.reading(old) as other:
            sources = other.execute("SELECT * FROM source")
            rows = other.execute("SELECT * FROM affected")
            self.connection.execute("BEGIN")
            self.connection.executemany(
                "INSERT INTO source VALUES (?, ?, ?, ?, ?)", self._kept(sources)
            )
            self.connection.executemany(
                "INSERT INTO affected VALUES (?, ?, ?, ?)", self._kept(rows)
            )
            self.connection.execute("COMMIT")

    def _kept(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        return (row for row in rows if row[0] not in self.tallies)


def _parsed(document: Document) -> object:
    if document.data is None:
        raise MalformedError("it was refused")
    try:
        return json.loads(document.data)
    except (ValueError, RecursionError) as error:
        raise MalformedError("it is not JSON") from error


def _fetched(
    source: str | Path, folder: Path, ecosystems: Sequence[str], client: httpx.Client | None
) -> list[tuple[Path, str]]:
    """Each dump as a local path, with the name under which the status shows it."""
    if isinstance(source, Path) or "://" not in source:
        return [(Path(source), Path(source).name)]
    if source.startswith("file://"):
        path = Path(httpx.URL(source).path)
        return [(path, path.name)]
    addresses = _addresses(source, ecosystems or DEFAULT_ECOSYSTEMS)
    found = []
    for name, address in addresses:
        target = folder / f"{name or 'dump'}.zip"
        download(address, target, client)
        found.append((target, shown(address)))
    return found


def _addresses(source: str, ecosystems: Sequence[str]) -> list[tuple[str, str]]:
    base = shown(source)
    if base.endswith(".zip"):
        name = base.removesuffix("/all.zip").rpartition("/")[2].removesuffix(".zip")
        return [(name, source)]
    return [(name, f"{source.rstrip('/')}/{quote(name)}/all.zip") for name in ecosystems]


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    """One update at a time; the lock ends with the process, however that ends."""
    lock = sqlite3.connect(store.with_name(f"{store.name}.lock"), timeout=1, isolation_level=None)
    try:
        _take_lock(lock)
        yield
    finally:
        lock.close()


def _take_lock(lock: sqlite3.Connection) -> None:
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        what = "the advisory store is being updated already, or is not writable"
        raise StoreError(what) from error


@contextmanager
def _workplace(store: Path) -> Iterator[Path]:
    """A folder on the store's own file system, so that the last step is a rename."""
    prefix = f"{store.name}-"
    with tempfile.TemporaryDirectory(prefix=prefix, dir=store.parent) as folder:
        yield Path(folder)


def _replace(new: Path, store: Path) -> None:
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(store)
    if os.name == "posix":
        folder = os.open(store.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
