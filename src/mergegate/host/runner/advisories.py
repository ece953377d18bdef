"""Fetch the advisories that a scan will need: where it runs it has no network."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.errors import StoreError
from mergegate.host.runner.importing import Importer, importer_of
from mergegate.host.settings import ServiceSettings
from mergegate.packages.ecosystems import lock_format, manifest_format
from mergegate.packages.stock import Stock

_PAUSE_S = 600.0
"""What could not be had is not asked for again before; each scan says that it is missing."""


@dataclass(frozen=True, slots=True)
class HostStock(Stock):
    """The store of a host, which lets nobody read dumps in a process that holds its keys."""

    importer: Importer

    def bring(self, ecosystems: Sequence[str]) -> None:
        """Fetch them by a child; raises StoreError."""
        self.importer.run(ecosystems)


def host_stock(settings: ServiceSettings, environment: Mapping[str, str]) -> HostStock:
    """Scans have fetched what it lacks, but of what lies here, which is imported as a whole."""
    importer = importer_of(settings, environment)
    return HostStock(importer.store, importer.fetches and not settings.offline, importer)


class Advisories:
    """The store of this host; any thread may ask it to be ready."""

    def __init__(self, stock: Stock, clock: Callable[[], float] = time.monotonic) -> None:
        self._stock = stock
        self._clock = clock
        self._filling = threading.Lock()
        self._asked: dict[str, float] = {}

    def prepare(self, tree: Path) -> None:
        """Bring what the store lacks of the ecosystems that ``tree`` has lock files of."""
        with suppress(StoreError):  # one that is damaged is told by the scan
            if lacking := self._stock.lacking(ecosystems(tree)):
                self._fill(lacking)

    def _fill(self, wanted: Sequence[str]) -> None:
        """Whoever lacks something waits until others have it, and nobody else does."""
        with self._filling:
            now = self._clock()
            due = [one for one in wanted if now - self._asked.get(one, -_PAUSE_S) >= _PAUSE_S]
            if due:
                self._asked |= dict.fromkeys(due, now)
                self._stock.fill(due)


def ecosystems(tree: Path) -> Iterator[str]:
    """Of each lock file or manifest of ``tree``, by its name alone; links are not followed."""
    for path in _files(tree):
        if found := lock_format(path) or manifest_format(path):
            yield found[0].name


def _files(tree: Path) -> Iterator[str]:
    """Their paths in ``tree``; what cannot be opened, as one nested too deeply, has none.

    Not by ``os.walk``, which calls itself for each folder in a folder: a stranger nests thousands.
    """
    pending = [""]
    while pending:
        folder = pending.pop()
        for one in _entries(tree / folder):
            path = f"{folder}/{one.name}" if folder else one.name
            if not one.is_dir(follow_symlinks=False):
                yield path
            elif one.name != ".git":
                pending.append(path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
