"""Which verdict stops a merge."""

from dataclasses import replace

import pytest

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Comparison, Gate, Report, Target, Verdict
from mergegate.core.score import FailOn, decide, draw_up, judge
from mergegate.core.severity import Category, Kind, Severity


def finding(id: str, severity: Severity, new: bool) -> Finding:
    return Finding(
        rule_id="r",
        title=id,
        message=id,
        severity=severity,
        category=Category.DEPENDENCY,
        kind=Kind.DEPENDENCY,
        id=id,
        is_new=new,
    )


def report(*findings: Finding, drifted: tuple[str, ...] = (), unrun: bool = False) -> Report:
    gaps = [Unrun("code", "semgrep crashed")] if unrun else []
    ledger = draw_up(findings, REPOSITORY)
    new = [one for one in findings if one.is_new]
    new_ledger = draw_up(new, REPOSITORY)
    comparison = Comparison(
        base="b" * 40,
        new=len(new),
        existing=len(findings) - len(new),
        fixed=(),
        verdict=judge(new, new_ledger, REPOSITORY, gaps),
        ledger=new_ledger,
        drifted=drifted,
    )
    return Report(
        target=Target(repo="r"),
        verdict=judge(findings, ledger, REPOSITORY, gaps),
        ledger=ledger,
        issues=(),
        risks=(),
        vulnerabilities=findings,
        comparison=comparison,
    )


OLD = finding("old", Severity.CRITICAL, new=False)
NEW = finding("new", Severity.CRITICAL, new=True)
BASE_UNKNOWN = Verdict(Gate.INCOMPLETE, ("Not checked: semgrep crashed on the base",))


def beside(report: Report, change: Verdict) -> Report:
    """``report`` with this verdict on the change alone."""
    assert report.comparison is not None
    return replace(report, comparison=replace(report.comparison, verdict=change))


@pytest.mark.parametrize(
    ("given", "fail_on", "expected"),
    [
        (report(OLD), FailOn.GATE, Gate.FAILED),
        (report(OLD), FailOn.NEW, Gate.PASSED),
        (report(NEW), FailOn.NEW, Gate.FAILED),
        (report(NEW), FailOn.NEVER, Gate.PASSED),
        (report(OLD, drifted=("old",)), FailOn.GATE, Gate.PASSED),
        (report(OLD, NEW, drifted=("old",)), FailOn.GATE, Gate.FAILED),
        (report(unrun=True), FailOn.NEVER, Gate.INCOMPLETE),
        (report(unrun=True), FailOn.NEW, Gate.INCOMPLETE),
        (report(OLD, drifted=("old",), unrun=True), FailOn.GATE, Gate.INCOMPLETE),
        (beside(report(), BASE_UNKNOWN), FailOn.NEW, Gate.INCOMPLETE),
        (beside(report(), BASE_UNKNOWN), FailOn.GATE, Gate.PASSED),
        (replace(report(OLD), comparison=None), FailOn.NEW, Gate.FAILED),
    ],
)
def test_the_gate_follows_fail_on(given: Report, fail_on: FailOn, expected: Gate) -> None:
    assert decide(given, fail_on, REPOSITORY).gate is expected
