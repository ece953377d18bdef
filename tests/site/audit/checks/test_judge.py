"""Which answers are issues, how they are worded, and in which order they come."""

from dataclasses import replace

import pytest

from mergegate.site.audit.checks import issues
from mergegate.site.audit.facts import Area, Audited, Detail, Mode, Vendor
from mergegate.site.level import Element, Level
from tests.site.audit.checks.runs import audited, load, recorded, run

_PERFORMANCE, _SEO = Area.PERFORMANCE, Area.SEO
_ACCESSIBILITY, _BEST = Area.ACCESSIBILITY, Area.BEST_PRACTICES
_ROW = Detail(text="No policy found")
_QUIRKS = "Document contains a `doctype` that triggers `{}quirks-mode`"
_PALE = Detail(text="Element has insufficient color contrast of 4.41")

_HITS = [
    audited("image-alt", _ACCESSIBILITY, weight=10),
    audited("unused-javascript", _PERFORMANCE, score=0.5, mode=Mode.METRIC_SAVINGS),
    audited("largest-contentful-paint", _PERFORMANCE, score=0.89, mode=Mode.NUMERIC, weight=25),
    audited("bf-cache", _PERFORMANCE),
    audited("image-alt", _ACCESSIBILITY, score=None, mode=Mode.ERROR),
    audited("csp-xss", _BEST, score=1, mode=Mode.INFORMATIVE, details=[_ROW]),
    audited("has-hsts", _BEST, score=None, mode=Mode.INFORMATIVE, details=[_ROW]),
    audited("empty-heading", _ACCESSIBILITY),
]
_MISSES = [
    audited("image-alt", _ACCESSIBILITY, score=1, weight=10),
    audited("speed-index", _PERFORMANCE, score=0.9, mode=Mode.NUMERIC, weight=10),
    audited("image-alt", _ACCESSIBILITY, score=None, mode=Mode.NOT_APPLICABLE),
    audited("structured-data", _SEO, score=None, mode=Mode.MANUAL),
    audited("llms-txt"),
    audited("interactive", _PERFORMANCE, mode=Mode.NUMERIC),
    audited("long-tasks", _PERFORMANCE, score=0, mode=Mode.INFORMATIVE, details=[_ROW]),
    audited("lcp-breakdown-insight", _PERFORMANCE, mode=Mode.INFORMATIVE, details=[_ROW]),
    audited("baseline", _BEST, score=1, mode=Mode.INFORMATIVE, details=[_ROW]),
    audited("csp-xss", _BEST, score=1, mode=Mode.INFORMATIVE),
    audited("td-has-header", _ACCESSIBILITY),
]


@pytest.mark.parametrize("answer", _HITS, ids=lambda one: f"{one.id}-{one.mode}")
def test_what_fails_or_names_a_fault_is_an_issue(answer: Audited) -> None:
    assert [issue.rule for issue in issues(run(answer))] == [answer.id]


@pytest.mark.parametrize("answer", _MISSES, ids=lambda one: f"{one.id}-{one.mode}")
def test_what_passes_or_only_informs_is_no_issue(answer: Audited) -> None:
    assert issues(run(answer)) == ()


def test_transport_security_is_no_issue_of_a_page_without_https() -> None:
    answer = audited("has-hsts", _BEST, score=1, mode=Mode.INFORMATIVE, details=[_ROW])
    assert issues(run(answer, url="http://localhost:8000/")) == ()


@pytest.mark.parametrize(("busy_ms", "expected"), [(300, 1), (249, 0)])
def test_third_parties_are_an_issue_from_a_quarter_of_a_second(busy_ms: int, expected: int) -> None:
    answer = audited("third-parties-insight", _PERFORMANCE, score=1, mode=Mode.INFORMATIVE)
    vendors = [Vendor(name="A", main_thread_ms=busy_ms - 100), Vendor(name="B", main_thread_ms=100)]
    assert len(issues(run(answer, vendors=vendors))) == expected


