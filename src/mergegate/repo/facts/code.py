"""What semgrep matched."""

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
