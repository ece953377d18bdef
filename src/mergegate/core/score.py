"""The score of a scan: its ledger, its gate, the way out, and what stops a merge."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.plans import Scoring
from mergegate.core.report import Deduction, Gate, Ledger, Report, Subtotal, Verdict
from mergegate.core.severity import Category

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


def way_out(findings: Iterable[Finding], scoring: Scoring) -> tuple[str, ...]:
    """Ids, worst first; the least findings, and among equals the one that leaves most points."""
    ordered = sorted(findings, key=lambda finding: finding.order)
    blocking = [finding for finding in ordered if finding.severity >= scoring.blocking]
    others = [finding for finding in ordered if finding.severity < scoring.blocking]
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
        best.setdefault(min(total, cap), tuple(findings[:count]))
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
    findings: Sequence[Finding], ledger: Ledger, scoring: Scoring, unrun: Sequence[Unrun] = ()
) -> Verdict:
    """Incomplete when an essential check did not run, whatever else is known; never a pass."""
    failures = _failures(findings, ledger, scoring)
    exits = way_out(findings, scoring) if failures else ()
    if unrun:
        return Verdict(Gate.INCOMPLETE, (*_missing(unrun), *failures), exits)
    return Verdict(Gate.FAILED if failures else Gate.PASSED, failures, exits)


def _failures(findings: Sequence[Finding], ledger: Ledger, scoring: Scoring) -> tuple[str, ...]:
    blocking = sum(finding.severity >= scoring.blocking for finding in findings)
    reasons = []
    if blocking:
        noun = "finding" if blocking == 1 else "findings"
        reasons.append(f"{blocking} {scoring.blocking.label} {noun}: the gate allows none")
    if ledger.score < scoring.floor:
        reasons.append(f"Score {ledger.score} is below {scoring.floor}")
    return tuple(reasons)


def _missing(unrun: Sequence[Unrun]) -> tuple[str, ...]:
    """One reason each, in order, said once however many checks share it."""
    return tuple(dict.fromkeys(f"Not checked: {gap.reason}" for gap in unrun))


class FailOn(StrEnum):
    """The gate whose failure stops a merge."""

    GATE = "gate"
    """The gate of the whole repository, without vulnerabilities published after the base."""
    NEW = "new"
    """The gate of the new findings alone."""
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


def _of_code(report: Report, fail_on: FailOn, scoring: Scoring) -> Verdict:
    if report.verdict.gate is Gate.INCOMPLETE:
        return report.verdict
    if fail_on is FailOn.NEVER:
        return Verdict(Gate.PASSED, ())
    if report.comparison is None:
        return report.verdict
    if fail_on is FailOn.NEW:
        return report.comparison.verdict
    return _without(report, frozenset(report.comparison.drifted), scoring)


def _without(report: Report, drifted: frozenset[str], scoring: Scoring) -> Verdict:
    """A vulnerability that was published meanwhile is no reason to refuse this change."""
    findings = [one for one in report.findings if one.id not in drifted]
    return judge(findings, draw_up(findings, scoring), scoring)