@pytest.mark.parametrize(
    ("told", "by"),
    [
        ("mainthread-work-breakdown", "bootup-time"),
        ("redirects", "document-latency-insight"),
        ("server-response-time", "document-latency-insight"),
    ],
)
def test_nothing_is_said_twice(told: str, by: str) -> None:
    lesser = audited(told, _PERFORMANCE, mode=Mode.METRIC_SAVINGS)
    other = audited(by, _PERFORMANCE, mode=Mode.METRIC_SAVINGS)
    passed = audited(by, _PERFORMANCE, score=1, mode=Mode.METRIC_SAVINGS)
    assert [one.rule for one in issues(run(lesser, other))] == [by]
    assert [one.rule for one in issues(run(lesser, passed))] == [told]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (audited("label", _ACCESSIBILITY, weight=7), Level.ERROR),
        (audited("target-size", _ACCESSIBILITY, weight=7), Level.WARNING),
        (audited("heading-order", _ACCESSIBILITY, weight=3), Level.INFO),
        (audited("heading-order", _ACCESSIBILITY, score=None, mode=Mode.ERROR), Level.WARNING),
        (audited("landmark-one-main", _ACCESSIBILITY, weight=3, details=[_ROW]), Level.INFO),
        (audited("valid-source-maps", _BEST, details=[_ROW]), Level.INFO),
        (audited("color-contrast", _ACCESSIBILITY, weight=7), Level.ERROR),
        (audited("color-contrast", _ACCESSIBILITY, weight=7, details=[_PALE]), Level.WARNING),
        (audited("empty-heading", _ACCESSIBILITY), Level.WARNING),
        (audited("paste-preventing-inputs", _BEST, weight=3), Level.ERROR),
        (audited("doctype", _BEST, weight=1), Level.WARNING),
        (audited("doctype", _BEST, weight=1, explanation=_QUIRKS.format("")), Level.WARNING),
        (audited("doctype", _BEST, weight=1, explanation=_QUIRKS.format("limited-")), Level.INFO),
        (audited("is-crawlable", _SEO, weight=93 / 23), Level.ERROR),
        (audited("http-status-code", _SEO, weight=1), Level.ERROR),
        (audited("meta-description", _SEO, weight=1), Level.WARNING),
        (audited("speed-index", _PERFORMANCE, score=0.49, weight=10), Level.ERROR),
        (audited("speed-index", _PERFORMANCE, score=0.5, weight=10), Level.WARNING),
        (audited("unused-javascript", _PERFORMANCE, mode=Mode.METRIC_SAVINGS), Level.INFO),
        (audited("cache-insight", _PERFORMANCE, mode=Mode.METRIC_SAVINGS), Level.WARNING),
        (audited("csp-xss", _BEST, score=1, mode=Mode.INFORMATIVE, details=[_ROW]), Level.INFO),
        (audited("label", _ACCESSIBILITY, weight=10, score=None, mode=Mode.ERROR), Level.WARNING),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_an_error_counts_scores_below_half_and_weighs(answer: Audited, expected: Level) -> None:
    assert issues(run(answer))[0].level is expected


_TARGET = (
    "Fix any of the following: Target has insufficient size ({}, should be at least 24px by 24px)"
)


