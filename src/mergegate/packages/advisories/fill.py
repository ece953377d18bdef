"""Fill the store: whole ecosystems at a time, the new file in place of the old at once."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from mergegate.core.errors import StoreError
from mergegate.packages import known_flaw
from mergegate.packages.advisories import exploitation, placing, tables
from mergegate.packages.advisories.dumps import Budget, Document, documents
from mergegate.packages.advisories.exploitation import LISTS, Exploitation
from mergegate.packages.advisories.fetch import Absent, Unreachable, is_base, path_of, shown
from mergegate.packages.advisories.records import (
    Imported,
    MalformedError,
    is_withdrawn,
    modified,
    read_record,
)
from mergegate.packages.advisories.tables import status
from mergegate.packages.dependencies import AdvisoryRecord, AdvisorySource
from mergegate.packages.ecosystems import ECOSYSTEMS

if TYPE_CHECKING:
    import httpx

DEFAULT_BASE = "https://osv-vulnerabilities.storage.googleapis.com"
"""OSV's public bucket: ``{base}/{ecosystem}/all.zip``."""
DEFAULT_ECOSYSTEMS = tuple(ECOSYSTEMS)
_PATIENCE_S = 60.0
"""Others only complete a store meanwhile, unless a person updates it."""
_SECONDS = len("2026-01-31T23:59:59")
_LEAST_SHARE = 0.5
"""Advisories are withdrawn one by one: a dump with fewer of those that we know is a broken one."""


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
    client: "httpx.Client | None" = None,
) -> Updated:
    """Replace in ``store`` every ecosystem that ``source`` holds, and keep the others.

    ``source``: a folder, a zip, a record, a list of what is exploited (:mod:`exploitation`), or an
    https address: of one zip (``….zip``), or the base under which ``{ecosystem}/all.zip`` lie for
    ``ecosystems`` (default: those that Mergegate reads lock files of). Of folders and zips
    ``ecosystems`` narrows what is taken.
    All or nothing: raises StoreError and leaves the store as it was. Of the usual ones a base may
    lack some: what the store has of these is kept.
    """
    with _explained(store), placing.alone(store), placing.workplace(store) as folder:
        updated = draft(source, folder, ecosystems=ecosystems, client=client)
        placing.complete(folder / placing.DRAFT, store)
        placing.replace(folder / placing.DRAFT, store)
    return updated


def draft(
    source: str | Path,
    folder: Path,
    *,
    ecosystems: Sequence[str] = (),
    client: "httpx.Client | None" = None,
) -> Updated:
    """Write what :func:`update` would import into ``folder``, for :func:`adopt`.

    Raises StoreError, and leaves nothing that could be adopted.
    """
    unfinished = folder / "unfinished.sqlite"
    with _explained(unfinished):
        drafted = _drafted(unfinished, _fetched(source, folder, ecosystems, client), ecosystems)
        unfinished.rename(folder / placing.DRAFT)
    return drafted


def _drafted(file: Path, dumps: Sequence[tuple[Path, str]], ecosystems: Sequence[str]) -> Updated:
    with closing(tables.create(file)) as connection:
        made = _Draft(connection, frozenset(ecosystems), Budget())
        for dump, label in dumps:
            made.add(dump, label)
        made.refuse_nonsense()
        return made.finish()


def adopt(folder: Path, store: Path, ecosystems: Sequence[str] = ()) -> Sequence[AdvisorySource]:
    """Put what :func:`draft` wrote into ``folder`` in the place of ``store``; tells what that is.

    Other ecosystems of ``store`` are kept. Raises StoreError, and leaves it as it was, when one of
    ``ecosystems`` is missing, or so much of one is that it can hardly be all.
    """
    fresh = folder / placing.DRAFT
    with _explained(store), placing.alone(store, _PATIENCE_S):
        placing.own(fresh)
        new, old = status(fresh), status(store)
        drafted = new.sources if new else ()
        _refuse_loss(drafted, old.sources if old else (), ecosystems)
        placing.complete(fresh, store)
        placing.replace(fresh, store)
    return drafted


def renew(source: str, store: Path, ecosystem: str) -> None:
    """Replace one ecosystem of ``store`` by what ``source`` has of it.

    Raises StoreError, and leaves the store as it was, as :func:`adopt` does.
    """
    with _explained(store):
        store.parent.mkdir(parents=True, exist_ok=True)
        with placing.workplace(store) as folder:
            draft(source, folder, ecosystems=(ecosystem,))
            adopt(folder, store, (ecosystem,))


def _refuse_loss(
    new: Sequence[AdvisorySource], old: Sequence[AdvisorySource], ecosystems: Sequence[str]
) -> None:
    drafted = {one.ecosystem: one.records for one in new}
    if missing := sorted(set(ecosystems) - set(drafted) - set(LISTS)):
        raise StoreError(f"the dump holds nothing about {' and '.join(missing)}")
    for one in old:
        records = drafted.get(one.ecosystem, one.records)
        if records < one.records * _LEAST_SHARE:
            raise StoreError(
                f"the dump has {records:,} advisories about {one.ecosystem}, the store has"
                f" {one.records:,}: it is hardly whole",
                remedy="If it is, import it once by `mergegate advisories update`.",
            )


