"""What an editor shows of a scanned file: diagnostics, and what each of them is about."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Location,
    Position,
    Range,
)

from mergegate.core.finding import Finding
from mergegate.core.render.escape import visible
from mergegate.core.report import Fix, Report
from mergegate.core.score import gaps_in
from mergegate.core.severity import Confidence, Severity
from mergegate.editor.scanning import Order, Outcome
from mergegate.editor.text import Text
from mergegate.repo.checks import all_rules
from mergegate.repo.facts.code import CodeMatch, CodeMatches

SOURCE = "mergegate"
_LEVELS: Mapping[Severity, DiagnosticSeverity] = {
    Severity.CRITICAL: DiagnosticSeverity.Error,
    Severity.HIGH: DiagnosticSeverity.Error,
    Severity.MEDIUM: DiagnosticSeverity.Warning,
    Severity.LOW: DiagnosticSeverity.Information,
    Severity.INFO: DiagnosticSeverity.Hint,
}
_MOST = 500
"""Diagnostics of one file; beyond it nobody reads, and editors grow slow."""


@dataclass(frozen=True, slots=True)
class Flagged:
    """A finding where the editor shows it."""

    finding: Finding
    diagnostic: Diagnostic
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What an editor was told of a file."""

    order: Order
    outcome: Outcome
    text: Text
    flagged: tuple[Flagged, ...] = ()
    """Worst first."""
    notes: tuple[Diagnostic, ...] = ()
    """What is no finding: above all that something could not be checked."""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All of them, as they are published."""
        return [*self.notes, *(one.diagnostic for one in self.flagged)]

    def at(self, range: Range, ids: Collection[str] = ()) -> list[Flagged]:
        """What touches ``range``, or is one of ``ids``."""
        return [
            one
            for one in self.flagged
            if one.finding.id in ids or _touch(one.diagnostic.range, range)
        ]


def shown(order: Order, outcome: Outcome, text: Text, *, related: bool) -> Shown:
    """What the editor is to show; ``related`` tells whether it shows the way of the data."""
    report = outcome.report
    found = () if report is None else tuple(_flagged(report, order, text, related=related))
    kept, more = found[:_MOST], len(found) - _MOST
    notes = [_note(text, one) for one in _notes(outcome)]
    if more > 0:
        notes.append(_note(text, f"{more:,} more findings: `mergegate scan` tells them all"))
    notes += [_mistake(text, one.line, one.said) for one in outcome.mistakes]
    return Shown(order, outcome, text, kept, tuple(notes))


def _touch(one: Range, other: Range) -> bool:
    """Whether they overlap or meet."""
    return _pair(one.start) <= _pair(other.end) and _pair(other.start) <= _pair(one.end)


def _pair(position: Position) -> tuple[int, int]:
    return position.line, position.character


def _flagged(report: Report, order: Order, text: Text, *, related: bool) -> Iterator[Flagged]:
    fixes = {id: fix for fix in report.fixes for id in fix.finding_ids}
    ways = _ways(report) if related else {}
    for finding in report.findings:
        place = finding.place
        way = ways.get((finding.rule_id, place.start_line, place.start_column), ())
        diagnostic = Diagnostic(
            range=text.range(place),
            severity=_level(finding),
            code=finding.rule_id,
            code_description=_page(finding),
            source=SOURCE,
            message="\n".join(visible(one) for one in (finding.title, finding.message)),
            related_information=_steps(way, finding, order.uri, text) or None,
            data={"id": finding.id},
        )
        fix = fixes.get(finding.id)
        elsewhere = fix and {one.path for one in fix.edits} - {place.file}
        yield Flagged(finding, diagnostic, None if elsewhere else fix)


def _level(finding: Finding) -> DiagnosticSeverity:
    """Red is what is critical or high, and no mere hint."""
    is_hint = finding.confidence is Confidence.LOW
    return _LEVELS[min(finding.severity, Severity.MEDIUM) if is_hint else finding.severity]


def _page(finding: Finding) -> CodeDescription | None:
    """Where the rule is told of in public; no address that a finding brings along."""
    rule = all_rules().get(finding.rule_id)
    pages = [one for one in rule.references if one.startswith("https://")] if rule else []
    return CodeDescription(href=pages[0]) if pages else None


def _ways(report: Report) -> dict[tuple[str, int, int], tuple[int, ...]]:
    """The lines that data flows through, by rule, line and column of what it reaches."""
    facts = report.basis.head.gathered.facts.get(CodeMatches) if report.basis else None
    files = facts.files if isinstance(facts, CodeMatches) else ()
    return {_key(match): match.trace for file in files for match in file.found.matches}


def _key(match: CodeMatch) -> tuple[str, int, int]:
    return match.rule_id, match.start_line, match.start_column


def _steps(
    way: Sequence[int], finding: Finding, uri: str, text: Text
) -> list[DiagnosticRelatedInformation]:
    """Where the data enters and what it passes, without the flagged line itself."""
    lines = [one for one in way if one != finding.place.start_line]
    words = ("the data enters here", *("it passes here" for _ in lines[1:]))
    return [
        DiagnosticRelatedInformation(Location(uri, text.line(line)), message)
        for line, message in zip(lines, words, strict=False)
    ]


def _notes(outcome: Outcome) -> Iterator[str]:
    """What of the file was not checked, a sentence each."""
    if outcome.trouble is not None:
        yield f"Not scanned: {outcome.trouble}"
    if (report := outcome.report) is None:
        return
    for gap in gaps_in(report.verdict):
        yield f"Incomplete: {gap.reason}"
    for one in (*report.coverage.skipped, *report.coverage.limited):
        yield f"Not all of it was scanned: {one.reason}"


def _note(text: Text, message: str) -> Diagnostic:
    return Diagnostic(
        range=text.line(0),
        severity=DiagnosticSeverity.Warning,
        code="incomplete",
        source=SOURCE,
        message=visible(message),
    )


def _mistake(text: Text, line: int, message: str) -> Diagnostic:
    return Diagnostic(
        range=text.line(line),
        severity=DiagnosticSeverity.Error,
        code="policy",
        source=SOURCE,
        message=visible(message),
    )
