"""The engine "lockfiles": every lock file and manifest of the tree, as one fact.

It reads the whole tree at once, not file by file: what is direct often stands in another file
than the version.
"""

import posixpath
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import mergegate
from mergegate.core.errors import EngineFailed
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.tree import Link, Role, Skipped, SourceFile, Tree
from mergegate.packages import bills, known_flaw
from mergegate.packages.assemble import Lock, ReadManifest, assembled, place_of
from mergegate.packages.dependencies import Package, Unread
from mergegate.packages.ecosystems import (
    ECOSYSTEMS,
    REQUIREMENTS,
    SUMS,
    Ecosystem,
    LockFormat,
    ecosystem_of,
    lock_format,
    manifest_format,
    without_reader,
)
from mergegate.packages.readers import reading as graphs
from mergegate.packages.readers.bills import is_bill
from mergegate.packages.readers.documents import Unreadable, decoded
from mergegate.packages.readers.reading import MAX_PACKAGES, LockReader, Reading, Source
from mergegate.sandbox.engines.engine import EngineContext, Gathered

MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_FILES = 5_000
MAX_LINKS = 40
"""Links that are followed to one file, as many as Linux does."""
_TOO_MANY = f"there are more than {MAX_FILES} such files"

_Read = TypeVar("_Read")


class LockfileEngine:
    """Gathers :class:`Dependencies`; nothing is resolved, built, fetched or run."""

    name = "lockfiles"

    def version(self) -> str:
        """Our own: the readers are part of Mergegate."""
        return mergegate.__version__

    def gather(self, tree: Tree, context: EngineContext) -> Gathered:
        """Never raises for a file's contents; what was not understood is named as limited.

        Raises EngineFailed where a reader that is needed misses what it is known to find.
        """
        del context  # no process, no copies: the files are only read
        started = time.monotonic()
        shelf = FileIndex(tree)
        for ecosystem, form in dict.fromkeys(filter(None, map(lock_format, shelf.paths))):
            _prove(ecosystem, form)
        if shelf.bills:
            _prove_bills()
        desk = _Reading(shelf, unread=set(_unread(tree)))
        fact = assembled(desk.locks(), desk.manifests(), _sums(tree))
        listed = tuple(bills.unfixed(tuple(desk.bills()), fact.packages))
        unread = tuple(sorted(desk.unread))
        limited = tuple(Skipped(one.path, one.why) for one in unread if one.has_reader)
        run = EngineRun(
            name=self.name,
            version=self.version(),
            status=_status(desk.read, limited),
            duration_ms=round((time.monotonic() - started) * 1000),
            files=len(shelf.wanted) + len(shelf.bills),
        )
        told = replace(
            fact,
            packages=tuple(sorted((*fact.packages, *listed), key=place_of)),
            read=tuple(sorted(desk.read)),
            unread=unread,
        )
        return Gathered((told,), run, limited, frozenset(told.read))


class FileIndex:
    """The tree's files by path, each read when asked for; satisfies ``reading.Neighbours``."""

    def __init__(self, tree: Tree) -> None:
        self.files = {file.path: file for file in (*_linked(tree), *tree.files)}
        """Links to files of the tree are files, too."""
        self._texts: dict[str, str | None] = {}
        self.wanted = [self.files[path] for path in sorted(self.files) if _is_read(path)]
        """Lock files and manifests, in order of path."""
        self.paths = [file.path for file in self.wanted]
        self.bills = [file for path, file in sorted(self.files.items()) if _is_bill(path)]

    def text(self, path: str) -> str | None:
        """See ``reading.Neighbours``."""
        if path not in self._texts:
            self._texts[path] = self._text(path)
        return self._texts[path]

    def _text(self, path: str) -> str | None:
        if path not in self.files:
            return None
        try:
            return self.load(self.files[path])
        except Unreadable:
            return None

    def named(self, name: str, folder: str) -> tuple[str, ...]:
        """See ``reading.Neighbours``."""
        prefix = f"{folder}/" if folder else ""
        paths = (file.path for file in self.wanted if file.name == name)
        return tuple(path for path in paths if path.startswith(prefix))

    def load(self, file: SourceFile) -> str:
        """The text of ``file``; raises Unreadable."""
        if file.size > MAX_FILE_BYTES:
            raise Unreadable(f"it is larger than {MAX_FILE_BYTES // 1024 // 1024} MiB")
        try:
            return decoded(file.location.read_bytes())
        except OSError as error:
            raise Unreadable(f"it cannot be read: {error.strerror}") from error


