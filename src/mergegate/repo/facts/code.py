"""What engines tell of code: matches, sizes and branches, what stands twice, and stray traces."""

from dataclasses import dataclass, field
from enum import StrEnum

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

    files: tuple[CodeFile, ...] = ()
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
    """The nested name: ``Outer::inner`` or ``(anonymous)``; at most 120 characters."""
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
    """The functions in order of their last line."""
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


class MarkerKind(StrEnum):
    """What sort of trace."""

    CONFLICT = "conflict"
    """An unresolved merge: all three marker lines, in order."""
    DEBUGGER = "debugger"
    """A statement that stops for a debugger or prints for one."""
    FOCUSED_TEST = "focused-test"
    """A test that keeps every other one from running."""
    SUPPRESSION = "suppression"
    """A comment that silences a scanner or linter."""
    BIDI = "bidi"
    """A control that reorders text on screen, in a line without right-to-left letters."""
    BIDI_BESIDE_TEXT = "bidi-beside-text"
    """The same, beside right-to-left letters, where it may serve them."""
    BIDI_HARMLESS = "bidi-harmless"
    """One from left to right among nothing else, or any far from both ends of a line, as in
    minified code, which no one reads."""
    INVISIBLE = "invisible"
    """A character without width inside a name."""
    INJECTION = "injection"
    """A comment that instructs a language model which reads the code."""
    HIDDEN_TEXT = "hidden-text"
    """A message in Unicode tag characters, which no screen shows."""


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """One trace."""

    line: int
    kind: MarkerKind
    what: str
    """The statement, directive or code point; never the rest of the line, which may be secret."""
    tool: str = ""
    """Whom a suppression silences: ``semgrep``, ``bandit``…; empty for other kinds."""
    reason: str = ""
    """Why a suppression asks for it, as it may be shown; empty where it does not say."""
    first: int = 0
    last: int = 0
    """The lines that a suppression speaks of; 0 for its own alone."""


@dataclass(frozen=True, slots=True)
class FileMarkers:
    """What one file's bytes hold, wherever the file lies."""

    markers: tuple[Marker, ...] = ()
    """The markers in order of line."""


@dataclass(frozen=True, slots=True)
class MarkedFile:
    """A file with at least one marker."""

    path: str
    role: Role
    language: str | None
    found: FileMarkers

    def of(self, *kinds: MarkerKind) -> tuple[Marker, ...]:
        """The markers of these kinds, in order of line."""
        return tuple(marker for marker in self.found.markers if marker.kind in kinds)


@dataclass(frozen=True, slots=True)
class Markers:
    """The fact: every file with markers, in order of path."""

    files: tuple[MarkedFile, ...] = ()
