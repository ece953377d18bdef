"""Rows of findings as Markdown, each a line or folded with all about it, as room allows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from mergegate.core.render import templates, wording
from mergegate.core.report import Target
from mergegate.repo.report import entries as detail
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import Entry


@dataclass(frozen=True, slots=True)
class Shown:
    """What fits."""

    text: str
    count: int
    """The number of findings, not of rows."""
    ids: frozenset[str]


class Lines:
    """Rows as Markdown, rendered one by one and only as far as there is room."""

    def __init__(
        self,
        found: Sequence[Entry],
        fixes: excerpt.Fixes,
        target: Target,
        blocking: Collection[str] = (),
        *,
        most: int | None = None,
        folds: bool = True,
        brief: bool = False,
    ) -> None:
        """``blocking``: ids of findings that are marked as standing in the way.

        At most ``most`` rows; ``folds``: whether the forge folds text away; ``brief``: whether
        only rows that block are told in full.
        """
        self._found = found[:most]
        self._fixes = fixes
        self._target = target
        self._blocking = blocking
        self._folds = folds
        self._brief = brief

    def brief(self, number: int) -> str:
        """The row as one item of a list."""
        return self._rendered("line", self._found[number])

    def fitting(self, room: int) -> Shown:
        """The lines that fit into ``room`` characters; details only where every line still fits."""
        lines = self._lines(room - len(self._found))  # one blank line each may part them
        used = sum(map(len, lines)) + len(self._found)
        for number, line in enumerate(lines):
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
        for number in range(len(self._found)):
            used += len(self._full(number))
            if used >= most:
                return most
        return used

    def _lines(self, room: int) -> list[str]:
        """The brief lines that have room, worst first."""
        used = 0
        lines: list[str] = []
        for number in range(len(self._found)):
            line = self._line(number)
            used += len(line)
            if used > room:
                break
            lines.append(line)
        return lines

    def _line(self, number: int) -> str:
        return f"{self.brief(number)}\n"

    def _full(self, number: int) -> str:
        entry = self._found[number]
        if not self._folds or (self._brief and not entry.blocking(self._blocking)):
            return self._line(number)
        told = detail.of(entry.lead, self._fixes.told(entry.lead))
        return f"{self._rendered('fold', entry, **told)}\n\n"

    def _rendered(self, name: str, entry: Entry, **more: Any) -> str:
        fixes = [self._fixes.told(one) for one in entry.findings]
        values: dict[str, Any] = {
            "entry": entry,
            "target": self._target,
            "sign": wording.SIGNS[entry.severity],
            "blocks": entry.blocking(self._blocking),
            "fixes": any(fix is not None and fix.verified for fix in fixes),
        }
        template = templates.markdown().get_template(f"row/{name}.md.j2")
        return template.render(**values, **more).strip("\n")


def _joined(lines: Sequence[str]) -> str:
    """A list ends with a blank line where a folded row follows, and begins after one."""
    text, before = "", ""
    for line in lines:
        parted = text.endswith("\n\n")
        folded, was = line.startswith("<"), before.startswith("<")
        text += "\n" if text and not parted and folded != was else ""
        text += line
        before = line
    return f"{text.rstrip()}\n\n" if text else ""
