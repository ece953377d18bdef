"""When a site stops a merge: by a team's rules alone, and never unseen."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from mergegate.core.report import Gate, Verdict
from mergegate.site.audit.budget import Key, Violation
from mergegate.site.audit.facts import Area, Scores
from mergegate.site.deployment.outcome import SiteOutcome, SiteRules, judged
from tests.site.deployment.samples import AUDITED, SLOW_SITE, TESTED

_NO_SEO = Scores(performance=61, seo=None, accessibility=88, best_practices=96)
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
    rules = SiteRules(minimum_scores=MappingProxyType({Area.SEO: 0}))
    site = replace(SITE, audited=replace(AUDITED, scores=_NO_SEO))
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
    ("rules", "without", "why"),
    [
        (SiteRules(over_budget=True), {"violations": None}, "its budget, for none was given"),
        (SiteRules(over_budget=True), {"runs": 2}, "its budget, for too few runs succeeded"),
        (SiteRules(regressions=True), {"differences": ()}, "no page before the change"),
        (SiteRules(regressions=True), {"scores": _NO_SEO}, "whether SEO got worse"),
    ],
)
def test_a_rule_with_nothing_to_be_held_to_never_passes(
    rules: SiteRules, without: dict[str, Any], why: str
) -> None:
    site = replace(SITE, audited=replace(AUDITED, **without), rules=rules)
    verdict = judged(site).verdict
    assert verdict.gate is Gate.INCOMPLETE
    assert why in verdict.reasons[0]
    assert judged(replace(site, rules=SiteRules())).verdict.gate is Gate.PASSED


def test_two_runs_are_enough_to_keep_a_budget() -> None:
    kept = replace(SITE, audited=replace(AUDITED, runs=2, violations=()))
    assert reasons(SiteRules(over_budget=True), kept) == ()


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
