"""When a site stops a merge: by a team's rules alone, and never unseen."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from mergegate.model.budget import Key, Violation
from mergegate.model.facts.lighthouse import Area, Scores
from mergegate.model.report import Gate, Verdict
from mergegate.model.site.outcome import SiteOutcome, SiteRules
from mergegate.score.site import judged
from tests.report.site import AUDITED, SLOW_SITE, TESTED

SITE = SiteOutcome(url="https://shop.example.org/", audited=AUDITED, tested=TESTED)


def reasons(rules: SiteRules, site: SiteOutcome = SITE) -> tuple[str, ...]:
    return judged(replace(site, rules=rules)).verdict.reasons


def test_without_rules_a_site_is_only_reported() -> None:
    assert judged(SITE).verdict == Verdict(Gate.PASSED, ())


@pytest.mark.parametrize(
    ("least", "said"),
    [
        (62, ("Site: Performance 61 is below 62",)),
        (61, ()),
        (0, ()),
    ],
)
def test_a_score_below_the_minimum_fails(least: int, said: tuple[str, ...]) -> None:
    rules = SiteRules(minimum_scores=MappingProxyType({Area.PERFORMANCE: least}))
    assert reasons(rules) == said


def test_a_score_that_is_missing_never_passes_a_minimum() -> None:
    scores = Scores(performance=61, seo=None, accessibility=88, best_practices=96)
    rules = SiteRules(minimum_scores=MappingProxyType({Area.SEO: 0}))
    site = replace(SITE, audited=replace(AUDITED, scores=scores))
    assert reasons(rules, site) == ("Site: SEO has no score, and must be at least 0",)


def test_only_what_is_certainly_over_the_budget_fails() -> None:
    rules = SiteRules(over_budget=True)
    assert reasons(rules) == ("Site: 2 figures are over the budget",)
    unsure = Violation(key=Key.CLS, limit=0.1, actual=0.3, certain=False)
    site = replace(SITE, audited=replace(AUDITED, violations=(unsure,)))
    assert reasons(rules, site) == ()


def test_worse_than_before_the_change_fails_where_regressions_do() -> None:
    assert reasons(SiteRules(regressions=True)) == (
        "Site: 1 figure is worse than before the change",
    )


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (None, ()),
        (2, ()),
        (1, ("Site: 2 errors in the browser, allowed: 1",)),
        (0, ("Site: 2 errors in the browser, allowed: 0",)),
    ],
)
def test_errors_in_the_browser_fail_beyond_the_allowed(
    most: int | None, said: tuple[str, ...]
) -> None:
    assert reasons(SiteRules(most_browser_errors=most)) == said


def test_a_gap_is_incomplete_whatever_else_is_known() -> None:
    gone = replace(SLOW_SITE, audited=None, gaps=("the site does not answer",))
    verdict = judged(gone).verdict
    assert verdict.gate is Gate.INCOMPLETE
    assert verdict.reasons[0] == "Not checked: the site does not answer"


@pytest.mark.parametrize(
    ("code", "site", "both"),
    [
        (Gate.PASSED, Gate.PASSED, Gate.PASSED),
        (Gate.PASSED, Gate.FAILED, Gate.FAILED),
        (Gate.FAILED, Gate.PASSED, Gate.FAILED),
        (Gate.FAILED, Gate.INCOMPLETE, Gate.INCOMPLETE),
        (Gate.INCOMPLETE, Gate.PASSED, Gate.INCOMPLETE),
    ],
)
def test_code_and_site_have_one_verdict(code: Gate, site: Gate, both: Gate) -> None:
    assert Verdict(code, ("a",)).beside(Verdict(site, ("b",))) == Verdict(both, ("a", "b"))
