"""The advisory store: OSV records of every ecosystem in one SQLite file, read offline.

``update`` fills it from a URL, folder or zip, at once or in two steps (``draft``, ``adopt``);
``open_store`` reads it; ``status`` tells its age, and ``fetch`` what of it is too old.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.errors import StoreError
from mergegate.packages.advisories.fill import (
    DEFAULT_BASE,
    DEFAULT_ECOSYSTEMS,
    Updated,
    adopt,
    draft,
    update,
)
from mergegate.packages.advisories.tables import AdvisoryStore, StoreStatus, open_store, status

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

    def opened(self) -> AdvisoryStore | None:
        """The store; None where there is none; raises StoreError when it is damaged."""
        return open_store(self.file)

    def fill(self, ecosystems: Iterable[str]) -> None:
        """Fetch what the store lacks, where that is allowed; what fails stays missing."""
        with suppress(StoreError):
            if lacking := self.lacking(ecosystems):
                self.bring(lacking)

    def lacking(self, ecosystems: Iterable[str]) -> Sequence[str]:
        """What of them is to be fetched, sorted; raises StoreError when the store is damaged."""
        if not self.fetch:
            return ()
        held = status(self.file)
        known = {one.ecosystem for one in held.sources} if held else set()
        return sorted(set(ecosystems) - known)

    def bring(self, ecosystems: Sequence[str]) -> None:
        """Fetch them whatever there is; raises StoreError."""
        update(DEFAULT_BASE, self.file, ecosystems=ecosystems)