@contextmanager
def _explained(store: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"the advisory store {store.name} cannot be written: {error}") from error


@dataclass(slots=True)
class _Tally:
    """What was imported of one ecosystem."""

    label: str
    ids: set[str] = field(default_factory=set)
    newest: str = ""
    """A date that is still to come tells nothing of how much the dump knows."""


@dataclass(slots=True)
class _Draft:
    """The new store while it is filled."""

    connection: sqlite3.Connection
    wanted: frozenset[str]
    budget: Budget
    begun: datetime = field(default_factory=lambda: datetime.now(UTC))
    """What changes at its source from now on may not be in it."""
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
            if isinstance(content, Exploitation):
                self._take_list(content, source)
                return
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

    def _take_list(self, listed: Exploitation, source: str) -> None:
        """The younger of two states of one list."""
        known = self.tallies.get(listed.name)
        published = self._believed(listed.published)
        is_late = known is not None and known.newest >= published
        if is_late or (self.wanted and listed.name not in self.wanted):
            return
        self.tallies[listed.name] = _Tally(source, set(listed.values), published)
        self.connection.execute("DELETE FROM exploitation WHERE list = ?", (listed.name,))
        rows = ((listed.name, cve, value) for cve, value in listed.values.items())
        self.connection.executemany("INSERT INTO exploitation VALUES (?, ?, ?)", rows)

    def _write(self, part: Imported, source: str, changed: str) -> None:
        tally = self.tallies.setdefault(part.ecosystem, _Tally(source))
        tally.ids.add(part.record.id)
        tally.newest = max(tally.newest, self._believed(changed))
        self._insert(part.ecosystem, part.name, part.record)

    def _believed(self, moment: str) -> str:
        """The moment; empty for one that is still to come, by which all would seem new for ever."""
        return moment if moment[:_SECONDS] <= self.begun.isoformat() else ""

    def _insert(self, ecosystem: str, name: str, record: AdvisoryRecord) -> None:
        self.connection.execute(
            "INSERT OR REPLACE INTO affected VALUES (?, ?, ?, ?)",
            (ecosystem, name, record.id, tables.packed(record)),
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

    def finish(self) -> Updated:
        """Note what was imported, and give each ecosystem the flaw that scans look for."""
        now = self.begun.isoformat(timespec="seconds")
        new = tuple(
            AdvisorySource(name, len(tally.ids), tally.newest, now, tally.label)
            for name, tally in sorted(self.tallies.items())
        )
        for source in new:
            if source.ecosystem not in LISTS:
                self._insert(source.ecosystem, known_flaw.NAME, known_flaw.RECORD)
            row = (source.ecosystem, source.records, source.newest, now, source.source)
            self.connection.execute("INSERT INTO source VALUES (?, ?, ?, ?, ?)", row)
        return Updated(new, self.withdrawn, self.malformed)


def _parsed(document: Document) -> object:
    """A list of what is exploited, else JSON that should be a record; raises MalformedError."""
    if document.data is None:
        raise MalformedError("it was refused")
    if document.is_table:
        return exploitation.estimates(document.data.decode("utf-8", "replace"))
    try:
        content = json.loads(document.data)
    except (ValueError, RecursionError) as error:
        raise MalformedError("it is not JSON") from error
    return exploitation.catalogue(content) if exploitation.is_catalogue(content) else content


def _fetched(
    source: str | Path, folder: Path, ecosystems: Sequence[str], client: "httpx.Client | None"
) -> list[tuple[Path, str]]:
    """Each dump as a local path, with the name under which the status shows it."""
    path = source if isinstance(source, Path) else path_of(source)
    if path is not None:
        return [(path, path.name)]
    from mergegate.packages.advisories.download import download  # noqa: PLC0415 - it loads httpx

    asked = ecosystems or (*DEFAULT_ECOSYSTEMS, *LISTS)
    addresses = _addresses(str(source), asked)
    # Asked for all that is usual, a mirror may lack some; asked for some, it must have them.
    may_lack = set(DEFAULT_ECOSYSTEMS) <= {name for name, _ in addresses}
    found, lacking = [], []
    for name, address in addresses:
        target = folder / f"{name or 'dump'}{_ending(address)}"
        try:
            download(address, target, client)
        except (Absent, Unreachable) as error:
            if isinstance(error, Unreachable) and name not in LISTS:
                raise
            lacking += [] if name in LISTS else [error]
            continue
        found.append((target, shown(address)))
    if lacking and not (may_lack and found):
        raise lacking[0]
    return found


def _addresses(source: str, names: Sequence[str]) -> list[tuple[str, str]]:
    base = shown(source)
    if not is_base(source):
        name = base.removesuffix("/all.zip").rpartition("/")[2].removesuffix(".zip")
        return [(name, source)]
    return [(name, _address(source.rstrip("/"), name)) for name in names]


def _address(base: str, name: str) -> str:
    """Where a dump lies below ``base``; the lists lie beside OSV's dumps on a mirror alone."""
    if name not in LISTS:
        return f"{base}/{quote(name)}/all.zip"
    published, file = LISTS[name]
    return f"{published}{file}" if base == DEFAULT_BASE else f"{base}/{file}"


def _ending(address: str) -> str:
    return next((one for one in (".json", ".csv.gz") if address.endswith(one)), ".zip")
