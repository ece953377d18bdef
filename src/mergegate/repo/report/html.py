"""The report as one HTML file that needs nothing beside itself, and no script to be read."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mergegate.core.finding import Finding
from mergegate.core.render import charts, escape, source, wording
from mergegate.core.render.templates import Escaped, copyable, sheet
from mergegate.core.report import Deduction, Fix, Report
from mergegate.core.severity import Severity
from mergegate.repo.report import excerpt, news
from mergegate.repo.report.entries import Entry, entries, remedy
from mergegate.repo.report.news import Chapter

MOST_ROWS = 100
"""Rows that a group shows at once; the others are behind a title of their own, also on paper."""
_NOTES = "For information, no points taken"
# Whatever could end the script element or a line of script.
_JSON_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class Card:
    """A finding with all the page shows of it."""

    number: int
    """Its place in the index that the script reads."""
    finding: Finding
    place: str
    source: str
    """Where its forge shows the lines; may be empty."""
    state: str
    """As the chapter has it; empty without a base."""
    origin: str
    """The group that it stands in: the state, but ``notes`` for what is new and only informs."""
    blocks: bool
    message: tuple[str, ...]
    lines: tuple[excerpt.Line, ...]
    fix: Fix | None
    remedy: tuple[str, ...]
    """What the fix says beyond the finding."""
    changes: tuple[excerpt.Change, ...]
    copy: Escaped
    """The fix's new lines, for the clipboard."""
    links: tuple[str, ...]
    deduction: Deduction | None


@dataclass(frozen=True, slots=True)
class Row:
    """A finding, or all that have one cause."""

    entry: Entry
    cards: tuple[Card, ...]
    """One each, worst first."""
    blocks: str


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one title; closed where few readers look."""

    title: str
    count: int
    is_open: bool
    rows: tuple[Row, ...]
    part: str = ""
    """The range of rows under that title; empty for all rows."""
    is_rest: bool = False
    """Whether these are the rows beyond the limit, which are collapsed."""


def render(report: Report) -> str:
    """The page, with every finding; what is new comes first."""
    findings, chapters = report.findings, news.chapters(report)
    pack = _Pack(report, chapters)
    return sheet(
        "report.html.j2",
        report=report,
        news=news,
        forges=source.NAMES,
        groups=pack.groups(),
        most_rows=MOST_ROWS,
        counts=wording.severities(findings),
        exits=news.exits(report),
        gauge=charts.gauge(wording.ledger(report).score),
        steps=charts.waterfall(report.ledger),
        categories=charts.by_category(findings, report.ledger),
        folders=charts.by_folder(findings),
        packages=entries(report.vulnerabilities),
        choices=_choices(findings, chapters),
        by_origin=pack.by_origin,
        index=_json([_entry(card) for card in pack.cards.values()]),
    )


class _Pack:
    """Every card of a report, and the groups that hold them."""

    def __init__(self, report: Report, chapters: Sequence[Chapter]) -> None:
        self._report = report
        self._chapters = chapters
        self._blocking = news.blocking(report)
        fixes = excerpt.Fixes(report)
        deductions = {one.finding_id: one for one in report.ledger.deductions}
        states = {one.id: chapter.state for chapter in chapters for one in chapter.findings}
        self.cards = {
            one.id: self._card(number, one, states[one.id], fixes, deductions.get(one.id))
            for number, one in enumerate(report.findings)
        }

    @property
    def by_origin(self) -> bool:
        """Whether findings come from more than one place."""
        return any(one.state for one in self._chapters)

    def groups(self) -> list[Group]:
        """By where findings come from; where that is one place, by severity."""
        if not self.by_origin:
            return self._by_severity()
        told = [part for one in self._chapters if one.count for part in self._chapter(one)]
        notes = [note for one in self._chapters if one.is_news for note in one.notes]
        if notes:
            told += self._group(_NOTES, len(notes), entries(notes), is_news=False)
        return told

    def _chapter(self, one: Chapter) -> list[Group]:
        found = one.entries if one.is_news else entries(one.findings)
        return self._group(one.title, one.count, found, is_news=one.is_news)

    def _by_severity(self) -> list[Group]:
        rows = entries(self._report.findings)
        groups = [
            (level, [r for r in rows if r.severity is level]) for level in wording.WORST_FIRST
        ]
        return [
            part
            for level, mine in groups
            if mine
            for part in self._group(
                level.label.capitalize(),
                sum(len(row.findings) for row in mine),
                mine,
                is_news=level > Severity.INFO,
            )
        ]

    def _group(
        self, title: str, count: int, found: Sequence[Entry], *, is_news: bool
    ) -> list[Group]:
        """One group; beyond the limit of rows two, the second collapsed."""
        rows = tuple(map(self._row, found))
        is_open = is_news or any(row.blocks for row in rows)
        first, rest = rows[:MOST_ROWS], rows[MOST_ROWS:]
        if not rest:
            return [Group(title, count, is_open, rows)]
        shown = sum(len(row.cards) for row in first)
        return [
            Group(title, shown, is_open, first, f"the first {MOST_ROWS}"),
            Group(title, count - shown, False, rest, f"{len(rest):,} more", is_rest=True),
        ]

    def _row(self, entry: Entry) -> Row:
        cards = tuple(self.cards[one.id] for one in entry.findings)
        return Row(entry, cards, entry.blocking(self._blocking))

    def _card(
        self,
        number: int,
        finding: Finding,
        state: str,
        fixes: excerpt.Fixes,
        deduction: Deduction | None,
    ) -> Card:
        fix = fixes.told(finding)
        replacements = [edit.replacement for edit in fix.edits] if fix else []
        return Card(
            number=number,
            finding=finding,
            place=wording.place(finding.place),
            source=source.link(self._report.target, finding.place),
            state=state,
            origin="notes" if state in {"", "new"} and finding.severity is Severity.INFO else state,
            blocks=finding.id in self._blocking,
            message=tuple(line for line in finding.message.split("\n") if line.strip()),
            lines=excerpt.lines(finding),
            fix=fix,
            remedy=remedy(finding, fix) if fix else (),
            changes=excerpt.diff(fix, [finding]) if fix else (),
            copy=copyable("\n".join(replacements)),
            links=wording.links(finding),
            deduction=deduction,
        )


def _choices(findings: Sequence[Finding], chapters: Sequence[Chapter]) -> dict[str, list[str]]:
    """What each filter offers."""
    states = [one.state for one in chapters if one.state]
    return ({"state": states} if states else {}) | {
        "category": sorted({finding.category.value for finding in findings}),
        "kind": sorted({finding.kind.value for finding in findings}),
        "engine": sorted({finding.engine for finding in findings}),
    }


def _entry(card: Card) -> dict[str, Any]:
    """What the script filters by; it never makes markup of it."""
    finding = card.finding
    words = (finding.title, finding.message, card.place, finding.rule_id, *finding.cwe)
    return {
        "id": finding.id,
        "severity": finding.severity.label,
        "category": finding.category.value,
        "kind": finding.kind.value,
        "engine": finding.engine,
        "state": card.state,
        "origin": card.origin,
        "fix": card.fix is not None,
        "file": escape.visible(finding.place.file) or "whole repository",
        "rule": escape.visible(finding.rule_id),
        "text": escape.visible(" ".join(words)).lower(),
    }


def _json(value: object) -> Escaped:
    return Escaped(json.dumps(value, separators=(",", ":")).translate(_JSON_ESCAPES))
