"""The list of findings: worst first, unfolded as far as there is room, at most a screen or two."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from mergegate.core.render import templates, wording
from mergegate.forges.framing import Dialect
from mergegate.repo.report import detail, excerpt
from mergegate.repo.report.entries import Entry

MOST_SHOWN = 25
"""Nobody reads more of them in a comment; the full report has them all."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What fits."""

    text: str
    count: int
    """Of findings, not of lines."""
    ids: frozenset[str]


class Lines:
    """Entries as Markdown, rendered one by one and only as far as there is room."""

    def __init__(
        self,
        found: Sequence[Entry],
        fixes: excerpt.Fixes,
        dialect: Dialect,
        blocking: Collection[str] = (),
    ) -> None:
        """``blocking``: ids of findings that are marked as standing in the way."""
        self._found = found
        self._fixes = fixes
        self._dialect = dialect
        self._blocking = blocking

    def brief(self, number: int) -> str:
        """The entry as one item of a list."""
        return self._rendered("line", self._found[number])

    def fitting(self, room: int) -> Shown:
        """As many as have room, with their details as long as that takes no line away."""
        lines = self._lines(room - MOST_SHOWN)  # one blank line each may part them
        used = sum(map(len, lines)) + MOST_SHOWN
        for number, line in enumerate(lines if self._dialect.html else ()):
            full = self._full(number)
            if used - len(line) + len(full) > room:
                continue
            used += len(full) - len(line)
            lines[number] = full
        told = [one for entry in self._found[: len(lines)] for one in entry.findings]
        return Shown(_joined(lines), len(told), frozenset(one.id for one in told))

    def need(self, most: int) -> int:
        """How much room all lines with their details need; ``most`` at most."""
        used = 0
        for number in range(min(len(self._found), MOST_SHOWN)):
            used += len(self._full(number) if self._dialect.html else self._line(number))
            if used >= most:
                return most
        return used

    def _lines(self, room: int) -> list[str]:
        """The brief lines that have room, worst first."""
        used = 0
        lines: list[str] = []
        for number in range(min(len(self._found), MOST_SHOWN)):
            used += len(self._line(number))
            if used > room:
                break
            lines.append(self._line(number))
        return lines

    def _line(self, number: int) -> str:
        return f"{self.brief(number)}\n"

    def _full(self, number: int) -> str:
        entry = self._found[number]
        told = detail.of(entry.lead, self._fixes.of(entry.lead))
        return f"{self._rendered('fold', entry, **told)}\n\n"

    def _rendered(self, name: str, entry: Entry, **more: Any) -> str:
        fixes = [self._fixes.of(one) for one in entry.findings]
        values: dict[str, Any] = {
            "entry": entry,
            "sign": wording.SIGNS[entry.severity],
            "blocks": any(one.id in self._blocking for one in entry.findings),
            "fixes": any(fix is not None and fix.verified for fix in fixes),
        }
        template = templates.markdown().get_template(f"comment/{name}.md.j2")
        return template.render(**values, **more).strip("\n")


def _joined(lines: Sequence[str]) -> str:
    """A list ends with a blank line where a folded finding follows."""
    text = ""
    for line in lines:
        text += "\n" if text and line.startswith("<") and not text.endswith("\n\n") else ""
        text += line
    return f"{text.rstrip()}\n\n" if text else ""
