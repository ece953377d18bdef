"""The risk score: deductions by severity, capped by area, and its grade."""

import pytest

from mergegate.core.severity import Severity
from mergegate.site.security.report import CAPS, Area, Flaw, RiskScore, grade, risk_score


def flaw(area: Area, severity: Severity, id: str = "1") -> Flaw:
    return Flaw(id=id, area=area, rule="rule", severity=severity, title="", message="", url="")


def test_a_site_without_flaws_has_a_hundred() -> None:
    assert risk_score([]) == RiskScore(100, "A+", {})


@pytest.mark.parametrize(
    ("severity", "score"),
    [
        (Severity.CRITICAL, 70),
        (Severity.HIGH, 80),
        (Severity.MEDIUM, 90),
        (Severity.LOW, 95),
        (Severity.INFO, 100),
    ],
)
def test_each_severity_has_its_price(severity: Severity, score: int) -> None:
    assert risk_score([flaw(Area.TRANSPORT, severity)]).score == score


def test_a_leaked_key_alone_leaves_75() -> None:
    leaked = risk_score([flaw(Area.SECRETS, Severity.CRITICAL)])
    assert (leaked.score, leaked.grade) == (75, "B")
    assert leaked.deductions == {Area.SECRETS: (30, 25)}


@pytest.mark.parametrize("area", Area)
def test_no_area_costs_more_than_its_cap(area: Area) -> None:
    many = [flaw(area, Severity.CRITICAL, str(number)) for number in range(9)]
    assert risk_score(many).deductions[area] == (270, CAPS[area])


def test_the_score_never_falls_below_nothing() -> None:
    everything = [flaw(area, Severity.CRITICAL, str(n)) for area in Area for n in range(9)]
    assert risk_score(everything) == RiskScore(0, "F", {area: (270, CAPS[area]) for area in Area})


@pytest.mark.parametrize(
    ("score", "letter"),
    [
        *((100, "A+"), (90, "A+"), (89, "A"), (80, "A"), (79, "B"), (65, "B")),
        *((64, "C"), (50, "C"), (49, "D"), (30, "D"), (29, "F"), (0, "F")),
    ],
)
def test_grades_begin_where_the_specification_says(score: int, letter: str) -> None:
    assert grade(score) == letter
