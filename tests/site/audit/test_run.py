"""The line of an audit: how often a page is loaded, and what is said of the loads together."""

from dataclasses import replace

import pytest

from mergegate.core.errors import (
    EngineFailed,
    EngineMissing,
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
    UsageError,
)
from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import derive
from mergegate.site.audit.facts import Area, Detail, LighthouseRun
from mergegate.site.audit.report import AuditReport, Range
from mergegate.site.audit.run import MOST_RUNS, AuditRequest, audit
from mergegate.site.audit.statistics import LEAST_RUNS
from mergegate.site.level import Element
from tests.runs import URL, Loads, issue, run, toolbox, visit
from tests.site.audit.pages import page
from tests.site.opened import ECHO, OPENED, QUERY, SHOWN, told

OLD = "https://base.example.org/"
BUDGET = derive(page(lcp=2000))


def audited(loads: Loads, **asked: object) -> AuditReport:
    request = replace(AuditRequest(visit=visit()), **asked)  # type: ignore[arg-type]
    return audit(request, toolbox(loads))


def test_a_clear_run_is_enough() -> None:
    loads = Loads(page=[run(70)])
    report = audited(loads)
    assert (report.runs, len(loads.asked)) == (1, 1)
    assert (report.spread, dict(report.score_ranges)) == (None, {})
    assert report.scores.performance == 70


@pytest.mark.parametrize("performance", [45, 50, 55, 85, 90, 95])
def test_near_a_threshold_three_runs_are_made(performance: int) -> None:
    report = audited(Loads(page=[run(performance), run(40), run(99)]))
    assert report.runs == 3
    assert report.scores.performance == performance
    assert report.score_ranges[Area.PERFORMANCE] == Range(40, 99)


@pytest.mark.parametrize("performance", [44, 56, 84, 96])
def test_a_little_farther_away_one_is_enough(performance: int) -> None:
    assert audited(Loads(page=[run(performance)])).runs == 1


def test_near_a_threshold_of_the_team_three_runs_are_made() -> None:
    loads = Loads(page=[run(70), run(71), run(72)])
    assert audited(loads, thresholds=(75,)).scores.performance == 71


def test_over_the_budget_three_runs_are_made_and_all_of_them_make_it_certain() -> None:
    loads = Loads(page=[run(70, lcp=lcp) for lcp in (2500, 2600, 2700)])
    report = audited(loads, budget=BUDGET)
    assert [(one.key, one.actual, one.certain) for one in report.violations or ()] == [
        ("lcp", 2600, True)
    ]


def test_a_violation_that_one_run_does_not_have_is_not_certain() -> None:
    loads = Loads(page=[run(70, lcp=lcp) for lcp in (2500, 2600, 2000)])
    report = audited(loads, budget=BUDGET)
    assert [(one.key, one.certain) for one in report.violations or ()] == [("lcp", False)]


def test_one_slow_run_of_three_is_no_violation() -> None:
    loads = Loads(page=[run(70, lcp=lcp) for lcp in (2500, 2000, 2000)])
    assert audited(loads, budget=BUDGET).violations == ()


def test_without_a_budget_nothing_is_violated_and_one_is_derived() -> None:
    report = audited(Loads(page=[run(70, lcp=2000)]))
    assert (report.violations, report.held_to) == (None, None)
    assert report.budget == BUDGET


def test_as_many_runs_are_made_as_are_asked_for() -> None:
    loads = Loads(page=[run(50)] * 5)
    assert (audited(loads, runs=5).runs, len(loads.asked)) == (5, 5)
    assert audited(Loads(page=[run(50)]), runs=1).runs == 1


def test_the_run_nearest_to_the_medians_is_shown() -> None:
    runs = [run(70, lcp=lcp, failed=(f"at-{lcp}",)) for lcp in (9000, 2500, 2400)]
    report = audited(Loads(page=[*runs]), runs=3)
    assert [one.id for one in report.issues] == ["at-2500"]
    assert report.measured.figures.lcp == 2500