@pytest.mark.parametrize(
    ("rule", "texts", "rows", "expected"),
    [
        ("target-size", [_TARGET.format("50.7px by 17px")], 1, Level.INFO),
        ("target-size", [_TARGET.format("118px by 16.4px")] * 2, 2, Level.INFO),
        ("target-size", [_TARGET.format("118px by 15.9px")], 1, Level.WARNING),
        ("target-size", [_TARGET.format("9px by 17px")], 1, Level.WARNING),
        (
            "target-size",
            [_TARGET.format("50px by 17px"), _TARGET.format("8px by 8px")],
            2,
            Level.WARNING,
        ),
        ("target-size", [_TARGET.format("50.7px by 17px")], 2, Level.WARNING),
        ("image-size-responsive", ["192 x 50 · 192 x 50 · 288 x 75"], 1, Level.INFO),
        ("image-size-responsive", ["390 x 100 · 382 x 98 · 585 x 150"], 1, Level.INFO),
        ("image-size-responsive", ["390 x 100 · 300 x 77 · 585 x 150"], 1, Level.WARNING),
        (
            "image-size-responsive",
            ["10 x 10 · 10 x 10 · 15 x 15", "9 x 9 · 5 x 9"],
            2,
            Level.WARNING,
        ),
        ("image-size-responsive", ["10 x 10 · 10 x 10 · 15 x 15"], 2, Level.WARNING),
        ("image-size-responsive", ["of another form"], 1, Level.WARNING),
    ],
)
def test_advice_by_its_reason_is_so_at_each_row_or_not_at_all(
    rule: str, texts: list[str], rows: int, expected: Level
) -> None:
    details = [Detail(text=text) for text in texts]
    one = audited(rule, _ACCESSIBILITY, weight=1, details=details, rows=rows)
    assert issues(run(one))[0].level is expected


@pytest.mark.parametrize(
    ("labels", "rows", "expected"),
    [
        (["▼", "[−]"], 2, Level.INFO),
        (["▼", "Tea"], 2, Level.WARNING),
        (["»"], 1, Level.WARNING),
        (["▼"], 2, Level.WARNING),
        ([], 0, Level.WARNING),
    ],
)
def test_links_without_an_address_are_for_information_where_all_fold_or_close(
    labels: list[str], rows: int, expected: Level
) -> None:
    details = [Detail(element=Element("a", "<a href='javascript:void(0)'>", one)) for one in labels]
    one = audited("crawlable-anchors", _SEO, weight=1, details=details, rows=rows)
    assert issues(run(one))[0].level is expected


def test_advice_keeps_its_points() -> None:
    (order,) = issues(run(audited("heading-order", _ACCESSIBILITY, weight=3)))
    assert (order.level, order.points) == (Level.INFO, 100)


def test_an_audit_that_fails_for_several_reasons_says_for_which() -> None:
    old = audited("doctype", _BEST, description="It is old.", explanation=_QUIRKS.format(""))
    assert issues(run(old))[0].message == (
        "Document contains a doctype that triggers quirks-mode. It is old."
    )


@pytest.mark.parametrize(
    ("score", "expected"), [(89, Level.ERROR), (90, Level.INFO), (None, Level.ERROR)]
)
def test_what_would_make_a_fast_page_faster_is_for_information(
    score: int | None, expected: Level
) -> None:
    slow = audited("first-contentful-paint", _PERFORMANCE, score=0.4, mode=Mode.NUMERIC, weight=10)
    label = audited("label", _ACCESSIBILITY, weight=7)
    found = {one.rule: one.level for one in issues(run(slow, label, performance=score))}
    assert found == {slow.id: expected, label.id: Level.ERROR}


def test_what_explains_times_of_a_busy_machine_is_for_information() -> None:
    saves = audited(
        "unused-javascript", _PERFORMANCE, mode=Mode.METRIC_SAVINGS, savings={"LCP": 1500}
    )
    paint = audited("largest-contentful-paint", _PERFORMANCE, mode=Mode.NUMERIC, weight=25)
    found = [
        {one.rule: one.level for one in issues(run(saves, paint, waited=part))} for part in (0, 0.5)
    ]
    assert [one[saves.id] for one in found] == [Level.WARNING, Level.INFO]


def test_a_time_is_no_error_on_a_machine_that_was_too_busy_to_take_it() -> None:
    slow = audited("total-blocking-time", _PERFORMANCE, score=0.1, mode=Mode.NUMERIC, weight=30)
    shift = replace(slow, id="cumulative-layout-shift")
    levels = [
        {one.rule: one.level for one in issues(run(slow, shift, waited=part))}
        for part in (0.3, 0.4)
    ]
    assert levels == [
        {slow.id: Level.ERROR, shift.id: Level.ERROR},
        {slow.id: Level.WARNING, shift.id: Level.ERROR},
    ]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (("favicon.ico",), Level.INFO),
        (("favicon.ico", "app.js"), Level.WARNING),
        (("icons/favicon.ico",), Level.WARNING),
        ((), Level.WARNING),
    ],
)
def test_an_icon_that_browsers_ask_for_by_themselves_is_for_information(
    paths: tuple[str, ...], expected: Level
) -> None:
    rows = [Detail(url=f"https://shop.example/{path}") for path in paths]
    console = audited("errors-in-console", _BEST, weight=1, details=rows)
    assert issues(run(console))[0].level is expected


