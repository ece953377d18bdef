"""The engine "lockfiles": every lock file and manifest of the tree, as one fact.

It reads the whole tree at once, not file by file: what is direct often stands in another file
than the version.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import mergegate
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.roles import role_of
from mergegate.core.tree import Role, Skipped, SourceFile, Tree
from mergegate.packages.assemble import Lock, ReadManifest, assembled
from mergegate.packages.ecosystems import SUMS, Ecosystem, lock_format, manifest_format
from mergegate.packages.readers import reading as graphs
from mergegate.packages.readers.documents import Unreadable, decoded
from mergegate.packages.readers.reading import MAX_PACKAGES, LockReader, Reading, Source
from mergegate.sandbox.engines.engine import EngineContext, Gathered

MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_FILES = 5_000

_Read = TypeVar("_Read")


class LockfileEngine:
    """Gathers :class:`Dependencies`; nothing is resolved, built, fetched or run."""

    name = "lockfiles"

    def version(self) -> str:
        """Our own: the readers are part of Mergegate."""
        return mergegate.__version__

    def gather(self, tree: Tree, context: EngineContext) -> Gathered:
        """Never raises for a file's contents; what was not understood is named as limited."""
        del context  # no process, no copies: the files are only read
        started = time.monotonic()
        shelf = FileIndex(tree)
        desk = _Reading(shelf)
        locks = desk.locks()
        manifests = desk.manifests()
        fact = assembled(locks, manifests, _sums(tree))
        limited = tuple(sorted(desk.limited))
        run = EngineRun(
            name=self.name,
            version=self.version(),
            status=_status(shelf, limited),
            duration_ms=round((time.monotonic() - started) * 1000),
            files=len(shelf.wanted),
        )
        return Gathered((fact,), run, limited)


class FileIndex:
    """The tree's files by path, each read when asked for; satisfies ``reading.Neighbours``."""

    def __init__(self, tree: Tree) -> None:
        self._files = {file.path: file for file in tree.files}
        self._texts: dict[str, str | None] = {}
        self.wanted = [file for file in tree.files if _wanted(file)]
        """Lock files and manifests outside of installed packages, in order of path."""

    def text(self, path: str) -> str | None:
        """See ``reading.Neighbours``."""
        if path not in self._texts:
            self._texts[path] = self._text(path)
        return self._texts[path]

    def _text(self, path: str) -> str | None:
        if path not in self._files:
            return None
        try:
            return self.load(self._files[path])
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
    limited: list[Skipped] = field(default_factory=list)

    def locks(self) -> list[Lock]:
        """Every lock file; one that cannot be read stands without packages, and is limited."""
        found = []
        for file in self.shelf.wanted[:MAX_FILES]:
            if layout := lock_format(file.path):
                ecosystem, form = layout
                reading = self._try(partial(_read_lock, form.read), ecosystem, file)
                found.append(Lock(file.path, ecosystem, form, _role(file), reading))
        return found

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
            self.limited.append(Skipped(file.path, f"there are more than {MAX_FILES} such files"))
        return found

    def _try(
        self, read: Callable[[Source], _Read], ecosystem: Ecosystem, file: SourceFile
    ) -> _Read | None:
        try:
            text, role = self.shelf.load(file), _role(file)
            return read(Source(file.path, text, self.shelf, role, ecosystem.name, ecosystem.key))
        except Unreadable as error:
            self.limited.append(Skipped(file.path, error.what))
            return None


def _wanted(file: SourceFile) -> bool:
    """Files inside an installed package describe what others build, not this repository."""
    if "node_modules/" in file.path or "site-packages/" in file.path:
        return False
    return bool(lock_format(file.path) or manifest_format(file.path))


def _role(file: SourceFile) -> Role:
    """A list of versions counts by its folder: neither generated nor prose for its name."""
    if file.role not in (Role.DOCS, Role.GENERATED):
        return file.role
    folder = file.path.rpartition("/")[0]
    return role_of(f"{folder}/versions.lock") if folder else Role.SOURCE


def _read_lock(read: LockReader, source: Source) -> Reading:
    reading = read(source)
    found = reading.packages or graphs.packages(reading.graph, source)
    if len(found) > MAX_PACKAGES:
        raise Unreadable(f"it holds more than {MAX_PACKAGES} packages")
    return replace(reading, packages=found)


def _sums(tree: Tree) -> frozenset[str]:
    return frozenset(file.path for file in tree.files if file.name in SUMS)


def _status(shelf: FileIndex, limited: Sequence[Skipped]) -> EngineStatus:
    if not shelf.wanted:
        return EngineStatus.IDLE
    return EngineStatus.LIMITED if limited else EngineStatus.OK
