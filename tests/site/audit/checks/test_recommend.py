"""Steps: what they group, how they are ranked, and what they name."""

import pytest

from mergegate.site.audit.checks import issues, recommendations
from mergegate.site.audit.checks.recommend import STEPS
from mergegate.site.audit.facts import Area, Audited, Detail, LighthouseRun, Mode, Vendor
from mergegate.site.audit.report import Recommendation
from mergegate.site.facts.stack import Technology
from tests.site.audit.checks.runs import PAGE, audited, load, recorded, run

_PERFORMANCE, _ACCESSIBILITY = Area.PERFORMANCE, Area.ACCESSIBILITY


def _steps(page: LighthouseRun, *technologies: str) -> tuple[Recommendation, ...]:
    return recommendations(page, issues(page), [Technology(name) for name in technologies])


def _saving(id: str, savings: dict[str, float], **more: int) -> Audited:
    return audited(id, _PERFORMANCE, mode=Mode.METRIC_SAVINGS, savings=savings, **more)  # type: ignore[arg-type]


def test_every_issue_of_the_recorded_page_is_in_a_step() -> None:
    page = recorded()
    named = {id for step in _steps(page) for id in step.issue_ids}
    assert named == {issue.id for issue in issues(page)}


def test_ids_of_steps_are_unique_and_stay() -> None:
    steps = _steps(recorded())
    assert len({step.id for step in steps}) == len(steps)
    assert [step.id for step in _steps(recorded())] == [step.id for step in steps]


def test_no_step_covers_a_rule_in_vain() -> None:
    rules = [rule for step in STEPS.values() for rule in step.rules]
    assert len(set(rules)) == len(rules)


def test_audits_of_one_theme_are_one_step_with_the_most_that_any_saves() -> None:
    page = run(
        _saving("unused-javascript", {"LCP": 900.0, "FCP": 300.0}, wasted_bytes=400_000),
        _saving("unminified-javascript", {"LCP": 500.0}, wasted_bytes=100_000),
    )
    (step,) = _steps(page)
    assert (dict(step.savings), step.wasted_bytes) == ({"LCP": 900.0, "FCP": 300.0}, 400_000)
    assert "To be had, at most: 300 ms of FCP, 900 ms of LCP, 400 kB" in step.message


def test_a_metric_belongs_to_the_steps_that_save_some_of_it() -> None:
    lcp = audited("largest-contentful-paint", _PERFORMANCE, mode=Mode.NUMERIC, weight=25)
    tbt = audited("total-blocking-time", _PERFORMANCE, mode=Mode.NUMERIC, weight=30)
    page = run(lcp, tbt, _saving("image-delivery-insight", {"LCP": 2000.0}))
    ids = {issue.rule: issue.id for issue in issues(page)}
    told = {step.title: step.issue_ids for step in _steps(page)}
    assert told == {
        "Find what blocks the main thread": (ids["total-blocking-time"],),
        "Serve images in the size they are shown and in a modern format": (
            ids["image-delivery-insight"],
            ids["largest-contentful-paint"],
        ),
    }


def test_caching_explains_no_metric_and_claims_no_time() -> None:
    lcp = audited("largest-contentful-paint", _PERFORMANCE, mode=Mode.NUMERIC, weight=25)
    page = run(lcp, _saving("cache-insight", {"LCP": 9000.0}, wasted_bytes=3_000_000))
    caching = _steps(page)[1]
    assert (caching.title, caching.impact) == (
        "Let browsers keep files that do not change",
        "medium",
    )
    assert (dict(caching.savings), len(caching.issue_ids)) == ({}, 1)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (_saving("render-blocking-insight", {"LCP": 1500.0}), "high"),
        (_saving("render-blocking-insight", {"LCP": 1499.0}), "medium"),
        (_saving("render-blocking-insight", {"LCP": 399.0}), "low"),
        (_saving("image-delivery-insight", {"LCP": 1.0}, wasted_bytes=1024 * 1024), "high"),
        (_saving("image-delivery-insight", {}, wasted_bytes=1024 * 1024), "medium"),
        (_saving("image-delivery-insight", {}, wasted_bytes=100), "low"),
        (audited("empty-heading", _ACCESSIBILITY), "low"),
        (audited("label", _ACCESSIBILITY, weight=10), "high"),
    ],
)
def test_impact_is_told_by_points_time_and_bytes(answer: Audited, expected: str) -> None:
    assert _steps(run(answer))[0].impact == expected


