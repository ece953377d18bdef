"""What keeps a page out of the index, and what only looks as if it did."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mergegate.core.severity import Severity
from mergegate.site.document import read
from mergegate.site.seo.checks.indexing import Directive, is_noindexed, moment, told
from mergegate.site.seo.facts import Robots, RobotsRule, SearchConsole, SearchFacts
from tests.site.seo.checks.well_made import (
    HTML,
    URL,
    changed,
    fetched,
    found,
    rendered,
    rules,
    site,
)

_MAIN = re.compile("<main>.*</main>", re.DOTALL)
META = '<meta name="robots" content="index, follow, max-image-preview:large">'


def meta(content: str, name: str = "robots") -> SearchFacts:
    return site(changed((META, f'<meta name="{name}" content="{content}">')))


def header(*values: str) -> SearchFacts:
    given = [("content-type", "text/html; charset=utf-8")]
    return site(page=fetched(HTML, headers=[*given, *(("x-robots-tag", one) for one in values)]))


def robots(**more: object) -> SearchFacts:
    good = site().robots
    assert good is not None
    return site(robots=replace(good, **more))  # type: ignore[arg-type]


def forbidden(**allowed: bool) -> SearchFacts:
    rule = RobotsRule(allow=False, pattern="/guides", line=4)
    return robots(allowed=allowed, matched=dict.fromkeys(allowed, rule))


def titled(title: str, body: str = "") -> SearchFacts:
    """The page with this title, and with ``body`` in place of its article where there is one."""
    html = changed(("How to brew green tea without bitterness</title>", f"{title}</title>"))
    return site(_MAIN.sub(f"<main><h1>{title}</h1>{body}</main>", html) if body else html)


def console(**more: str) -> SearchFacts:
    return site(console=SearchConsole(property="sc-domain:example.org", **more))  # type: ignore[arg-type]


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "well made": (site(), []),
    "no answer": (site(page=replace(fetched(), failure="no answer in 20 s")), ["status-not-ok"]),
    "gone": (site(page=fetched(HTML, status=410)), ["status-not-ok"]),
    "server error": (site(page=fetched(HTML, status=503)), ["status-not-ok"]),
    "noindex": (meta("noindex"), ["noindex", "sitemap-lists-noindexed"]),
    "none is noindex and nofollow": (meta("NONE"), ["noindex", "sitemap-lists-noindexed"]),
    "noindex for Google": (meta("noindex", "googlebot"), ["noindex"]),
    "noindex for a picture bot": (meta("noindex", "googlebot-image"), []),
    "noindex in a header": (
        header("noindex"),
        ["noindex", "robots-conflict", "sitemap-lists-noindexed"],
    ),
    "noindex in a header for Bing": (header("bingbot: noindex, nofollow"), ["noindex"]),
    "noindex in a header for others": (header("otherbot: noindex"), []),
    "noindex as a property": (
        site(changed((META, '<meta property="robots" content="noindex">'))),
        [],
    ),
    "rendered noindex": (
        site(rendered=rendered(changed((META, '<meta name="robots" content="noindex">')))),
        ["noindex", "robots-conflict", "sitemap-lists-noindexed"],
    ),
    "nofollow": (meta("index, nofollow"), ["nofollow-page"]),
    "all and nofollow": (meta("all, nofollow"), ["nofollow-page", "robots-conflict"]),
    "misspelt noindex": (meta("no-index, follow"), ["robots-misspelt"]),
    "misspelt in two words": (meta("no follow"), ["robots-misspelt"]),
    "unknown but harmless": (meta("noodp, noydir, max-snippet:-1, max-video-preview:-1"), []),
    "expired": (meta("unavailable_after: 2026-01-31"), ["unavailable-after-past"]),
    "expired by RFC 850": (
        header("unavailable_after: Friday, 30-Jan-26 15:00:00 GMT"),
        ["unavailable-after-past"],
    ),
    "expired by RFC 822, noindex behind": (
        meta("unavailable_after: Fri, 30 Jan 2026 15:00:00 GMT, noarchive"),
        ["unavailable-after-past"],
    ),
    "expires later": (meta("unavailable_after: 2027-01-31T00:00:00+00:00"), []),
    "expires some day": (meta("unavailable_after: soon"), ["unavailable-after-unreadable"]),
    "blocked for all": (forbidden(Googlebot=False, Bingbot=False), ["blocked-by-robots"]),
    "blocked for Bing": (forbidden(Googlebot=True, Bingbot=False), ["blocked-by-robots"]),
    "blocked for a trainer": (forbidden(Googlebot=True, Bingbot=True, GPTBot=False), []),
    "blocked, and noindex": (
        replace(
            meta("noindex"),
            robots=forbidden(Googlebot=False).robots,
        ),
        ["blocked-by-robots", "noindex-unseen", "sitemap-lists-noindexed"],
    ),
    "robots.txt fails": (
        robots(state="unreachable", fetched=fetched(status=500), allowed={"Googlebot": False}),
        ["robots-unreachable"],
    ),
    "robots.txt is missing": (robots(state="absent", fetched=fetched(status=404)), []),
    "robots.txt is a page": (robots(state="not robots"), ["robots-not-text"]),
    "robots.txt has odd lines": (
        robots(problems=((3, "unknown directive"), (9, "no group"))),
        ["robots-problems"],
    ),
    "soft 404": (site(nonsense=fetched("Welcome")), ["soft-404"]),
    "soft 404 by a redirect": (
        site(nonsense=fetched("Welcome", via=[("https://example.org/x-3f9a", 302)])),
        ["soft-404"],
    ),
    "a log-in for every address": (
        site(
            nonsense=fetched(
                "Log in", "https://example.org/login?next=x", via=[("https://example.org/x", 302)]
            )
        ),
        [],
    ),
    "soft 404 of a preview": (site(nonsense=fetched("Welcome"), local=True), []),
    "nonsense was refused": (site(nonsense=replace(fetched(), failure="no answer")), []),
    "says it is missing": (titled("404 Not Found"), ["page-looks-missing"]),
    "says it is missing, with the site": (
        titled("Page not found – Tea house"),
        ["page-looks-missing"],
    ),
    "is the page for missing ones": (
        site(HTML.replace("<title>", "<title>404 | "), "https://example.org/404.html"),
        ["canonical-elsewhere"],
    ),
    "of an address with a number in it": (
        site(HTML.replace("<title>", "<title>404 | "), "https://example.org/1404"),
        ["canonical-elsewhere", "page-looks-missing"],
    ),
    "explains the status": (
        titled("404 Not Found - HTTP", f"<p>{'The server did not find it. ' * 30}</p>"),
        [],
    ),
    "is about missing pages": (titled("Page not found: how to write a good 404 page"), []),
    "lost and found": (titled("404 ways to brew tea and where they come from"), []),
    "not indexed": (
        console(verdict="NEUTRAL", coverage="Crawled - currently not indexed"),
        ["google-has-not-indexed"],
    ),
    "indexed": (console(verdict="PASS", coverage="Submitted and indexed"), []),
    "console fails": (console(verdict="FAIL", failure="no access"), []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_a_site_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_robots_txt_that_only_we_did_not_get_is_less_bad() -> None:
    silent = replace(fetched(), failure="no answer in 10 s")
    severities = [one.severity for one in found(robots(state="unreachable", fetched=silent))]
    assert severities == [Severity.MEDIUM]


def test_noindex_for_one_engine_but_google_is_high_not_critical() -> None:
    worst = [one.severity for one in found(header("bingbot: noindex"))]
    assert worst == [Severity.HIGH]


def test_noindex_in_the_header_of_a_preview_is_what_it_should_be() -> None:
    url = "https://tea-git-main.vercel.app/guides/green-tea"
    html = [("content-type", "text/html; charset=utf-8"), ("x-robots-tag", "noindex")]
    facts = site(HTML.replace("index, follow, ", ""), url, sitemaps=(), robots=None, variants=())
    [point] = found(replace(facts, page=fetched(HTML, url, headers=html)))
    assert (point.rule, point.severity) == ("noindex", Severity.INFO)


def test_a_block_names_line_and_engines() -> None:
    [point] = found(forbidden(Googlebot=False, Bingbot=False))
    assert "(line 4) forbids Google and Bing" in point.message
    assert point.evidence == "line 4: Disallow: /guides"
    assert point.severity is Severity.CRITICAL


def test_a_misspelt_directive_comes_with_the_right_element() -> None:
    [point] = found(meta("no-index"))
    assert point.snippet == '<meta name="robots" content="noindex">'


def test_robots_that_nobody_looked_at_say_nothing() -> None:
    assert rules(site(robots=None)) == []


def test_the_page_names_itself_by_where_redirects_ended() -> None:
    facts = replace(meta("nofollow"), page=fetched(HTML, via=[("https://example.org/old", 301)]))
    assert [point.url for point in found(facts)] == [URL]


def test_what_robots_txt_allows_is_read_for_search_engines_only() -> None:
    rest = Robots(fetched=fetched(), state="present", allowed={"DuckDuckBot": False})
    assert rules(site(robots=rest)) == []


def robots_header(value: str) -> list[tuple[str, str, str]]:
    answer = fetched(headers=[("x-robots-tag", value)])
    return [(one.agent, one.name, one.value) for one in told(read("", URL), answer)]


DIRECTIVES: dict[str, list[tuple[str, str, str]]] = {
    "noindex": [("", "noindex", "")],
    "noindex, NoFollow": [("", "noindex", ""), ("", "nofollow", "")],
    "none": [("", "noindex", ""), ("", "nofollow", "")],
    "googlebot: nosnippet, noindex": [
        ("googlebot", "nosnippet", ""),
        ("googlebot", "noindex", ""),
    ],
    "BingBot: noindex": [("bingbot", "noindex", "")],
    "otherbot: noindex": [],
    "max-snippet: 50, max-image-preview:large": [
        ("", "max-snippet", "50"),
        ("", "max-image-preview", "large"),
    ],
    "unavailable_after: 25 Jun 2010 15:00:00 PST": [
        ("", "unavailable_after", "25 Jun 2010 15:00:00 PST"),
    ],
    "unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, noarchive": [
        ("", "unavailable_after", "Friday, 25-Jun-10 15:00:00 GMT"),
        ("", "noarchive", ""),
    ],
    "unavailable_after: soon, noarchive": [
        ("", "unavailable_after", "soon"),
        ("", "noarchive", ""),
    ],
    "": [],
    ",,": [],
}


@pytest.mark.parametrize("value", DIRECTIVES)
def test_a_header_says_this(value: str) -> None:
    assert robots_header(value) == DIRECTIVES[value]


def test_an_element_says_for_whom_it_is_and_how_it_is_written() -> None:
    page = read('<meta name="GoogleBot" content="noindex"><meta name="robots" content="all">', URL)
    assert told(page, None) == (
        Directive("noindex", "", "googlebot", "meta", '<meta name="googlebot" content="noindex">'),
        Directive("all", "", "", "meta", '<meta name="robots" content="all">'),
    )


def test_only_what_is_for_everybody_takes_a_page_out_of_all_indexes() -> None:
    assert is_noindexed(read('<meta name="robots" content="none">', URL), None)
    assert not is_noindexed(read('<meta name="googlebot" content="noindex">', URL), None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
        ("2026-01-31T12:00:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        ("31 Jan 2026 12:00:00 GMT", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        ("Saturday, 31-Jan-26 12:00:00 GMT", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        ("31 Jan 99999 12:00:00 GMT", None),
        ("tomorrow", None),
        ("", None),
    ],
)
def test_a_moment_is_read_by_any_of_the_documented_forms(
    text: str, expected: datetime | None
) -> None:
    assert moment(text) == expected
