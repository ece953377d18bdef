"""The line of an SEO analysis, on facts made by hand."""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest

from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
    UsageError,
)
from mergegate.core.report import EngineRun
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.seo.facts import QueryRow, Rendered, SearchConsole, SearchFacts
from mergegate.site.seo.keywords import keywords_of
from mergegate.site.seo.report import Theme
from mergegate.site.seo.run import SeoRequest, SeoToolbox, analyse
from tests.site.opened import ECHO, OPENED, QUERY, SHOWN, told
from tests.site.seo.checks.well_made import HTML, URL, changed, fetched, rendered, site

_NOON = dt.datetime(2026, 11, 22, 12, tzinfo=dt.UTC)
_RIVAL_URL = "https://rival.example/tea"
_REQUEST = SeoRequest(visit=Visit(url=URL))
_BESIDE = replace(_REQUEST, competitor=Visit(url=_RIVAL_URL))
_RIVAL = site(changed(("<h2>Water</h2>", "<h2>Sencha</h2><p>Sencha is sweet.</p>")), _RIVAL_URL)

Look = Callable[[Visit, dt.datetime], SearchFacts]


def _toolbox(facts: SearchFacts, rival: Look | None = None) -> SeoToolbox:
    ticks = iter(_NOON + dt.timedelta(seconds=second) for second in range(9))
    return SeoToolbox(
        look=lambda *_: facts,
        look_at_competitor=rival or (lambda *_: _RIVAL),
        engines=lambda: (EngineRun(name="fetch", version="1"),),
        now=lambda: next(ticks),
        random=lambda: b"\0" * 16,
    )


def _answering(**page: object) -> SearchFacts:
    return replace(site(), page=fetched(HTML, **page))  # type: ignore[arg-type]


def test_a_well_made_page_scores_all_and_is_told_whole() -> None:
    report = analyse(_REQUEST, _toolbox(site()))
    assert (report.score, report.deductions, report.hidden_by) == (100, (), ())
    assert report.page.title == "How to brew green tea without bitterness"
    assert [one.device for one in report.results] == ["desktop", "mobile"]
    assert len(report.shares) == 2
    assert report.crawlers
    assert report.summary.startswith("The score is 100 of 100 (good).")


def test_times_and_identifier_come_from_the_toolbox() -> None:
    report = analyse(_REQUEST, _toolbox(site()))
    assert report.created_at == "2026-11-22T12:00:00.000Z"
    assert report.completed_at == "2026-11-22T12:00:01.000Z"
    assert report.id.startswith("seo_") and report.id.endswith("0" * 32)
    assert report.engines == (EngineRun(name="fetch", version="1"),)


def test_points_cost_score_and_become_steps() -> None:
    facts = site(changed(("<title>How to brew green tea without bitterness</title>", "")))
    report = analyse(_REQUEST, _toolbox(facts))
    assert "title-missing" in {one.rule for one in report.points}
    assert report.score < 100
    assert report.recommendations[0].gain > 0
    ended = {id for step in report.recommendations for id in step.point_ids}
    assert ended <= {one.id for one in report.points}
    assert [one.kind for one in report.proposals] == ["title"]


def test_a_page_that_asks_not_to_be_found_is_told_so() -> None:
    facts = site(changed(("index, follow", "noindex, follow")))
    report = analyse(_REQUEST, _toolbox(facts))
    assert [one.rule for one in report.hidden_by] == ["noindex"]
    assert report.score <= 30
    assert report.hidden_by[0].theme is Theme.INDEXING


def test_keywords_are_judged_where_they_are_asked_for() -> None:
    asked = replace(_REQUEST, keywords=("green tea, sencha",))
    report = analyse(asked, _toolbox(site()))
    assert [(one.keyword, one.count > 0) for one in report.keywords] == [
        ("green tea", True),
        ("sencha", False),
    ]
    assert analyse(_REQUEST, _toolbox(site())).keywords == ()


def test_scripts_that_write_the_page_are_seen_as_a_difference() -> None:
    sent = changed(("<article>", "<script src='/app.js'></script>"), ("</article>", ""))
    facts = site(sent, rendered=rendered(HTML))
    report = analyse(_REQUEST, _toolbox(facts))
    assert report.page.rendered
    assert report.sent_page is not None and not report.sent_page.rendered


