"""The specification's arithmetic, and the way out against brute force."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Gate
from mergegate.core.score import draw_up, judge, way_out
from mergegate.core.severity import Category, Kind, Severity


def finding(severity: Severity, category: Category = Category.SECURITY, id: str = "a") -> Finding:
    return Finding(
        rule_id="rule",
        title="Title",
        message="Message.",
        severity=severity,
        category=category,
        kind=Kind.CODE,
        id=id,
    )


def several(count: int, severity: Severity, category: Category) -> list[Finding]:
    return [finding(severity, category, f"{category}-{severity}-{n}") for n in range(count)]


@pytest.mark.parametrize(
    ("severity", "score"),
    [
        (Severity.CRITICAL, 75),
        (Severity.HIGH, 90),
        (Severity.MEDIUM, 96),
        (Severity.LOW, 99),
        (Severity.INFO, 100),
    ],
)
def test_each_severity_takes_its_weight(severity: Severity, score: int) -> None:
    assert draw_up([finding(severity)], REPOSITORY).score == score


@pytest.mark.parametrize(
    ("category", "score"),
    [
        (Category.SECURITY, 50),
        (Category.DEPENDENCY, 70),
        (Category.QUALITY, 85),
        (Category.IAC, 85),
    ],
)
def test_a_category_takes_no_more_than_its_cap(category: Category, score: int) -> None:
    ledger = draw_up(several(9, Severity.HIGH, category), REPOSITORY)
    assert ledger.score == score
    assert [s.category for s in ledger.subtotals if s.capped] == [category]
    assert sum(deduction.counted for deduction in ledger.deductions) == 100 - score


def test_all_caps_together_leave_nothing_and_not_less() -> None:
    everything = [f for category in Category for f in several(9, Severity.CRITICAL, category)]
    assert draw_up(everything, REPOSITORY).score == 0


def test_sixty_passes_and_fifty_nine_fails() -> None:
    forty = several(4, Severity.HIGH, Category.SECURITY)
    assert _gate(forty) is Gate.PASSED
    assert _gate([*forty, finding(Severity.LOW, id="b")]) is Gate.FAILED


def test_one_critical_fails_at_any_score() -> None:
    verdict = judge(
        [finding(Severity.CRITICAL)], draw_up([finding(Severity.CRITICAL)], REPOSITORY), REPOSITORY
    )
    assert verdict.gate is Gate.FAILED
    assert verdict.reasons == ("1 critical finding: the gate allows none",)
    assert verdict.way_out == ("a",)


def test_an_unrun_check_is_incomplete_even_when_nothing_was_found() -> None:
    gap = Unrun("secrets", "detect-secrets is not installed")
    verdict = judge([], draw_up([], REPOSITORY), REPOSITORY, [gap, gap])
    assert verdict.gate is Gate.INCOMPLETE
    assert verdict.reasons == ("Not checked: detect-secrets is not installed",)


def test_the_way_out_counts_what_the_cap_already_spares() -> None:
    security = several(9, Severity.HIGH, Category.SECURITY)  # 90, counted 50
    quality = several(2, Severity.HIGH, Category.QUALITY)  # 20, counted 15
    exits = way_out([*security, *quality], REPOSITORY)
    assert len(exits) == 7  # quality to 0 and security to 40, or security alone to 20


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(list(Severity)), st.sampled_from(list(Category))), max_size=11
    )
)
def test_no_smaller_set_turns_the_gate_green(kinds: list[tuple[Severity, Category]]) -> None:
    findings = [finding(s, c, f"f{n}") for n, (s, c) in enumerate(kinds)]
    exits = way_out(findings, REPOSITORY)
    assert _gate([f for f in findings if f.id not in exits]) is Gate.PASSED
    for smaller in combinations(findings, max(0, len(exits) - 1)):
        if len(exits) > 0:
            assert _gate([f for f in findings if f not in smaller]) is not Gate.PASSED


def _gate(findings: list[Finding]) -> Gate:
    return judge(findings, draw_up(findings, REPOSITORY), REPOSITORY).gate