def test_what_could_not_be_checked_is_nothing_to_do() -> None:
    page = run(audited("label", _ACCESSIBILITY, score=None, mode=Mode.ERROR, weight=10))
    assert _steps(page) == ()


def test_a_rule_without_a_step_gets_one_in_lighthouses_words() -> None:
    page = run(audited("new-rule", Area.SEO, title="Page is `odd`", description="Make it even."))
    (step,) = _steps(page)
    assert (step.title, step.message) == ("Put right: Page is odd", "Make it even.")


def test_the_worst_offenders_are_named_by_path_vendor_and_cost() -> None:
    rows = [
        Detail(url="https://shop.example/small.js", wasted_bytes=2048),
        Detail(url="https://tags.example/t.js?id=1", wasted_bytes=90_000, vendor="Tags"),
        Detail(url="https://shop.example/b.js", wasted_bytes=4096),
        Detail(url="https://shop.example/b.js", wasted_bytes=4000),
        Detail(url="https://shop.example/c.js", wasted_bytes=1024),
    ]
    page = run(audited("unused-javascript", _PERFORMANCE, mode=Mode.METRIC_SAVINGS, details=rows))
    expected = "Begin with /t.js (Tags, 90 kB), /b.js (4 kB), /small.js (2 kB) and 1 more."
    assert _steps(page)[0].message.endswith(expected)


@pytest.mark.parametrize("url", ["http://[", "data:text/html,x", "https://a.example/" + "x" * 9000])
def test_hostile_addresses_neither_break_nor_fill_a_message(url: str) -> None:
    rows = [Detail(url=url, wasted_bytes=2048)]
    page = run(audited("unused-javascript", _PERFORMANCE, mode=Mode.METRIC_SAVINGS, details=rows))
    assert len(_steps(page)[0].message) < 400


def test_what_has_no_address_of_its_own_is_no_place_to_begin() -> None:
    rows = [
        Detail(url="Unattributable", text="873 ms"),
        Detail(text="9 ms · 1 ms"),
        Detail(url=PAGE, text="90 ms · 3 ms"),
    ]
    page = run(audited("bootup-time", _PERFORMANCE, mode=Mode.METRIC_SAVINGS, details=rows))
    assert _steps(page)[0].message.endswith("Begin with /start (90 ms).")


def test_third_parties_are_named_with_what_can_stand_in_for_them() -> None:
    vendors = [
        Vendor(name="Tags", main_thread_ms=100, transfer_bytes=2048),
        Vendor(name="YouTube", main_thread_ms=900, transfer_bytes=900_000),
    ]
    answer = audited("third-parties-insight", _PERFORMANCE, mode=Mode.INFORMATIVE, rows=2)
    (step,) = _steps(run(answer, vendors=vendors, waterfall=[load("https://shop.example/")]))
    assert step.message.endswith(
        "Begin with YouTube (900 ms of main thread, 900 kB; instead: lite-youtube-embed), "
        "Tags (100 ms of main thread, 2 kB)."
    )


@pytest.mark.parametrize(
    ("technology", "expected"),
    [("Next.js", "In Next.js: next/image does this."), ("Nuxt.js", "In Nuxt: @nuxt/image does")],
)
def test_the_stack_has_its_own_advice(technology: str, expected: str) -> None:
    page = run(_saving("image-delivery-insight", {"LCP": 500.0}))
    assert expected in _steps(page, technology)[0].message
    assert expected not in _steps(page, "jQuery")[0].message