def test_without_rendering_there_is_no_second_page() -> None:
    assert analyse(_REQUEST, _toolbox(site())).sent_page is None


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        (URL, True),
        ("https://www.example.org/other", True),
        ("https://elsewhere.example/", False),
        ("", False),
    ],
)
def test_a_page_whose_scripts_lead_elsewhere_is_told_as_it_was_sent(
    url: str, is_taken: bool
) -> None:
    facts = site(rendered=rendered("<title>Rendered</title>", url))
    report = analyse(_REQUEST, _toolbox(facts))
    assert (report.page.title == "Rendered") is is_taken
    said = [one for one in report.skipped if "its scripts lead to" in one]
    assert bool(said) is not is_taken


def test_an_address_that_leads_to_another_site_is_told() -> None:
    request = SeoRequest(visit=Visit(url="https://old.example/tea"))
    assert analyse(request, _toolbox(site())).skipped == (
        "The address leads to example.org: the analysis is of that site.",
    )
    assert analyse(_REQUEST, _toolbox(site())).skipped == ()


@pytest.mark.parametrize(
    ("facts", "error", "words"),
    [
        (_answering(status=404), TargetNotAnalysable, "answers 404"),
        (_answering(status=500), TargetNotAnalysable, "answers 500"),
        (_answering(status=401), TargetNotAnalysable, "--header or --cookie"),
        (
            _answering(headers=[("content-type", "application/pdf")]),
            TargetNotAnalysable,
            "no HTML but application/pdf",
        ),
        (
            replace(site(), page=Fetched(url=URL, failure="it is too much", too_large=True)),
            TargetNotAnalysable,
            "cannot be analysed: it is too much",
        ),
        (
            replace(
                site(),
                page=Fetched(url=URL, answers=(Answer(url=URL, status=302),), failure="a circle"),
            ),
            TargetNotAnalysable,
            "cannot be analysed: a circle",
        ),
        (replace(site(), page=fetched(" ")), TargetNotAnalysable, "its answer is empty"),
        (
            replace(site(), page=fetched("plain words", headers=[])),
            TargetNotAnalysable,
            "no HTML but nothing that says so",
        ),
        (
            replace(site(), page=Fetched(url=URL, failure="it takes no connections")),
            TargetUnreachable,
            "cannot be reached: it takes no connections",
        ),
        (
            replace(site(), page=Fetched(url=URL, failure="a private address", refused=True)),
            TargetNotAllowed,
            "--allow HOST:PORT",
        ),
    ],
)
def test_what_is_no_page_is_an_error(
    facts: SearchFacts, error: type[MergegateError], words: str
) -> None:
    with pytest.raises(error) as raised:
        analyse(_REQUEST, _toolbox(facts))
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "headers",
    [
        [("content-type", "TEXT/HTML")],
        [("content-type", "application/xhtml+xml; charset=utf-8")],
        [],
    ],
)
def test_html_is_what_says_so_or_looks_like_it(headers: list[tuple[str, str]]) -> None:
    assert analyse(_REQUEST, _toolbox(_answering(headers=headers))).page.words > 50


def test_a_hostile_reason_moves_nothing_on_a_terminal() -> None:
    page = Fetched(url=URL, failure="\x1b[2J" + "x" * 9_000)
    with pytest.raises(TargetUnreachable) as raised:
        analyse(_REQUEST, _toolbox(replace(site(), page=page)))
    assert "\x1b" not in str(raised.value)
    assert len(str(raised.value)) < 1_000


def test_a_competitor_is_compared_in_the_same_report() -> None:
    report = analyse(_BESIDE, _toolbox(site()))
    assert report.competitor_page is not None
    assert report.competitor_page.url == _RIVAL_URL
    assert report.competitor_score is not None
    assert report.competitor is _RIVAL


def test_both_are_judged_by_the_same_keywords() -> None:
    asked = replace(_BESIDE, keywords=("oolong",))
    report = analyse(asked, _toolbox(site()))
    ours = {one.rule for one in report.points} - {
        one.rule for one in analyse(_REQUEST, _toolbox(site())).points
    }
    assert ours
    assert ours <= {one.rule for one in report.competitor_points}


