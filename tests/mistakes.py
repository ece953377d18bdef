"""Typical mistakes, and how each is put into a file that was there before."""

from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table

_TABLE = Path(__file__).parent / "fixtures" / "mistakes" / "mistakes.toml"
_IMPORTED_AFTER = ("package ", "import (")
"""Where a Java class and a Go file of several imports take one more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A few lines with a flaw, the same without it, and where they go."""

    id: str
    kind: str
    language: str
    project: str
    file: str
    """Its path in the project."""
    before: str = ""
    """The line that they are put before; empty for the end of the file, or a new one."""
    imports: str = ""
    wrong: str
    right: str
    at: str
    """The line of ``wrong`` that a finding must name."""
    rules: tuple[str, ...]
    """Any of these may find it."""
    stops: bool = True
    """Whether it stops a change by default: what it gives an attacker is high or above."""

    def put(self, text: str, lines: str) -> str:
        """``text`` of the file with ``lines`` of the mistake in it."""
        here = text.splitlines(keepends=True)
        at = len(here)
        if self.before:
            at = next(n for n, line in enumerate(here) if line.strip() == self.before)
        here.insert(at, lines)
        if self.imports:
            before = (n for n, line in enumerate(here[:at]) if line.startswith(_IMPORTED_AFTER))
            here.insert(max(before) + 1, self.imports)
        return "".join(here)

    def line(self, text: str) -> int:
        """The number of the line that a finding must name; ``text`` holds it once."""
        (number,) = (n for n, line in enumerate(text.splitlines(), 1) if line.strip() == self.at)
        return number


MISTAKES = tuple(read_table(_TABLE, Mistake).values())
