"""The host's advisories: imported by a child, and fetched before a scan that will need them.

A scan runs without a network; a child that reads a dump has no secret in reach.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.errors import EngineError, StoreError
from mergegate.core.render.escape import terminal
from mergegate.host.settings import ServiceSettings
from mergegate.packages import advisories
from mergegate.packages.advisories import Stock, placing
from mergegate.packages.advisories.fetch import path_of
from mergegate.packages.dependencies import AdvisorySource
from mergegate.packages.ecosystems import ecosystem_of
from mergegate.repo.settings import Folders
from mergegate.sandbox.process.account import engines_account
from mergegate.sandbox.process.run import MEBIBYTE, Limits, python_module
from mergegate.sandbox.process.supervised import SupervisedProcess, supervised

_LIMITS = Limits(output_bytes=4096 * MEBIBYTE)
_LONGEST_S = 3600.0
_LOOK_EVERY_S = 0.25
_LONGEST_REFUSAL = 600
_PASSED_ON = (
    *("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)
"""What of our environment a child sees: the way to where advisories come from."""


class Importer:
    """Fills the store of one process's host; another thread may end it."""

    def __init__(self, store: Path, source: str, environment: Mapping[str, str]) -> None:
        """``source`` as for ``advisories.update``."""
        self.store = store
        self.source = source
        self._environment = {one: environment[one] for one in _PASSED_ON if environment.get(one)}
        self._ended = threading.Event()

    @property
    def fetches(self) -> bool:
        """Whether its source is elsewhere than on this machine."""
        return path_of(self.source) is None

    def run(self, ecosystems: Sequence[str]) -> Sequence[AdvisorySource]:
        """Import as ``advisories.update`` does, which tells what ``ecosystems`` are; what was new.

        Raises StoreError, and leaves the store as it was.
        """
        try:
            self.store.parent.mkdir(parents=True, exist_ok=True)
            with placing.workplace(self.store) as folder:
                self._drafted(folder, ecosystems)
                return advisories.adopt(folder, self.store, ecosystems)
        except EngineError as error:
            raise StoreError(f"advisories cannot be imported: {error.what}") from error
        except OSError as error:
            what = f"advisories cannot be imported: {error.strerror}"
            raise StoreError(
                what, remedy="Free space, and let this account write there."
            ) from error

    def end(self) -> None:
        """What runs ends soon, without a result."""
        self._ended.set()

    def _drafted(self, folder: Path, ecosystems: Sequence[str]) -> None:
        _give_to_engines(folder)
        order = {"source": self.source, "ecosystems": list(ecosystems)}
        with supervised(
            python_module("mergegate.host.runner.advisory_import"),
            cwd=folder,
            limits=_LIMITS,
            environment=self._environment,
            network=True,
        ) as child:
            with suppress(BrokenPipeError):  # its end is told below
                child.stdin.write(json.dumps(order).encode() + b"\n")
            self._await(child)
            if not (folder / placing.DRAFT).exists():
                raise StoreError(_refusal(child))

    def _await(self, child: SupervisedProcess) -> None:
        until = time.monotonic() + _LONGEST_S
        while child.alive and not self._ended.wait(_LOOK_EVERY_S):
            if time.monotonic() > until:
                child.end("it takes longer than an hour")
        if self._ended.is_set():
            raise StoreError("this process is leaving")


def importer_of(settings: ServiceSettings, environment: Mapping[str, str]) -> Importer:
    """What fills the store that this host's scans use."""
    store = Folders(settings.data, settings.data).advisories
    return Importer(store, settings.advisories or advisories.DEFAULT_BASE, environment)


def _give_to_engines(folder: Path) -> None:
    """While we are root; raises StoreError where their account could not get there."""
    account = engines_account()
    if account is None:
        return
    os.chown(folder, account.uid, account.gid)
    if not account.can_read(folder):
        raise StoreError(
            "advisories cannot be imported: the account of engines may not enter the data folder",
            remedy="Let others enter it and all above it (chmod o+x), or name another.",
        )


def _refusal(child: SupervisedProcess) -> str:
    """Its own words, which may be a stranger's; else how it ended, and what it last complained."""
    said = os.read(child.stdout.fileno(), _LONGEST_REFUSAL).decode("utf-8", "replace")
    complaint = child.complaints().strip().rpartition("\n")[2][:_LONGEST_REFUSAL]
    return terminal(said or f"{child.fault} {complaint}".strip())


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
        """A scan that lacks advisories waits until they are there; no other scan waits."""
        with self._filling:
            now = self._clock()
            due = [one for one in wanted if now - self._asked.get(one, -_PAUSE_S) >= _PAUSE_S]
            if due:
                self._asked |= dict.fromkeys(due, now)
                self._stock.fill(due)


def ecosystems(tree: Path) -> Iterator[str]:
    """The ecosystem of each lock file or manifest of ``tree``; links are not followed."""
    for path in _files(tree):
        if found := ecosystem_of(path):
            yield found.name


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