@pytest.mark.parametrize(
    "mishap",
    [
        EngineTimeout("the browser did not answer"),
        EngineFailed("the browser crashed"),
        TargetUnreachable("it does not answer"),
    ],
)
def test_what_befalls_the_competitor_is_told_and_ends_nothing(mishap: MergegateError) -> None:
    def fails(visit: Visit, now: dt.datetime) -> SearchFacts:
        raise mishap

    report = analyse(_BESIDE, _toolbox(site(), fails))
    assert (report.competitor_page, report.competitor_score, report.competitor_gaps) == (
        None,
        None,
        (),
    )
    assert report.skipped == (f"The competitor's page was left out: {mishap.what}.",)


def test_a_competitor_that_is_no_page_is_told_and_ends_nothing() -> None:
    gone = replace(_RIVAL, page=fetched(HTML, _RIVAL_URL, 404))
    report = analyse(_BESIDE, _toolbox(site(), lambda *_: gone))
    assert report.skipped == (
        f"The competitor's page was left out: {_RIVAL_URL} cannot be analysed: it answers 404.",
    )


def test_a_competitor_that_was_not_seen_whole_is_told() -> None:
    unrendered = Rendered(document=_RIVAL.document, failure="it hangs")
    half = replace(_RIVAL, rendered=unrendered, notes=("There was no time left for robots.txt.",))
    report = analyse(_BESIDE, _toolbox(site(), lambda *_: half))
    assert report.skipped == (
        "The competitor's page: There was no time left for robots.txt.",
        "The competitor's page was not rendered: it hangs.",
    )


def test_a_mistake_of_our_own_is_not_hidden_as_a_mishap() -> None:
    def broken(visit: Visit, now: dt.datetime) -> SearchFacts:
        raise KeyError("ours")

    with pytest.raises(KeyError):
        analyse(_BESIDE, _toolbox(site(), broken))


def test_what_was_not_looked_at_or_not_judged_is_told_once() -> None:
    facts = site(
        local=True,
        notes=("There was no time left for the sitemaps.",) * 2,
        rendered=Rendered(document=site().document, failure="the page hangs."),
        console=SearchConsole(property="", failure="no property"),
    )
    told = analyse(_REQUEST, _toolbox(facts)).skipped
    assert told[0] == "There was no time left for the sitemaps."
    assert told[1].startswith("The page stands on this machine")
    assert told[2:] == (
        "The page was not rendered: the page hangs.",
        "Search Console told nothing: no property.",
    )


def test_queries_are_ranked_by_the_clicks_they_miss() -> None:
    rows = (
        QueryRow(query="rare", clicks=0, impressions=10, ctr=0, position=1),
        QueryRow(query="often", clicks=0, impressions=1_000, ctr=0, position=1),
    )
    facts = site(console=SearchConsole(property="sc-domain:example.org", rows=rows))
    report = analyse(_REQUEST, _toolbox(facts))
    assert [one.row.query for one in report.queries] == ["often", "rare"]


def test_what_opened_the_site_is_in_no_report() -> None:
    echo = changed(
        ("<h2>Water</h2>", f"<h2>{ECHO}</h2><img src='/tea.jpg{QUERY}'>"),
        ("brew green", f"brew: {ECHO}"),
    )
    visit = Visit(url=URL, credentials=OPENED)
    report = analyse(replace(_REQUEST, visit=visit), _toolbox(site(echo, notes=(ECHO,))))
    assert told(replace(report, facts=site())) == []
    assert SHOWN in report.page.title
    assert SHOWN in report.skipped
    assert SHOWN in [one.text for one in report.facts.document.headings]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ((), ()),
        (("green tea",), ("green tea",)),
        (("green  tea , sencha,,",), ("green tea", "sencha")),
        (("a", "b,c", "A"), ("a", "b", "c")),
        (("  ", ","), ()),
        ((",".join("abcdefghij"),), tuple("abcdefghij")),
    ],
)
def test_keywords_are_comma_separated_and_each_counts_once(
    given: tuple[str, ...], read: tuple[str, ...]
) -> None:
    assert keywords_of(given) == read


@pytest.mark.parametrize("given", [",".join("abcdefghijk"), "x" * 101])
def test_too_many_keywords_and_whole_texts_are_refused(given: str) -> None:
    with pytest.raises(UsageError):
        keywords_of((given,))
