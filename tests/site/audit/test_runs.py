"""Several loads of one page: the median of each figure, how far they lie apart, when to repeat."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Key,
    Measured,
    Violation,
    compare,
    derive,
)
from mergegate.site.audit.facts import Area
from mergegate.site.audit.report import Range
from mergegate.site.audit.statistics import (
    median,
    median_scores,
    nearest,
    needs_repeat,
    score_ranges,
    spread,
)
from tests.runs import run
from tests.site.audit.pages import page, pages, script

RUNS = (
    page(lcp=2000, cls=0.35, transfer_bytes=510_000, vendors=("Tags", "Ads")),
    page(lcp=2400, cls=0.01, transfer_bytes=500_000, vendors=("Tags",)),
    page(lcp=2900, cls=0.02, transfer_bytes=505_000, vendors=("Tags", "Chat")),
)


def test_each_figure_has_a_median_of_its_own() -> None:
    middle = median(RUNS).figures
    assert (middle.lcp, middle.cls, middle.transfer_bytes) == (2400, 0.02, 505_000)


def test_of_two_runs_the_worse_figure_is_taken() -> None:
    assert median(RUNS[:2]).figures.lcp == 2400


def test_vendors_of_any_run_are_the_pages() -> None:
    assert median(RUNS).vendors == ("Ads", "Chat", "Tags")


def test_requests_are_those_of_the_heaviest_run() -> None:
    light = replace(RUNS[1], requests=(script("https://example.org/light.js", 1),))
    heavy = replace(RUNS[0], requests=(script("https://example.org/heavy.js", 2),))
    assert median((light, heavy)).requests == heavy.requests


def test_of_two_runs_as_heavy_the_order_does_not_choose() -> None:
    one = replace(RUNS[0], requests=(script("https://example.org/1.js", 1),))
    two = replace(RUNS[0], requests=(script("https://example.org/2.js", 1),))
    assert median((one, two)) == median((two, one))


def test_the_spread_is_the_least_and_the_most_of_each_figure() -> None:
    apart = spread(RUNS)
    assert apart.runs == 3
    assert (apart.lowest.lcp, apart.highest.lcp) == (2000, 2900)
    assert (apart.lowest.cls, apart.highest.cls) == (0.01, 0.35)
    assert apart.vendors == {"Tags"}


@settings(max_examples=50)
@given(st.lists(pages, min_size=1, max_size=4))
def test_the_order_of_the_runs_does_not_matter(runs: list[Measured]) -> None:
    assert {repr(median(order)) for order in permutations(runs)} == {repr(median(runs))}
    assert all(spread(order) == spread(runs) for order in permutations(runs))


@settings(deadline=None)
@given(pages, st.integers(1, 5))
def test_a_page_that_never_varies_is_its_own_median(measured: Measured, times: int) -> None:
    tidy = replace(measured, vendors=tuple(sorted(set(measured.vendors))))
    assert median([measured] * times) == tidy
    assert spread([measured] * times).lowest == spread([measured] * times).highest


@settings(deadline=None)
@given(st.lists(pages, min_size=1, max_size=5))
def test_the_median_lies_within_the_spread(runs: list[Measured]) -> None:
    middle, apart = median(runs).figures, spread(runs)
    for key in Key:
        assert apart.lowest.of(key) <= middle.of(key) <= apart.highest.of(key)


@settings(deadline=None)
@given(pages, st.lists(pages, min_size=3, max_size=5))
def test_what_is_certain_every_single_run_violates(base: Measured, runs: list[Measured]) -> None:
    budget = derive(base)
    for violation in compare(budget, median(runs), spread(runs)):
        every = all(
            (violation.key, violation.limit)
            in {(one.key, one.limit) for one in compare(budget, run)}
            and (violation.key != "vendor" or violation.actual in run.vendors)
            for run in runs
        )
        assert violation.certain is every


@pytest.mark.parametrize(
    "runs",
    [
        (),
        (page(), page(device=Device.DESKTOP)),
        (page(), replace(page(), throttling=Throttling.DEVTOOLS)),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(runs: tuple[Measured, ...]) -> None:
    for summary in (median, spread):
        with pytest.raises(ValueError, match="no runs of one page"):
            summary(runs)


@pytest.mark.parametrize(
    ("score", "repeat"),
    [
        (44, False),
        (44.9, False),
        (45, True),
        (50, True),
        (55, True),
        (56, False),
        (84, False),
        (85, True),
        (95, True),
        (95.1, False),
        (100, False),
        (0, False),
    ],
)
def test_within_five_points_of_a_threshold_one_run_is_too_few(score: float, repeat: bool) -> None:
    assert needs_repeat([score]) is repeat
    assert needs_repeat([0, score, 100]) is repeat


def test_thresholds_of_a_team_are_watched_instead() -> None:
    assert needs_repeat([72], thresholds=(75,))
    assert not needs_repeat([90], thresholds=(75,))


def test_over_budget_one_run_is_too_few_whatever_the_score() -> None:
    late = Violation(key="lcp", limit=1, actual=2)
    assert needs_repeat([100], [late])
    assert not needs_repeat([])


def test_the_score_is_the_median_of_those_that_were_given() -> None:
    runs = [run(70, seo=None), run(90, seo=80), run(80, seo=92)]
    assert median_scores(runs) == replace(runs[0].scores, performance=80, seo=80)
    assert median_scores([run(None, seo=None)]).seo is None


def test_of_two_scores_the_lower_is_taken() -> None:
    assert median_scores([run(70), run(90)]).performance == 70


def test_the_ranges_are_those_of_the_scores_that_were_given() -> None:
    ranges = score_ranges([run(70, seo=None), run(90, seo=None)])
    assert ranges[Area.PERFORMANCE] == Range(70, 90)
    assert Area.SEO not in ranges


def test_the_run_nearest_to_the_medians_stands_for_all() -> None:
    shifting, slow, middling = run(cls=0.35), run(lcp=9000), run(lcp=2001)
    assert nearest([shifting, slow, middling]) is middling
    assert nearest([middling, slow, shifting]) is middling


def test_of_runs_as_near_the_first_is_shown() -> None:
    one, two = run(70), run(90)
    assert nearest([one, two]) is one


def test_without_a_run_there_is_neither_score_nor_run_to_show() -> None:
    for summary in (median_scores, nearest):
        with pytest.raises(ValueError, match="run"):
            summary([])