@dataclass(slots=True)
class _Reading:
    """Reads what the shelf holds and notes what could not be read."""

    shelf: FileIndex
    read: set[str] = field(default_factory=set)
    unread: set[Unread] = field(default_factory=set)

    def locks(self) -> list[Lock]:
        """Every lock file; one that cannot be read stands without packages, and is noted."""
        formats = ((file, lock_format(file.path)) for file in self.shelf.wanted[:MAX_FILES])
        found = [self._lock(file, *layout) for file, layout in formats if layout]
        return [*found, *self._included(found)]

    def _included(self, locks: Iterable[Lock]) -> Iterator[Lock]:
        """Requirements of any name that those of ``locks``, and one another, include."""
        pending = [path for lock in locks if lock.reading for path in lock.reading.includes]
        known = {lock.path for lock in locks}
        while pending:
            path = pending.pop()
            if path in known:
                continue
            if len(known) == MAX_FILES:
                self._note(path, REQUIREMENTS[0], _TOO_MANY)
                continue
            known.add(path)
            lock = self._lock(self.shelf.files[path], *REQUIREMENTS)
            pending += lock.reading.includes if lock.reading else ()
            yield lock

    def _lock(self, file: SourceFile, ecosystem: Ecosystem, form: LockFormat) -> Lock:
        reading = self._try(partial(_read_lock, form.read), ecosystem, file)
        return Lock(file.path, ecosystem, form, _role(file), reading)

    def manifests(self) -> list[ReadManifest]:
        """Every manifest that can be read."""
        found = []
        for file in self.shelf.wanted[:MAX_FILES]:
            if layout := manifest_format(file.path):
                ecosystem, form = layout
                reading = self._try(form.read, ecosystem, file)
                if reading is not None:
                    found.append(ReadManifest(file.path, ecosystem, form, _role(file), reading))
        for file in self.shelf.wanted[MAX_FILES:]:
            if known := ecosystem_of(file.path):
                self._note(file.path, known, _TOO_MANY)
        return found

    def bills(self) -> Iterator[Package]:
        """What bills of materials list; one that is none by its contents stays named as unread."""
        for file in self.shelf.bills[:MAX_FILES]:
            known = next(one for one in self.unread if one.path == file.path)
            self.unread.discard(known)
            try:
                text = self.shelf.load(file)
                yield from bills.packages(file.path, text, _role(file), self.shelf)
                self.read.add(file.path)
            except Unreadable as error:
                self.unread.add(replace(known, why=error.what))

    def _try(
        self, read: Callable[[Source], _Read], ecosystem: Ecosystem, file: SourceFile
    ) -> _Read | None:
        try:
            text, role = self.shelf.load(file), _role(file)
            found = read(Source(file.path, text, self.shelf, role, ecosystem.name, ecosystem.key))
        except Unreadable as error:
            self._note(file.path, ecosystem, error.what)
            return None
        self.read.add(file.path)
        return found

    def _note(self, path: str, ecosystem: Ecosystem, why: str) -> None:
        self.unread.add(Unread(path, ecosystem.name, why, has_reader=True))


def _is_read(path: str) -> bool:
    """Manifests inside an installed package describe what others build, not this repository."""
    return bool(lock_format(path) or (not _is_installed(path) and manifest_format(path)))


