"""Traces in the text that do not belong in what is merged."""

from dataclasses import dataclass
from enum import StrEnum

from mergegate.core.tree import Role


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


@dataclass(frozen=True, slots=True)
class FileMarkers:
    """What one file's bytes hold, wherever the file lies."""

    markers: tuple[Marker, ...] = ()
    """In order of line."""


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
