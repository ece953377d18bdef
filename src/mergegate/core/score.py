"""The score of a scan: its ledger, its gate, the way out, and what stops a merge."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.plans import Scoring
from mergegate.core.report import (
    Comparison,
    Decided,
    Deduction,
    Gate,
    Ledger,
    Report,
    Subtotal,
    Verdict,
)
from mergegate.core.severity import Category, Confidence, Severity

FULL_SCORE = 100


def draw_up(findings: Iterable[Finding], scoring: Scoring) -> Ledger:
    """The ledger of ``findings``, worst first; the score is clamped to 0–100."""
    ordered = sorted(findings, key=lambda finding: finding.order)
    subtotals = tuple(_subtotal(category, ordered, scoring) for category in scoring.caps)
    taken = sum(subtotal.counted for subtotal in subtotals)
    return Ledger(max(0, FULL_SCORE - taken), _deductions(ordered, scoring), subtotals)


def _subtotal(category: Category, findings: Sequence[Finding], scoring: Scoring) -> Subtotal:
    points = sum(scoring.weights[f.severity] for f in findings if f.category == category)
    return Subtotal(category, points, scoring.caps[category])


def _deductions(findings: Sequence[Finding], scoring: Scoring) -> tuple[Deduction, ...]:
    """Worst findings use up their category's cap first."""
    left = dict(scoring.caps)
    deductions = []
    for finding in findings:
        points = scoring.weights[finding.severity]
        if not points:
            continue
        counted = min(points, left[finding.category])
        left[finding.category] -= counted
        deductions.append(
            Deduction(
                finding.category, finding.id, finding.title, finding.severity, points, counted
            )
        )
    return tuple(deductions)


Plan = tuple[int, tuple[Finding, ...]]
"""Points still counted, and the findings removed to get there."""


def way_out(
    findings: Iterable[Finding], scoring: Scoring, stops_at: Severity | None = None
) -> tuple[str, ...]:
    """Ids, worst first; the least findings, and among equals the one that leaves most points."""
    ordered = sorted(findings, key=lambda finding: finding.order)
    blocking = [one for one in ordered if blocks(one, scoring, stops_at)]
    others = [one for one in ordered if not blocks(one, scoring, stops_at)]
    removed = {finding.id for finding in (*blocking, *_lightest(others, scoring))}
    return tuple(finding.id for finding in ordered if finding.id in removed)


def _lightest(findings: Sequence[Finding], scoring: Scoring) -> tuple[Finding, ...]:
    allowance = FULL_SCORE - scoring.floor
    plans: dict[int, tuple[Finding, ...]] = {0: ()}
    for category in scoring.caps:
        choices = _choices([f for f in findings if f.category == category], category, scoring)
        plans = _combine(plans, choices)
    fitting = [(len(removed), points) for points, removed in plans.items() if points <= allowance]
    return plans[min(fitting)[1]]


def _choices(findings: Sequence[Finding], category: Category, scoring: Scoring) -> list[Plan]:
    """The fewest removals for each sum that the category's deduction can fall to."""
    cap = scoring.caps[category]
    total = sum(scoring.weights[finding.severity] for finding in findings)
    best: dict[int, tuple[Finding, ...]] = {min(total, cap): ()}
    for count, finding in enumerate(findings, start=1):
        weight = scoring.weights[finding.severity]
        if not weight:
            break  # worst first: nothing after this one weighs anything
        total -= weight
        if (counted := min(total, cap)) not in best:  # thousands may count for nothing
            best[counted] = tuple(findings[:count])
    return list(best.items())


def _combine(
    plans: dict[int, tuple[Finding, ...]], choices: Sequence[Plan]
) -> dict[int, tuple[Finding, ...]]:
    combined: dict[int, tuple[Finding, ...]] = {}
    for points, removed in plans.items():
        for more_points, more_removed in choices:
            total, all_removed = points + more_points, (*removed, *more_removed)
            if total not in combined or len(all_removed) < len(combined[total]):
                combined[total] = all_removed
    return combined


def judge(
    findings: Sequence[Finding],
    ledger: Ledger,
    scoring: Scoring,
    unrun: Sequence[Unrun] = (),
    stops_at: Severity | None = None,
) -> Verdict:
    """Incomplete when an essential check did not run, whatever else is known; never a pass.

    ``stops_at`` is set where ``findings`` are what a change brings: any of that severity or above
    fails it, unless the finding is but a hint (confidence low).
    """
    failures = _failures(findings, ledger, scoring, stops_at)
    exits = way_out(findings, scoring, stops_at) if failures else ()
    if unrun:
        return Verdict(Gate.INCOMPLETE, (*_missing(unrun), *failures), exits)
    return Verdict(Gate.FAILED if failures else Gate.PASSED, failures, exits)


def blocks(finding: Finding, scoring: Scoring, stops_at: Severity | None = None) -> bool:
    """Whether the gate, or with ``stops_at`` that of a change, allows no such finding."""
    if finding.severity >= scoring.blocking:
        return True
    sure = finding.confidence >= Confidence.MEDIUM
    return stops_at is not None and finding.severity >= stops_at and sure