def test_what_could_not_be_checked_says_so_and_why() -> None:
    answer = audited(
        "color-contrast",
        _ACCESSIBILITY,
        score=None,
        mode=Mode.ERROR,
        weight=7,
        error="axe\ncrashed",
    )
    (issue,) = issues(run(answer))
    assert issue.title == "Could not be checked: color-contrast"
    assert issue.message.endswith("Run the audit again. It said: axe crashed")
    assert (issue.score, issue.points) == (None, 0.0)


def test_a_metric_is_told_with_its_value() -> None:
    slow = audited(
        "largest-contentful-paint",
        _PERFORMANCE,
        score=0.2,
        weight=25,
        mode=Mode.NUMERIC,
        title="Largest Contentful Paint",
        display_value="6.1\xa0s",
    )
    assert issues(run(slow))[0].title == "Largest Contentful Paint is poor: 6.1 s"


def test_errors_come_first_then_points_then_savings() -> None:
    answers = [
        audited("unused-css-rules", _PERFORMANCE, mode=Mode.METRIC_SAVINGS, wasted_bytes=9),
        audited("bf-cache", _PERFORMANCE),
        audited("tabindex", _ACCESSIBILITY, weight=3),
        audited("label", _ACCESSIBILITY, weight=10),
    ]
    expected = ["label", "tabindex", "unused-css-rules", "bf-cache"]
    assert [issue.rule for issue in issues(run(*answers))] == expected


def test_an_id_stays_when_host_rows_and_figures_change() -> None:
    row = Detail(url="https://a.example/x.js", wasted_bytes=9)
    one = audited("unused-javascript", _PERFORMANCE, mode=Mode.METRIC_SAVINGS, details=[row])
    other = audited("unused-javascript", _PERFORMANCE, score=0.5, mode=Mode.METRIC_SAVINGS)
    before, after = issues(run(one)), issues(run(other, url="https://preview.example/"))
    assert before[0].id == after[0].id
    assert before[0].id != issues(run(audited("unused-css-rules", _PERFORMANCE)))[0].id


def test_rows_and_texts_are_bounded_and_counted() -> None:
    rows = [Detail(url="https://a.example/" + "x" * 5000, text="t" * 5000) for _ in range(40)]
    (issue,) = issues(run(audited("errors-in-console", _BEST, weight=1, details=rows, rows=90)))
    assert (len(issue.details), issue.rows) == (20, 90)
    assert all(len(row.url) <= 500 and len(row.text) <= 500 for row in issue.details)


def test_a_row_names_the_vendor_that_the_run_knows() -> None:
    row = Detail(url="https://tags.example/t.js")
    loads = [
        load("https://tags.example/t.js", vendor="Tags Inc."),
        load("https://shop.example/a.js"),
    ]
    answer = audited("unused-javascript", _PERFORMANCE, mode=Mode.METRIC_SAVINGS, details=[row])
    assert issues(run(answer, waterfall=loads))[0].details[0].vendor == "Tags Inc."


def test_the_recorded_page_has_its_issues_each_once() -> None:
    found = issues(recorded())
    assert len({issue.id for issue in found}) == len(found) == len({i.rule for i in found})
    assert found[0].title == "Total Blocking Time is poor: 1,810 ms"
    assert {"image-alt", "render-blocking-insight", "csp-xss"} <= {issue.rule for issue in found}
    assert all("](" not in issue.message and "`" not in issue.title for issue in found)
