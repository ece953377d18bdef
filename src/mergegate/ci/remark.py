"""Review comments: new findings beside the changed lines, with a fix to click where one holds."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.render import templates, wording
from mergegate.core.report import Fix, Report
from mergegate.core.severity import Severity
from mergegate.forges.marker import mark
from mergegate.forges.publication import Dialect, Remark
from mergegate.repo.report import entries as detail
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import Entry, entries, origins

MOST = 10
"""How many a change gets unless the team says otherwise; more are a wall."""
_LONGEST = 20
_MOST_PARAGRAPHS = 6

Shown = Mapping[str, tuple[tuple[int, int], ...]]
"""Path → inclusive line ranges of the new file that the forge shows in its diff."""


def remarks(report: Report, shown: Shown, dialect: Dialect, most: int = MOST) -> tuple[Remark, ...]:
    """At most ``most`` remarks on what the change brings, worst first.

    A finding gets one where all its lines stand in one shown range; findings for information
    get none. Without a base nothing is known to be new, so there are none. Advisories of one
    package at one place share a remark.
    """
    if report.comparison is None or most < 1:
        return ()
    writer = _Writer(report, shown, dialect)
    return tuple(map(writer.remark, writer.worth()[:most]))


@dataclass(frozen=True, slots=True)
class _Lines:
    """A range of lines in the new file, both ends inclusive."""

    start: int
    end: int

    def inside(self, other: tuple[int, int]) -> bool:
        return other[0] <= self.start <= self.end <= other[1]

    def touches(self, other: "_Lines") -> bool:
        return self.start <= other.end and other.start <= self.end


class _Writer:
    def __init__(self, report: Report, shown: Shown, dialect: Dialect) -> None:
        self._report = report
        self._shown = shown
        self._dialect = dialect
        self._fixes = excerpt.Fixes(report)

    def worth(self) -> list[Entry]:
        """What is worth a remark and can have one, worst first."""
        at: dict[Place, list[Finding]] = defaultdict(list)
        for finding in origins(self._report).brought:
            lines = _lines(finding.place)
            if finding.severity > Severity.INFO and lines and self._in_view(finding, lines):
                at[finding.place].append(finding)
        found = [entry for findings in at.values() for entry in entries(findings)]
        return sorted(found, key=lambda entry: entry.lead.order)

    def remark(self, entry: Entry) -> Remark:
        """The remark on the lines that the suggestion replaces, else on the finding's own."""
        finding = entry.lead
        fix = self._fixes.of(finding)
        edit = self._one_click(finding, fix) if fix else None
        lines = _Lines(edit.start_line, edit.end_line) if edit else _anchor(finding.place)
        return Remark(
            finding_id=finding.id,
            path=finding.place.file,
            start_line=lines.start,
            end_line=lines.end,
            body=self._body(entry, fix, excerpt.block(edit, self._dialect) if edit else ""),
        )

    def _body(self, entry: Entry, fix: Fix | None, block: str) -> str:
        """The remark's text; details are cut where a forge would refuse the whole of it."""
        told = detail.of(entry.lead, fix)
        told["message"] = told["message"][:_MOST_PARAGRAPHS]
        body = self._rendered(entry, block, told)
        if len(body) <= self._dialect.limit:
            return body
        told["message"], told["changes"] = told["message"][:1], ()
        return self._rendered(Entry(entry.findings[:1]), block, told)

    def _rendered(self, entry: Entry, block: str, told: Mapping[str, Any]) -> str:
        template = templates.markdown().get_template("remark.md.j2")
        text = template.render(
            entry=entry,
            sign=wording.SIGNS[entry.severity],
            suggestion=templates.Escaped(block),
            **told,
        )
        return f"{text.strip()}\n\n{mark(entry.lead.id, self._dialect.hiding)}\n"

    def _one_click(self, finding: Finding, fix: Fix) -> Edit | None:
        """The edit, where it is the whole fix, was proved, and lies in view at the finding."""
        if not fix.verified or len(fix.edits) != 1:
            return None
        edit = fix.edits[0]
        lines, own = _Lines(edit.start_line, edit.end_line), _lines(finding.place)
        here = edit.path == finding.place.file and own is not None and lines.touches(own)
        open_to_see = here and self._in_view(finding, lines)
        return edit if open_to_see and excerpt.block(edit, self._dialect) else None

    def _in_view(self, finding: Finding, lines: _Lines) -> bool:
        return any(lines.inside(one) for one in self._shown.get(finding.place.file, ()))


def _lines(place: Place) -> _Lines | None:
    """None for a whole file or repository."""
    if not place.file or place.start_line < 1:
        return None
    return _Lines(place.start_line, max(place.start_line, place.end_line))


def _anchor(place: Place) -> _Lines:
    """The finding's lines; the first alone where they would fill the screen."""
    end = max(place.start_line, place.end_line)
    long = end - place.start_line >= _LONGEST
    return _Lines(place.start_line, place.start_line if long else end)
