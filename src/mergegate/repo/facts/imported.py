"""What other scanners told of the tree, in files that the caller named."""

from dataclasses import dataclass

from mergegate.core.finding import Aside, Place
from mergegate.core.severity import Confidence, Kind, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedResult:
    """One result of another scanner, secrets masked."""

    rule: str
    """The tool's name, a slash, and what the tool calls its rule: ``bandit/B602``."""
    tool: str
    """What the tool calls itself."""
    title: str
    message: str
    severity: Severity
    confidence: Confidence
    kind: Kind
    place: Place = Place()
    evidence: str = ""
    """What tells it apart where that are not its lines: the hash of a secret's line, or words."""
    cwe: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    aside: Aside | None = None
    """Why the tool does not count it; None where it does."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The fact: every result that lies in the tree, in order of the files that told it."""

    results: tuple[ImportedResult, ...] = ()
