"""Two pages loaded in turn: what differs beyond the noise, and what only seems to."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.site.audit.budget import Measured, figures
from mergegate.site.audit.facts import Area
from mergegate.site.audit.report import Difference, Range
from mergegate.site.audit.statistics import (
    LEAST_RUNS,
    SURE,
    Contender,
    Side,
    confidence,
    duel,
    turns,
)
from tests.runs import run

OLD = "https://base.example.org/"
STEADY = (2000, 2010, 2020, 2030, 2040)


def difference(key: str, before: Sequence[float], after: Sequence[float]) -> Difference:
    def page(values: Sequence[float]) -> Contender:
        return Contender([replace(run(), measured=measured(value)) for value in values])

    def measured(value: float) -> Measured:
        return replace(run().measured, figures=figures(lambda one: value if one == key else 0))

    differences = duel(OLD, page(before), page(after)).differences
    return next(one for one in differences if one.key == key)


def scored(before: Sequence[int | None], after: Sequence[int | None], area: Area) -> list[str]:
    def page(scores: Sequence[int | None]) -> Contender:
        performance = area is Area.PERFORMANCE
        return Contender([run(one) if performance else run(seo=one) for one in scores])

    differences = duel(OLD, page(before), page(after)).differences
    return [one.verdict for one in differences if one.key == area]


def test_the_pages_take_turns_and_neither_is_always_first() -> None:
    order = "".join(side.value[0] for side in turns(5))
    assert order == "baabbaabba"
    assert turns(0) == ()


@settings(deadline=None)
@given(st.integers(0, 25))
def test_each_page_is_loaded_as_often_as_the_other(runs: int) -> None:
    order = turns(runs)
    assert order.count(Side.BEFORE) == order.count(Side.AFTER) == runs


@pytest.mark.parametrize(
    ("key", "after", "verdict"),
    [
        ("lcp", [value + 1000 for value in STEADY], "worse"),
        ("lcp", [value - 1000 for value in STEADY], "better"),
        ("lcp", [value + 250 for value in STEADY], "same"),
        ("lcp", [value + 251 for value in STEADY], "worse"),
        ("lcp", STEADY, "same"),
        ("lcp", (1500, 1600, 2500, 2600, 2700), "unsure"),
        ("lcp", (2041, 2500, 2600, 2700, 2035), "worse"),
        ("lcp", (2015, 2500, 2600, 2700, 2025), "unsure"),
    ],
)
def test_a_figure_is_called_worse_beyond_margin_and_noise(
    key: str, after: Sequence[float], verdict: str
) -> None:
    assert difference(key, STEADY, after).verdict == verdict


@pytest.mark.parametrize(
    ("key", "margin"),
    [
        ("lcp", 250),
        ("tbt", 100),
        ("fcp", 200),
        ("cls", 0.05),
        ("transferBytes", 10_240),
        ("scriptBytes", 10_240),
        ("requestCount", 2),
    ],
)
def test_what_is_within_the_least_margin_of_a_budget_is_the_same(key: str, margin: float) -> None:
    assert difference(key, [0] * 5, [margin] * 5).verdict == "same"
    assert difference(key, [0] * 5, [margin + 1] * 5).verdict == "worse"


def test_a_difference_is_told_with_medians_ranges_and_confidence() -> None:
    assert difference("lcp", STEADY, (3000, 3100, 3300, 3400, 9000)) == Difference(
        key="lcp",
        before=2020,
        after=3300,
        before_range=Range(2000, 2040),
        after_range=Range(3000, 9000),
        verdict="worse",
        confidence=1 - 2 / 252,
    )


@pytest.mark.parametrize(
    ("area", "before", "after", "verdict"),
    [
        (Area.PERFORMANCE, [80] * 5, [70] * 5, "worse"),
        (Area.PERFORMANCE, [70] * 5, [80] * 5, "better"),
        (Area.PERFORMANCE, [70] * 5, [73] * 5, "same"),
        (Area.PERFORMANCE, [70] * 5, [74] * 5, "better"),
        (Area.SEO, [92] * 5, [91] * 5, "worse"),
        (Area.SEO, [92] * 5, [92] * 5, "same"),
        (Area.SEO, [92, 92, 92, 92, None], [92] * 5, "same"),
        (Area.SEO, [92] * 4, [80] * 4, "unsure"),
    ],
)
def test_of_scores_more_is_better(
    area: Area, before: list[int | None], after: list[int | None], verdict: str
) -> None:
    assert scored(before, after, area) == [verdict]


def test_a_score_that_one_page_does_not_have_is_not_compared() -> None:
    assert scored([None] * 5, [90] * 5, Area.SEO) == []


def test_fewer_runs_than_the_least_can_never_be_sure() -> None:
    few = LEAST_RUNS - 1
    assert confidence(range(few), range(100, 100 + few)) < SURE
    assert confidence(range(LEAST_RUNS), range(100, 100 + LEAST_RUNS)) > SURE


def test_new_is_what_most_runs_have_and_none_had_before() -> None:
    before = [run(vendors=("Tags", "Maps"))] * 5
    after = [run(vendors=one) for one in (("Tags", "Ads"),) * 3 + (("Tags", "Chat"),) * 2]
    fought = duel(OLD, Contender(before), Contender(after))
    assert (fought.new_vendors, fought.gone_vendors) == (("Ads",), ("Maps",))


def test_an_issue_that_comes_and_goes_is_neither_new_nor_fixed() -> None:
    before = Contender([run()] * 3, [{"a", "b"}, {"a", "b"}, {"b", "c"}])
    after = Contender([run()] * 3, [{"a", "d"}, {"d", "e"}, {"d"}])
    fought = duel(OLD, before, after)
    assert (fought.new_issues, fought.fixed_issues) == (("d",), ("b",))


@pytest.mark.parametrize("runs", [(0, 5), (5, 0), (0, 0)])
def test_a_page_without_a_run_cannot_be_compared(runs: tuple[int, int]) -> None:
    before, after = (Contender([run()] * number) for number in runs)
    with pytest.raises(ValueError, match="without a run"):
        duel(OLD, before, after)


_values = st.lists(st.integers(0, 6), min_size=1, max_size=5)


@settings(max_examples=60)
@given(_values, _values)
def test_confidence_is_what_counting_all_deals_by_hand_gives(
    before: list[int], after: list[int]
) -> None:
    everything = [*before, *after]
    ranks = [
        sum(other < value for other in everything) + sum(other == value for other in everything) / 2
        for value in everything
    ]
    expected = sum(ranks) * len(before) / len(everything)
    seen = abs(sum(ranks[: len(before)]) - expected)
    deals = list(combinations(ranks, len(before)))
    as_far = sum(abs(sum(deal) - expected) >= seen - 1e-9 for deal in deals)
    assert confidence(before, after) == pytest.approx(1 - as_far / len(deals))


@settings(deadline=None)
@given(_values, _values)
def test_confidence_does_not_depend_on_which_page_is_which(
    before: list[int], after: list[int]
) -> None:
    assert confidence(before, after) == pytest.approx(confidence(after, before))
    assert confidence(before, after) == pytest.approx(confidence(before[::-1], sorted(after)))


def test_equal_runs_give_no_confidence_at_all() -> None:
    assert confidence([1] * 5, [1] * 5) == 0


def test_one_wild_run_decides_nothing() -> None:
    assert confidence(STEADY, [*STEADY[:4], 10**9]) < 0.5
