"""What engines tell of code: semgrep's matches, sizes and branches, and what stands twice."""

from dataclasses import dataclass, field

from mergegate.core.rule import Rule
from mergegate.core.tree import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeMatch:
    """One match of one rule in one file."""

    rule_id: str
    message: str
    """The rule's message with its metavariables filled in."""
    start_line: int
    end_line: int
    start_column: int
    end_column: int
    fix: str | None = None
    """Whole lines ``start_line``–``end_line`` after the rule's autofix."""
    ignored: bool = False
    """An in-line comment of the scanned file asks to ignore it."""
    trace: tuple[int, ...] = ()
    """The lines data flows through, source first, sink last; empty without taint."""


@dataclass(frozen=True, slots=True)
class FileMatches:
    """What one file's bytes hold, wherever the file lies."""

    matches: tuple[CodeMatch, ...] = ()
    problems: tuple[str, ...] = ()
    """Parse errors and time-outs: parts of the file that were not seen."""


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A scanned file and what was matched in it."""

    path: str
    role: Role
    found: FileMatches


@dataclass(frozen=True, slots=True)
class CodeMatches:
    """The fact: all scanned files that had matches or problems, and the rules."""

    files: tuple[CodeFile, ...]
    rules: dict[str, Rule] = field(default_factory=dict)


FLOOR_BRANCHES = 15
FLOOR_COMPLEX_BRANCHES = 50
FLOOR_FUNCTION_LINES = 150
FLOOR_FILE_LINES = 3_000
"""A file is measured when it is longer than a long file, has the branches of a complex function,
or those of a long one in as many lines; no check asks about less."""


@dataclass(frozen=True, slots=True)
class FunctionMetrics:
    """One function, method or named closure."""

    name: str
    """As the language nests it: ``Outer::inner`` or ``(anonymous)``; at most 120 characters."""
    start_line: int
    end_line: int
    nloc: int
    """Lines that hold code: neither blank nor comment alone."""
    complexity: int
    """McCabe's cyclomatic number: one more than the count of branches."""


@dataclass(frozen=True, slots=True)
class FileMetrics:
    """What one file's bytes measure, wherever the file lies."""

    nloc: int = 0
    """0 for a file below the floors, which is not measured."""
    functions: tuple[FunctionMetrics, ...] = ()
    """In order of their last line."""
    minified: bool = False
    """Most of it stands in lines of thousands of characters, so it was not measured."""


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    """A file and its measures."""

    path: str
    role: Role
    language: str
    metrics: FileMetrics


@dataclass(frozen=True, slots=True)
class CodeMetrics:
    """The fact: every measured file, in order of path."""

    files: tuple[MeasuredFile, ...]


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