def test_issues_know_their_fix_and_the_summary_the_whole_report() -> None:
    report = audited(Loads(page=[run(70, failed=("meta-description",))]))
    assert [one.fix_id for one in report.issues] == ["fix-meta-description"]
    assert report.summary == "1 issues."
    assert [one.name for one in report.technologies] == ["Django"]


def test_an_area_without_a_score_is_a_gap() -> None:
    assert audited(Loads(page=[run(70)])).gaps == ()
    report = audited(Loads(page=[run(70, seo=None)]))
    assert report.gaps == ("SEO has no score: Lighthouse could not judge all that it is made of",)
    assert report.summary.startswith("Incomplete, not all was judged: SEO has no score: ")


def test_the_report_is_named_by_its_moment_and_cannot_be_guessed() -> None:
    report = audited(Loads(page=[run(70)]))
    assert report.id == "aud_019c1310e400000102030405060708090a0b0c0d0e0f"
    assert (report.created_at, report.completed_at) == (
        "2026-01-31T08:00:00.000Z",
        "2026-01-31T08:01:00.000Z",
    )


def test_a_run_that_fails_among_others_is_a_warning() -> None:
    loads = Loads(page=[run(70), EngineFailed("the browser crashed"), run(72)])
    report = audited(loads, runs=3)
    assert report.runs == 2
    assert report.warnings == ("1 of 3 runs failed and are left out: the browser crashed.",)


def test_a_repeat_of_our_own_that_fails_leaves_the_first_run_standing() -> None:
    loads = Loads(page=[run(50), EngineFailed("it crashed"), TargetUnreachable("it is gone")])
    report = audited(loads)
    assert report.runs == 1
    assert report.warnings == ("2 of 3 runs failed and are left out: it crashed; it is gone.",)


@pytest.mark.parametrize(
    "error", [EngineFailed("a"), TargetUnreachable("b"), TargetNotAnalysable("c")]
)
def test_without_a_first_run_there_is_no_audit(error: EngineFailed) -> None:
    with pytest.raises(type(error)):
        audited(Loads(page=[error]))


def test_once_most_runs_cannot_succeed_any_more_no_other_is_made() -> None:
    loads = Loads(page=[EngineFailed("first"), run(70), EngineFailed("second")])
    with pytest.raises(EngineFailed, match="first"):
        audited(loads, runs=3)
    assert len(loads.asked) == 3


@pytest.mark.parametrize("error", [EngineMissing("a"), TargetNotAllowed("b"), UsageError("c")])
def test_what_no_repeat_can_help_ends_the_audit_at_once(error: EngineMissing) -> None:
    loads = Loads(page=[run(70), error])
    with pytest.raises(type(error)):
        audited(loads, runs=5)
    assert len(loads.asked) == 2


def test_a_redirect_to_another_site_is_a_warning() -> None:
    report = audited(Loads(page=[run(70, final_url="https://www.example.net/a?b")]))
    assert report.warnings == (
        "The address leads to https://www.example.net: the scores are of that site.",
    )


def test_a_redirect_within_the_site_is_none() -> None:
    assert audited(Loads(page=[run(70, final_url=f"{URL}de/")])).warnings == ()


def test_runs_that_end_on_different_sites_are_a_warning() -> None:
    ends = [run(70), run(70, final_url="https://b.example.org/"), run(70)]
    assert audited(Loads(page=[*ends]), runs=3).warnings == (
        "The runs ended on different sites: https://b.example.org, https://shop.example.org.",
    )


def test_what_lighthouse_warns_of_is_told_once() -> None:
    slow = run(70, warnings=("The machine is slow.",))
    assert audited(Loads(page=[slow, slow]), runs=2).warnings == ("The machine is slow.",)


