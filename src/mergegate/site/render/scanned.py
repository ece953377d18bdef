"""What the reports of all site tools have in common."""

from typing import Protocol

from mergegate.core.report import EngineRun


class Scanned(Protocol):
    """A report of a site tool, as far as the frames of the formats need it."""

    @property
    def id(self) -> str:
        """Empty when it has none."""

    @property
    def url(self) -> str:
        """What was asked for; hostile text."""

    @property
    def engines(self) -> tuple[EngineRun, ...]:
        """What was asked, and how it ended."""

    @property
    def created_at(self) -> str:
        """ISO 8601, UTC; empty when unknown."""

    @property
    def completed_at(self) -> str:
        """As :attr:`created_at`."""

    @property
    def tool_version(self) -> str:
        """Mergegate's own; empty when unknown."""
