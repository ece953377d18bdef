"""Clicks that a page's queries miss."""

import pytest

from mergegate.site.seo.facts import QueryRow
from mergegate.site.seo.previews import CURVE, expected_ctr, ranked


def _row(query: str, clicks: float, impressions: float, position: float) -> QueryRow:
    ctr = clicks / impressions if impressions else 0.0
    return QueryRow(query=query, clicks=clicks, impressions=impressions, ctr=ctr, position=position)


@pytest.mark.parametrize(("position", "share"), CURVE)
def test_the_curve_goes_through_what_the_study_found(position: float, share: float) -> None:
    assert expected_ctr(position) == pytest.approx(share)


@pytest.mark.parametrize("position", [1.5, 3.3, 4.5, 7.0, 9.9])
def test_between_two_of_its_points_the_curve_falls(position: float) -> None:
    assert expected_ctr(position - 0.4) > expected_ctr(position) > expected_ctr(position + 0.1)


@pytest.mark.parametrize("position", [10.1, 57.0, 0.0, -1.0])
def test_beyond_the_first_page_nothing_is_expected(position: float) -> None:
    assert expected_ctr(position) == 0.0


def test_the_query_that_misses_most_comes_first() -> None:
    rows = [
        _row("few see it", 0, 10, 1.0),
        _row("many see it", 10, 1_000, 1.0),
        _row("clicked as expected", 400, 1_000, 1.0),
    ]
    told = ranked(rows)
    assert [one.row.query for one in told] == ["many see it", "few see it", "clicked as expected"]
    assert [round(one.clicks, 2) for one in told] == [275.0, 2.85, 0.0]


def test_more_clicks_than_expected_are_no_debt() -> None:
    (one,) = ranked([_row("brand", 90, 100, 1.0)])
    assert one.clicks == 0.0


def test_equal_rows_keep_a_fixed_order() -> None:
    rows = [_row(name, 0, 100, 50.0) for name in "cab"]
    assert [one.row.query for one in ranked(rows)] == ["a", "b", "c"]