def _failures(
    findings: Sequence[Finding], ledger: Ledger, scoring: Scoring, stops_at: Severity | None
) -> tuple[str, ...]:
    blocking = sum(finding.severity >= scoring.blocking for finding in findings)
    reasons = []
    if blocking:
        noun = "finding" if blocking == 1 else "findings"
        reasons.append(f"{blocking:,} {scoring.blocking.label} {noun}: the gate allows none")
    if stops_at is not None and (brought := _brought(findings, scoring, stops_at)):
        reasons.append(f"{brought}: a change may bring none (`fail-change-on: {stops_at.label}`)")
    if ledger.score < scoring.floor:
        reasons.append(f"Score {ledger.score} is below {scoring.floor}")
    return tuple(reasons)


def _brought(findings: Sequence[Finding], scoring: Scoring, stops_at: Severity) -> str:
    """``2 new high findings and 1 new medium finding``: what stops a change and no gate.

    ``2 of 5 new high findings (the others are hints)`` where not all of a severity do.
    """
    found = [one for one in findings if blocks(one, scoring, stops_at)]
    counts = Counter(one.severity for one in found if not blocks(one, scoring))
    of_all = Counter(one.severity for one in findings)
    return " and ".join(
        _of(count, of_all[severity], f"new {severity.label}")
        for severity, count in sorted(counts.items(), reverse=True)
    )


def _of(count: int, total: int, kind: str) -> str:
    if count == total:
        return f"{count:,} {kind} {'finding' if count == 1 else 'findings'}"
    rest = "other is a hint" if total - count == 1 else "others are hints"
    return f"{count:,} of {total:,} {kind} findings (the {rest})"


_GAP = "Not checked: "


def _missing(unrun: Sequence[Unrun]) -> tuple[str, ...]:
    """One reason each, in order, said once however many checks share it."""
    return tuple(dict.fromkeys(f"{_GAP}{gap.reason}" for gap in unrun))


def gaps_in(verdict: Verdict) -> tuple[Unrun, ...]:
    """What did not run, as the reasons of ``verdict`` name it."""
    named = (one.removeprefix(_GAP) for one in verdict.reasons if one.startswith(_GAP))
    return tuple(Unrun("scan", one) for one in named)


def held_to(report: Report, stops_at: Severity | None, scoring: Scoring) -> Report:
    """``report`` with its change judged by another ``fail-change-on``; None leaves it as it is."""
    before = report.comparison
    if before is None or stops_at is None or stops_at is before.stops_at:
        return report
    new = [one for one in report.findings if one.is_new]
    verdict = judge(new, before.ledger, scoring, gaps_in(before.verdict), stops_at)
    return replace(report, comparison=replace(before, verdict=verdict, stops_at=stops_at))


class FailOn(StrEnum):
    """The gate whose failure stops a merge."""

    GATE = "gate"
    """The gate of the whole repository, without vulnerabilities published after the base and what
    an upgrade brings, and with a base that of the new findings too."""
    NEW = "new"
    """The gate of the new findings alone: of the repository's rule, and of ``fail-change-on``."""
    NEVER = "never"


def decide(report: Report, fail_on: FailOn, scoring: Scoring) -> Verdict:
    """The verdict that check and exit code follow, for code and site together.

    Incomplete whatever ``fail_on`` says. Without a comparison the change cannot be told from the
    rest, so the whole is judged.
    """
    site = report.site.verdict if report.site else None
    verdict = _of_code(report, fail_on, scoring).beside(site)
    if fail_on is FailOn.NEVER and verdict.gate is Gate.FAILED:
        return Verdict(Gate.PASSED, ())
    return verdict


def decided(report: Report, fail_on: FailOn, scoring: Scoring) -> Report:
    """``report`` with what :func:`decide` says of it, for all that render it."""
    return replace(report, decided=Decided(decide(report, fail_on, scoring), fail_on.value))


def _of_code(report: Report, fail_on: FailOn, scoring: Scoring) -> Verdict:
    if report.verdict.gate is Gate.INCOMPLETE:
        return report.verdict
    if fail_on is FailOn.NEVER:
        return Verdict(Gate.PASSED, ())
    if report.comparison is None:
        excused = _excused(report)
        return _without(report, excused, scoring) if excused else report.verdict
    if fail_on is FailOn.NEW:
        return report.comparison.verdict
    whole = _without(report, _excused(report) | {*report.comparison.drifted}, scoring)
    return whole.beside(_beyond_the_rule(report.findings, report.comparison, scoring))


def _beyond_the_rule(findings: Sequence[Finding], change: Comparison, scoring: Scoring) -> Verdict:
    """The verdict on ``change`` without what the repository fails by as well, in other numbers."""
    new = [one for one in findings if one.is_new]
    shared = _failures(new, change.ledger, scoring, None)
    reasons = tuple(one for one in change.verdict.reasons if one not in shared)
    return replace(change.verdict, reasons=reasons)


def _excused(report: Report) -> frozenset[str]:
    """What an upgrade told, until the day from which it blocks."""
    later = report.later_rules
    return frozenset() if later is None or later.blocks else frozenset(later.ids)


def _without(report: Report, excused: frozenset[str], scoring: Scoring) -> Verdict:
    """What became known meanwhile, or came with an upgrade, is no reason to refuse this change."""
    findings = [one for one in report.findings if one.id not in excused]
    return judge(findings, draw_up(findings, scoring), scoring)
