"""The report as one HTML file that needs nothing beside itself, and no script to be read."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mergegate.core.finding import Finding
from mergegate.core.render import charts, escape, wording
from mergegate.core.render.templates import Escaped, copyable, sheet
from mergegate.core.report import Deduction, Fix, Report
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import remedy

# Whatever could end the script element or a line of script.
_JSON_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class Card:
    """A finding with all the page shows of it."""

    finding: Finding
    place: str
    novelty: str
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


def render(report: Report) -> str:
    """The page, with every finding."""
    findings = report.findings
    cards = _cards(report, findings)
    return sheet(
        "report.html.j2",
        report=report,
        groups=_groups(cards),
        counts=wording.severities(findings),
        exits=wording.way_out(report),
        gauge=charts.gauge(wording.ledger(report).score),
        steps=charts.waterfall(report.ledger),
        categories=charts.by_category(findings, report.ledger),
        folders=charts.by_folder(findings),
        choices=_choices(findings),
        index=_json([_entry(card) for card in cards]),
    )


def _cards(report: Report, findings: Sequence[Finding]) -> list[Card]:
    fixes = excerpt.Fixes(report)
    deductions = {one.finding_id: one for one in report.ledger.deductions}
    return [_card(one, fixes.of(one), deductions.get(one.id)) for one in findings]


def _card(finding: Finding, fix: Fix | None, deduction: Deduction | None) -> Card:
    replacements = [edit.replacement for edit in fix.edits] if fix else []
    return Card(
        finding=finding,
        place=wording.place(finding.place),
        novelty=wording.novelty(finding),
        message=tuple(line for line in finding.message.split("\n") if line.strip()),
        lines=excerpt.lines(finding),
        fix=fix,
        remedy=remedy(finding, fix) if fix else (),
        changes=excerpt.diff(fix, [finding]) if fix else (),
        copy=copyable("\n".join(replacements)),
        links=wording.links(finding),
        deduction=deduction,
    )


def _groups(cards: Sequence[Card]) -> list[tuple[str, list[Card]]]:
    grouped = [
        (level.label, [card for card in cards if card.finding.severity is level])
        for level in wording.WORST_FIRST
    ]
    return [(label, group) for label, group in grouped if group]


def _choices(findings: Sequence[Finding]) -> dict[str, list[str]]:
    """What each filter offers."""
    return {
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
        "state": card.novelty,
        "fix": card.fix is not None,
        "file": escape.visible(finding.place.file) or "whole repository",
        "rule": escape.visible(finding.rule_id),
        "text": escape.visible(" ".join(words)).lower(),
    }


def _json(value: object) -> Escaped:
    return Escaped(json.dumps(value, separators=(",", ":")).translate(_JSON_ESCAPES))
