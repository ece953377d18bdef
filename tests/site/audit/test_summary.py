"""The summary of an audit: a few plain sentences, the same for the same report."""

from dataclasses import replace

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Budget,
    Figures,
    Measured,
    Violation,
)
from mergegate.site.audit.facts import Area, Scores
from mergegate.site.audit.report import AuditReport, Difference, Duel, Issue, Range, Recommendation
from mergegate.site.audit.summary import summarise_audit
from mergegate.site.level import Level

_FIGURES = Figures(
    lcp=4000, tbt=600, cls=0.25, fcp=3000, transfer_bytes=10, script_bytes=5, request_count=2
)
_REPORT = AuditReport(
    id="aud_1",
    url="https://shop.example/",
    final_url="https://shop.example/",
    device=Device.MOBILE,
    throttling=Throttling.SIMULATE,
    scores=Scores(performance=89, seo=100, accessibility=49, best_practices=None),
    measured=Measured(device=Device.MOBILE, throttling=Throttling.SIMULATE, figures=_FIGURES),
    budget=Budget(Device.MOBILE, _FIGURES),
)
_ISSUE = Issue(
    id="1",
    rule="image-alt",
    title="Images have no alternative text",
    message="",
    level=Level.ERROR,
    area=Area.ACCESSIBILITY,
    score=0,
    points=9.5,
)
_STEP = Recommendation(
    id="1",
    title="Send less JavaScript",
    message="",
    area=Area.PERFORMANCE,
    impact="high",
    savings={"LCP": 2550.0},
    wasted_bytes=452_340,
)


def test_scores_are_told_in_the_bands_of_the_specification() -> None:
    assert summarise_audit(_REPORT) == (
        "Performance 89 (needs improvement), SEO 100 (good), accessibility 49 (poor) and best "
        "practices has no score, from one run. Nothing was found to put right."
    )


def test_what_weighs_most_and_what_to_do_first_are_named() -> None:
    report = replace(
        _REPORT,
        issues=(_ISSUE, replace(_ISSUE, level=Level.WARNING, points=1)),
        recommendations=(_STEP,),
    )
    assert summarise_audit(report).endswith(
        "Found: 1 error and 1 warning; what weighs most is “Images have no alternative text” with "
        "9.5 points of accessibility. Do this first: send less JavaScript, which saves up to 2.5 s "
        "of LCP and 452 kB."
    )


def test_several_runs_show_how_far_performance_lay_apart() -> None:
    ranges = {Area.PERFORMANCE: Range(82, 91)}
    told = summarise_audit(replace(_REPORT, runs=3, score_ranges=ranges))
    assert ", the medians of 3 runs, with performance between 82 and 91." in told


def test_violations_name_figure_cause_and_certainty() -> None:
    violations = (
        Violation(key="lcp", limit=2500, actual=4100.4, cause="https://a.example/x", certain=True),
        Violation(key="scriptBytes", limit=102_400, actual=204_800),
        Violation(key="vendor", limit="not in budget", actual="Tags Inc."),
        Violation(key="requestCount", limit=4, actual=5),
    )
    assert summarise_audit(replace(_REPORT, violations=violations)).endswith(
        "The budget is exceeded: LCP 4.1 s instead of 2.5 s at most, most of it by "
        "https://a.example/x (beyond the noise); script size 205 kB instead of 102 kB at most "
        "(may be noise); Tags Inc. is a new third party (may be noise); 1 more."
    )


def test_a_budget_that_is_kept_is_told_and_none_is_not() -> None:
    assert summarise_audit(replace(_REPORT, violations=())).endswith(" The budget is kept.")
    assert "budget" not in summarise_audit(_REPORT)


def test_a_duel_tells_what_differs_beyond_the_noise() -> None:
    here = Range(1, 1)
    worse = Difference(
        key="lcp",
        before=2100,
        after=3400,
        before_range=here,
        after_range=here,
        verdict="worse",
        confidence=0.97,
    )
    unsure = replace(worse, key="tbt", verdict="unsure")
    duel = Duel("https://base.example/", 5, (worse, unsure), ("Tags",), (), ("1",), ("2", "3"))
    assert summarise_audit(replace(_REPORT, duel=duel)).endswith(
        "Against https://base.example/, 5 runs each: worse in LCP (2.1 s → 3.4 s, 97% sure); "
        "1 new issue; 2 issues fixed; new third parties: Tags."
    )
    calm = Duel("https://base.example/", 5, (unsure,))
    assert summarise_audit(replace(_REPORT, duel=calm)).endswith(
        "5 runs each: no difference beyond the noise."
    )


def test_hostile_text_is_cut() -> None:
    long = "x" * 100_000
    report = replace(
        _REPORT,
        issues=(replace(_ISSUE, title=long),),
        recommendations=(replace(_STEP, title=long),),
        violations=(Violation(key="vendor", limit="not in budget", actual=long),) * 9,
        duel=Duel(long, 5, (), (long,) * 9),
    )
    assert len(summarise_audit(report)) < 1500
