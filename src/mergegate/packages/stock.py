"""The advisory store as a scan uses it: opened, and filled with what it lacks."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.errors import StoreError
from mergegate.packages import advisories


@dataclass(frozen=True, slots=True)
class Stock:
    """The advisory store as a scan uses it."""

    file: Path
    fetch: bool

    def opened(self) -> "advisories.AdvisoryStore | None":
        """The store; None where there is none; raises StoreError when it is damaged."""
        return advisories.open_store(self.file)

    def fill(self, ecosystems: Iterable[str]) -> None:
        """Fetch what the store lacks, where that is allowed; what fails stays missing."""
        with suppress(StoreError):
            if lacking := self.lacking(ecosystems):
                self.bring(lacking)

    def lacking(self, ecosystems: Iterable[str]) -> Sequence[str]:
        """What of them is to be fetched, sorted; raises StoreError when the store is damaged."""
        if not self.fetch:
            return ()
        held = advisories.status(self.file)
        known = {one.ecosystem for one in held.sources} if held else set()
        return sorted(set(ecosystems) - known)

    def bring(self, ecosystems: Sequence[str]) -> None:
        """Fetch them whatever there is; raises StoreError."""
        advisories.update(advisories.DEFAULT_BASE, self.file, ecosystems=ecosystems)
