"""Which verdict stops a merge."""

from dataclasses import replace

import pytest

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Comparison, Gate, Report, Target, Verdict
from mergegate.core.score import FailOn, decide, draw_up, held_to, judge
from mergegate.core.severity import Category, Confidence, Kind, Severity


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
        verdict=judge(new, new_ledger, REPOSITORY, gaps, Severity.HIGH),
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
HIGH = finding("high", Severity.HIGH, new=True)
OLD_HIGH = finding("old high", Severity.HIGH, new=False)
HINT = replace(finding("hint", Severity.HIGH, new=True), confidence=Confidence.LOW)
MEDIUM = finding("medium", Severity.MEDIUM, new=True)
OF_TWO = "1 of 2 new high findings (the other is a hint)"
BOTH = f"{OF_TWO} and 1 new medium finding"
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
        (beside(report(), BASE_UNKNOWN), FailOn.GATE, Gate.INCOMPLETE),
        (replace(report(OLD), comparison=None), FailOn.NEW, Gate.FAILED),
        (report(HIGH), FailOn.NEW, Gate.FAILED),
        (report(HIGH), FailOn.GATE, Gate.FAILED),
        (report(HIGH), FailOn.NEVER, Gate.PASSED),
        (report(OLD_HIGH, HINT, MEDIUM), FailOn.NEW, Gate.PASSED),
        (report(OLD_HIGH, HINT, MEDIUM), FailOn.GATE, Gate.PASSED),
        (replace(report(HIGH), comparison=None), FailOn.GATE, Gate.PASSED),
    ],
)
def test_the_gate_follows_fail_on(given: Report, fail_on: FailOn, expected: Gate) -> None:
    assert decide(given, fail_on, REPOSITORY).gate is expected


@pytest.mark.parametrize(
    ("stops_at", "reasons", "exits"),
    [
        (Severity.CRITICAL, (), ()),
        (
            Severity.HIGH,
            (f"{OF_TWO}: a change may bring none (`fail-change-on: high`)",),
            ("high",),
        ),
        (
            Severity.MEDIUM,
            (f"{BOTH}: a change may bring none (`fail-change-on: medium`)",),
            ("high", "medium"),
        ),
    ],
)
def test_what_stops_a_change_is_a_setting(
    stops_at: Severity, reasons: tuple[str, ...], exits: tuple[str, ...]
) -> None:
    held = held_to(report(HIGH, HINT, MEDIUM), stops_at, REPOSITORY)
    assert held.comparison is not None
    verdict = held.comparison.verdict
    assert (verdict.reasons, verdict.way_out, held.comparison.stops_at) == (
        reasons,
        exits,
        stops_at,
    )
    assert held.verdict.gate is Gate.PASSED


def test_another_setting_leaves_a_gap_a_gap() -> None:
    held = held_to(report(HIGH, unrun=True), Severity.CRITICAL, REPOSITORY)
    assert held.comparison is not None
    assert held.comparison.verdict == Verdict(Gate.INCOMPLETE, ("Not checked: semgrep crashed",))


def test_what_repository_and_change_fail_by_is_said_once_with_its_numbers() -> None:
    both = decide(report(OLD, NEW, HIGH), FailOn.GATE, REPOSITORY)
    assert both.reasons == (
        "2 critical findings: the gate allows none",
        "1 new high finding: a change may bring none (`fail-change-on: high`)",
    )
