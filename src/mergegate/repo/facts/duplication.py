"""Which production code stands in the repository twice."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Whole lines of a file, both ends included."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True, order=True)
class Clone:
    """A block that repeats an earlier one, line for line."""

    copy: Span
    original: Span
    """The block that comes first in order of path and line."""
    lines: int
    """Compared lines: blanks, comments, imports, lone brackets and rows of numbers do not count."""


@dataclass(frozen=True, slots=True)
class Duplication:
    """The fact: every clone, in order of the copy's place."""

    clones: tuple[Clone, ...] = ()
    compared_lines: int = 0
    """All compared lines of production code."""

    @property
    def percentage(self) -> float:
        """The share of compared lines that repeat earlier ones, 0–100."""
        if not self.compared_lines:
            return 0.0
        return 100.0 * sum(clone.lines for clone in self.clones) / self.compared_lines