def test_two_pages_are_loaded_in_turn_and_neither_is_always_first() -> None:
    loads = Loads(page=[run(70)] * 5, rival=[run(70, url=OLD)] * 5)
    report = audited(loads, against=visit(OLD))
    first = ["rival", "page", "page", "rival", "rival", "page", "page", "rival"]
    assert loads.asked == [*first, "rival", "page"]
    assert report.duel is not None
    assert (report.duel.against, report.duel.runs, report.runs) == (OLD, 5, 5)


def test_what_a_change_makes_slower_and_what_it_breaks_is_told() -> None:
    before = [run(80, url=OLD, lcp=2000 + number) for number in range(5)]
    after = [run(60, lcp=3000 + number, failed=("title",), vendors=("Ads",)) for number in range(5)]
    report = audited(Loads(page=[*after], rival=[*before]), against=visit(OLD))
    assert report.duel is not None
    verdicts = {str(one.key): one.verdict for one in report.duel.differences}
    assert (verdicts["lcp"], verdicts["performance"], verdicts["tbt"]) == ("worse", "worse", "same")
    assert (report.duel.new_issues, report.duel.new_vendors) == (("title",), ("Ads",))


def test_a_failure_of_the_page_before_the_change_is_told_as_such() -> None:
    before: list[LighthouseRun | MergegateError] = [run(70, url=OLD)] * 4
    before.insert(0, EngineFailed("it crashed"))
    report = audited(Loads(page=[run(70)] * 5, rival=before), against=visit(OLD))
    assert report.warnings == (
        "Before the change: 1 of 5 runs failed and are left out: it crashed.",
    )


def test_which_of_two_pages_does_not_answer_is_told() -> None:
    silent: list[LighthouseRun | MergegateError] = [TargetUnreachable("the page does not answer")]
    with pytest.raises(TargetUnreachable, match="Before the change: the page does not answer"):
        audited(Loads(page=[run(70)] * 5, rival=silent * 5), against=visit(OLD))
    with pytest.raises(TargetUnreachable, match=r"^the page does not answer"):
        audited(Loads(page=silent * 5, rival=[run(70)] * 5), against=visit(OLD))


@pytest.mark.parametrize("runs", [0, -1, MOST_RUNS + 1])
def test_no_other_number_of_runs_is_made(runs: int) -> None:
    with pytest.raises(UsageError, match=f"1 to {MOST_RUNS}"):
        audited(Loads(page=[]), runs=runs)


def test_too_few_runs_to_tell_two_pages_apart_are_refused() -> None:
    with pytest.raises(UsageError, match=f"needs {LEAST_RUNS} runs"):
        audited(Loads(page=[]), against=visit(OLD), runs=LEAST_RUNS - 1)


def test_a_budget_for_another_device_is_refused_before_the_page_is_loaded() -> None:
    with pytest.raises(UsageError, match="for desktop"):
        audited(Loads(page=[]), budget=replace(BUDGET, device=Device.DESKTOP))


def test_what_opened_the_site_is_in_no_report() -> None:
    element = Element("main > p", f'<p title="{ECHO}">', ECHO)
    echoed = issue(
        "echo",
        title=ECHO,
        message=ECHO,
        details=(Detail(url=f"{URL}{QUERY}", element=element, text=ECHO),),
    )
    loads = Loads(page=[run(70, final_url=f"{URL}{QUERY}", warnings=(ECHO,))])
    tools = toolbox(loads)
    judgement = replace(
        tools.judgement, issues=lambda _: (echoed,), summarise=lambda one: one.issues[0].title
    )
    asked = AuditRequest(visit=replace(visit(), credentials=OPENED))
    report = audit(asked, replace(tools, judgement=judgement))
    assert told(report) == []
    (shown,) = report.issues
    assert (shown.title, shown.message, shown.details[0].text) == (SHOWN, SHOWN, SHOWN)
    assert shown.details[0].element == Element("main > p", f'<p title="{SHOWN}">', SHOWN)
    assert (report.summary, report.warnings) == (SHOWN, (SHOWN,))
    assert report.final_url == f"{URL}?t=********&s=********"
