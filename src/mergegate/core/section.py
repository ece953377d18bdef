"""What a report says of something beside the repository, such as the site that a change deploys.

The reports of a repository render sections by their rows and count their verdicts; what a section
is about they do not know.
"""

from dataclasses import dataclass
from typing import Protocol

from mergegate.core.report import Verdict

_SIGNS = {"good": "🟢", "needs improvement": "🟡", "poor": "🔴", "unknown": "⚪"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One score."""

    name: str
    text: str
    """``92``; a dash without one."""
    band: str
    spread: str = ""
    """``90–94``; empty when all runs agree."""
    least: int | None = None
    """What it must be and is not, so that it stands in the way of the merge."""

    @property
    def sign(self) -> str:
        """Beside the number, never in its place."""
        return _SIGNS[self.band]


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a list; ``place`` is hostile text, to be shown as code."""

    text: str
    place: str = ""
    blocks: bool = False
    """Whether it stands in the way of the merge."""


@dataclass(frozen=True, slots=True)
class Group:
    """A short list under its title."""

    title: str
    lines: tuple[Line, ...]
    more: int = 0
    blocks: bool = False
    """Whether it does as a whole."""
    detail: bool = False
    """Whether few readers need it."""


class Section(Protocol):
    """One part of a report that has a verdict of its own."""

    @property
    def url(self) -> str:
        """What was looked at; hostile text."""

    @property
    def verdict(self) -> Verdict:
        """By the team's rules."""

    @property
    def gaps(self) -> tuple[str, ...]:
        """What could not be checked and why, a sentence each, without a full stop."""

    def seen_as(self) -> str:
        """How it was looked at, in a few words; empty when nothing was seen."""

    def scores(self) -> tuple[Cell, ...]:
        """A row of scores; empty without one."""

    def groups(self) -> tuple[Group, ...]:
        """What is to be read below the scores, most pressing first; no group is empty."""
