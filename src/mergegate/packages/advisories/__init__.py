"""The advisory store: OSV records of every ecosystem in one SQLite file, read offline.

``update`` fills it from a URL, folder or zip, at once or in two steps (``draft``, ``adopt``);
``open_store`` reads it; ``status`` tells its age, and ``fetch`` what of it is too old.
"""

import datetime as dt
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from mergegate.core.errors import StoreError
from mergegate.core.progress import unheard
from mergegate.packages.advisories.fetch import Unreachable, is_old
from mergegate.packages.advisories.fill import (
    DEFAULT_BASE,
    DEFAULT_ECOSYSTEMS,
    Updated,
    adopt,
    draft,
    renew,
    update,
)
from mergegate.packages.advisories.tables import AdvisoryStore, StoreStatus, open_store, status
from mergegate.packages.dependencies import AdvisorySource

__all__ = [
    "DEFAULT_BASE",
    "DEFAULT_ECOSYSTEMS",
    "AdvisoryStore",
    "Stock",
    "StoreStatus",
    "Updated",
    "adopt",
    "draft",
    "open_store",
    "status",
    "update",
]


@dataclass(frozen=True, slots=True)
class Stock:
    """The advisory store as a scan uses it."""

    file: Path
    fetch: bool
    _: KW_ONLY
    source: str = DEFAULT_BASE
    renewed_after: dt.timedelta | None = None
    """What was imported longer ago is fetched again; None leaves its age to others."""
    aside: Path | None = None
    """The store that is written in its place where its own folder may not be, as in an image."""
    tell: Callable[[str], None] = unheard
    """Hears what could be had, and what could not, a sentence each."""

    def opened(self) -> AdvisoryStore | None:
        """The store; None where there is none; raises StoreError when it is damaged."""
        return open_store(self._current())

    def fill(self, ecosystems: Iterable[str]) -> None:
        """Fetch what the store lacks, where that is allowed; what fails stays as it is."""
        with suppress(StoreError):
            if lacking := self.lacking(ecosystems):
                self.bring(lacking)

    def lacking(self, ecosystems: Iterable[str]) -> Sequence[str]:
        """What of them is to be fetched, sorted; raises StoreError when the store is damaged."""
        if not self.fetch:
            return ()
        held = status(self._current())
        young = {one.ecosystem for one in held.sources if not self._is_old(one)} if held else set()
        return sorted(set(ecosystems) - young)

    def bring(self, ecosystems: Sequence[str]) -> None:
        """Fetch them whatever there is: what fails does not keep the others away.

        Raises Unreachable where nothing answers, and StoreError where nothing can be written.
        """
        store = self._writable()
        for one in ecosystems:
            try:
                renew(self.source, store, one)
            except Unreachable as error:
                self.tell(f"advisories on {' and '.join(ecosystems)} could not be had: {error}")
                raise
            except StoreError as error:
                self.tell(f"advisories on {one} could not be had: {error}")
            else:
                self.tell(f"advisories on {one} were renewed")

    def _is_old(self, one: AdvisorySource) -> bool:
        now, limit = dt.datetime.now(dt.UTC), self.renewed_after
        return limit is not None and is_old((one,), now, limit)

    def _current(self) -> Path:
        """The younger of the store and the one that is written in its place."""
        places = [one for one in (self.aside, self.file) if one and one.is_file()]
        return max(places, key=lambda one: one.stat().st_mtime, default=self.file)

    def _writable(self) -> Path:
        """Where to write; what is beside the store begins as a copy of it."""
        if self.aside is None or _is_writable(self.file.parent):
            return self.file
        current = self._current()
        try:
            if current.is_file() and current != self.aside:
                self.aside.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(current, self.aside)
        except OSError as error:
            raise StoreError(f"the advisory store is not writable: {error.strerror}") from error
        return self.aside


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