def _is_bill(path: str) -> bool:
    named = is_bill(path) and without_reader(path) is not None
    return named and not _is_installed(path)


def _is_installed(path: str) -> bool:
    return "node_modules/" in path or "site-packages/" in path


def _linked(tree: Tree) -> Iterator[SourceFile]:
    """The files that links lead to, under the links' names."""
    files = {file.path: file for file in tree.files}
    links = {link.path: link for link in tree.links}
    for link in tree.links:
        if found := files.get(_end(link, links)):
            yield replace(found, path=link.path, role=Role.SOURCE)


def _end(link: Link, links: Mapping[str, Link]) -> str:
    """Where ``link`` leads within the tree; the path of a link where that is in circles."""
    path = link.path
    for _ in range(MAX_LINKS):
        if path not in links:
            break
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), links[path].target))
    return path


def _unread(tree: Tree) -> Iterator[Unread]:
    """What the listing left out, what leads nowhere, and what has no reader."""
    followed = {file.path for file in _linked(tree)}
    lost = [Skipped(one.path, one.reason) for one in tree.skipped]
    lost += [
        Skipped(one.path, "it is a link to what is no file of the repository")
        for one in tree.links
        if one.path not in followed
    ]
    for one in lost:
        if read := ecosystem_of(one.path):
            yield Unread(one.path, read.name, one.reason, has_reader=True)
    for path in (*tree.paths, *(one.path for one in lost), *followed):
        if not _is_installed(path) and (ecosystem := without_reader(path)):
            kind = posixpath.basename(path) if ecosystem in ECOSYSTEMS else ecosystem
            yield Unread(path, ecosystem, f"no reader for {kind}", has_reader=False)


def _role(file: SourceFile) -> Role:
    """A list of versions that a tool wrote is as real as one written by hand."""
    return Role.SOURCE if file.role is Role.GENERATED else file.role


def _read_lock(read: LockReader, source: Source) -> Reading:
    reading = read(source)
    found = reading.packages or graphs.packages(reading.graph, source)
    if len(found) > MAX_PACKAGES:
        raise Unreadable(f"it holds more than {MAX_PACKAGES} packages")
    return replace(reading, packages=found)


def _prove(ecosystem: Ecosystem, form: LockFormat) -> None:
    """Raises EngineFailed unless our own package is found in a file of ours."""
    name, alone = form.names[0], FileIndex(Tree(()))
    own = Source(name, form.known, alone, Role.SOURCE, ecosystem.name, ecosystem.key)
    try:
        read = _read_lock(form.read, own).packages
    except Unreadable as error:
        raise EngineFailed(f"{name} cannot be read, not even one of ours: {error.what}") from error
    versions = {ecosystem.spelled(one.version) for one in read if one.name == form.known_name}
    if versions != {ecosystem.spelled(known_flaw.AFFECTED)}:
        raise EngineFailed(f"what reads {name} misses the package that it is known to find")


_KNOWN_BILL = f"""{{
"bomFormat": "CycloneDX",
"components": [{{"purl": "pkg:npm/{known_flaw.NAME}@{known_flaw.AFFECTED}"}}]
}}"""


def _prove_bills() -> None:
    """Raises EngineFailed unless our own package is found in a bill of ours."""
    read = bills.packages("bom.json", _KNOWN_BILL, Role.SOURCE, FileIndex(Tree(())))
    if {(one.name, one.version) for one in read} != {(known_flaw.NAME, known_flaw.AFFECTED)}:
        raise EngineFailed("what reads bills of materials misses the part that it is to find")


def _sums(tree: Tree) -> frozenset[str]:
    return frozenset(file.path for file in tree.files if file.name in SUMS)


def _status(read: Collection[str], limited: Sequence[Skipped]) -> EngineStatus:
    if limited:
        return EngineStatus.LIMITED
    return EngineStatus.OK if read else EngineStatus.IDLE
