"""Sitemaps that help, and others."""

from dataclasses import replace

import pytest

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.seo.facts import Robots, SearchFacts, Sitemap
from tests.site.seo.checks.well_made import changed, fetched, found, rules, site, sitemap

CHILD = "https://example.org/sitemap-1.xml"


def one(**more: object) -> SearchFacts:
    return site(sitemaps=(sitemap(**more),))


def index(*children: Sitemap, whole: tuple[str, ...] = (CHILD,)) -> SearchFacts:
    top = sitemap(kind="index", children=whole, lists_page=False, with_lastmod=0, entries=1)
    return site(sitemaps=(top, *children))


def at(url: str, status: int = 200) -> Fetched:
    return fetched("", url, status)


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "none": (site(sitemaps=()), ["sitemap-missing"]),
    "none where one was guessed": (
        one(kind="", source="/sitemap.xml", fetched=at("https://example.org/sitemap.xml", 404)),
        ["sitemap-missing"],
    ),
    "none of a preview": (site(sitemaps=(), local=True), []),
    "a wall for robots where one was guessed": (
        one(kind="", source="/sitemap.xml", fetched=at("https://example.org/sitemap.xml", 403)),
        [],
    ),
    "there was no time": (site(sitemaps=(), notes=("No time was left for sitemaps.",)), []),
    "nobody looked": (site(sitemaps=(), robots=None), []),
    "named and gone": (
        one(kind="", fetched=at("https://example.org/map.xml", 404)),
        ["sitemap-broken"],
    ),
    "named and behind a wall for robots": (
        one(kind="", fetched=at("https://example.org/map.xml", 403)),
        [],
    ),
    "named and no sitemap": (one(kind=""), ["sitemap-broken"]),
    "named and out of bounds": (
        one(kind="", fetched=replace(at(CHILD), failure="refused", refused=True)),
        [],
    ),
    "does not list the page": (one(lists_page=False), ["sitemap-omits-page"]),
    "robots.txt names more than were read": (
        site(
            sitemaps=(sitemap(lists_page=False),),
            robots=Robots(
                fetched=fetched("", "https://example.org/robots.txt"),
                state="present",
                sitemaps=("https://example.org/sitemap.xml", "https://example.org/b.xml"),
            ),
        ),
        [],
    ),
    "does not list a page of another canonical": (
        replace(
            site(
                changed(
                    (
                        '"https://example.org/guides/green-tea">\n<link rel="icon"',
                        '"https://example.org/guides/tea">\n<link rel="icon"',
                    )
                )
            ),
            sitemaps=(sitemap(lists_page=False),),
        ),
        ["canonical-elsewhere", "og-url-differs"],
    ),
    "an index whose child lists the page": (
        index(sitemap(source="https://example.org/sitemap.xml", fetched=at(CHILD))),
        [],
    ),
    "an index that was not read whole": (
        index(
            sitemap(source="https://example.org/sitemap.xml", fetched=at(CHILD), lists_page=False),
            whole=(CHILD, "https://example.org/sitemap-2.xml"),
        ),
        [],
    ),
    "an index read whole": (
        index(
            sitemap(source="https://example.org/sitemap.xml", fetched=at(CHILD), lists_page=False)
        ),
        ["sitemap-omits-page"],
    ),
    "a child is gone": (
        index(
            sitemap(
                source="https://example.org/sitemap.xml",
                fetched=at(CHILD, 500),
                kind="",
                lists_page=False,
            ),
            sitemap(fetched=at("https://example.org/sitemap-2.xml")),
        ),
        ["sitemap-broken"],
    ),
    "other hosts": (one(foreign=3), ["sitemap-foreign"]),
    "http": (one(insecure=40), ["sitemap-insecure"]),
    "dates to come": (one(future_lastmods=1), ["sitemap-future-lastmod"]),
    "one date for all": (one(same_lastmod=True), ["sitemap-same-lastmod"]),
    "no dates": (one(with_lastmod=0), []),
    "too large for us to read": (
        one(
            problems=("It is so large that only its beginning was read.",),
            fetched=replace(at(CHILD), whole=False),
        ),
        [],
    ),
    "found where one was guessed": (one(source="/sitemap.xml"), ["sitemap-not-named"]),
    "breaks the protocol": (one(problems=("more than 50,000 entries",)), ["sitemap-problems"]),
}


def test_a_small_site_needs_no_sitemap() -> None:
    (point,) = found(site(sitemaps=()))
    assert point.severity is Severity.INFO
    assert "small site" in point.message


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_sitemaps_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_two_sitemaps_make_one_point_with_both_figures() -> None:
    two = sitemap(foreign=1), sitemap(foreign=2, fetched=at(CHILD))
    [point] = found(site(sitemaps=two))
    assert point.message == "3 entries of another host."
    assert point.evidence == f"https://example.org/sitemap.xml, {CHILD}"
