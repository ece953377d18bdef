"""Points that are to be had, against the scores that Lighthouse gave."""

import pytest

from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import (
    Key,
)
from mergegate.site.audit.checks.judge import CURVES, worth
from mergegate.site.audit.facts import Area, Mode
from tests.site.audit.checks.runs import audited, figures, recorded, run

_METRIC_AUDITS = {
    Key.FCP: "first-contentful-paint",
    Key.LCP: "largest-contentful-paint",
    Key.TBT: "total-blocking-time",
    Key.CLS: "cumulative-layout-shift",
}


@pytest.mark.parametrize("area", [Area.PERFORMANCE, Area.ACCESSIBILITY, Area.BEST_PRACTICES])
def test_points_of_all_that_counts_are_what_the_score_lacks(area: Area) -> None:
    page = recorded()
    value = worth(page)
    counted = [one for one in page.audits if one.areas[0] is area and one.weight > 0]
    lacking = 100 - (page.scores.of(area) or 0)
    assert sum(map(value.points, counted)) == pytest.approx(lacking, abs=1.5)


def test_an_audit_of_two_areas_counts_in_both() -> None:
    page = recorded()
    alt = page.audit("image-alt")
    assert alt is not None
    seo = [one for one in page.audits if Area.SEO in one.areas and one.weight > 0]
    own = [one for one in seo if one.areas[0] is Area.SEO]
    lacking = 100 - (page.scores.seo or 0)
    # Title and alternative text count in accessibility first; both fail, each as much as one more.
    each = worth(page).points(next(one for one in own if not one.score))
    assert sum(map(worth(page).points, own)) + 2 * each == pytest.approx(lacking, abs=1)


@pytest.mark.parametrize("key", _METRIC_AUDITS)
def test_curves_score_as_lighthouse_did(key: Key) -> None:
    page = recorded()
    metric = page.audit(_METRIC_AUDITS[key])
    assert metric is not None
    score = CURVES[Device.MOBILE][key].score(page.measured.figures.of(key))
    assert score == pytest.approx(metric.score, abs=0.01)


@pytest.mark.parametrize("device", Device)
@pytest.mark.parametrize("key", _METRIC_AUDITS)
def test_control_points_score_what_they_stand_for(device: Device, key: Key) -> None:
    curve = CURVES[device][key]
    scores = [round(curve.score(value), 3) for value in (0, curve.good, curve.middling)]
    assert scores == [1.0, 0.9, 0.5]


def test_savings_move_the_score_along_the_curve() -> None:
    lcp = audited(
        "largest-contentful-paint", Area.PERFORMANCE, score=0.5, mode=Mode.NUMERIC, weight=25
    )
    hint = audited(
        "image-delivery-insight",
        Area.PERFORMANCE,
        mode=Mode.METRIC_SAVINGS,
        savings={"LCP": 1500.0},
    )
    page = run(lcp, hint, measured=figures(lcp=4000))
    # From 4 s, which scores 0.5, to 2.5 s, which scores 0.9; nothing else counts here.
    assert worth(page).points(hint) == 40.0


def test_a_cache_gives_the_first_visit_nothing() -> None:
    lcp = audited(
        "largest-contentful-paint", Area.PERFORMANCE, score=0.5, mode=Mode.NUMERIC, weight=25
    )
    cache = audited(
        "cache-insight", Area.PERFORMANCE, mode=Mode.METRIC_SAVINGS, savings={"LCP": 3000.0}
    )
    assert worth(run(lcp, cache)).points(cache) == 0.0
