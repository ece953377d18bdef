"""Which canonical addresses can work, and which cannot."""

from dataclasses import replace
from typing import Any

import pytest

from mergegate.site.document import read
from mergegate.site.seo.facts import SearchConsole, SearchFacts
from tests.site.seo.checks.well_made import HTML, URL, changed, fetched, found, rules, site

LINK = '<link rel="canonical" href="https://example.org/guides/green-tea">'
OTHER = "https://example.org/guides/tea"
NO_CANONICAL = HTML.replace(LINK, "").replace(
    '<meta property="og:url" content="https://example.org/guides/green-tea">',
    '<meta property="og:url" content="https://example.org/guides/green-tea">',
)


def named(*hrefs: str, **more: Any) -> SearchFacts:
    """The page with these canonical addresses; og:url follows the first."""
    links = "".join(f'<link rel="canonical" href="{href}">' for href in hrefs)
    first = read(links, URL).links[0].href or URL
    html = changed((LINK, links), ('"og:url" content="' + URL, '"og:url" content="' + first))
    return site(html, **more)


def leading_to(target: str, *, status: int = 200, html: str = "", via: str = "") -> SearchFacts:
    """The page naming OTHER, which answers so."""
    answer = fetched(html, target, status, via=[(via, 301)] if via else [])
    return named(OTHER, canonical=answer, canonical_document=read(html, target) if html else None)


def variant(
    html: str = NO_CANONICAL, url: str = "https://www.example.org/guides/green-tea"
) -> SearchFacts:
    return site(NO_CANONICAL, variants=(fetched(html, url),))


def link_header(value: str, html: str = NO_CANONICAL) -> SearchFacts:
    return site(
        html,
        page=fetched(html, headers=[("content-type", "text/html; charset=utf-8"), ("link", value)]),
    )


def _silent(own: tuple[str, str], other: tuple[str, str], size: int = 1_000) -> SearchFacts:
    """A variant whose text was not kept, with these headers of page and variant."""
    html = [("content-type", "text/html; charset=utf-8")]
    page = replace(fetched(NO_CANONICAL, headers=[*html, own]), wire_bytes=1_000)
    twin = fetched("", "https://www.example.org/guides/green-tea", headers=[other])
    return site(NO_CANONICAL, page=page, variants=(replace(twin, wire_bytes=size),))


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "none": (site(NO_CANONICAL), ["canonical-missing"]),
    "relative in a header": (link_header('<green-tea>; rel="canonical"'), ["canonical-relative"]),
    "unreadable in a header": (
        link_header('<javascript:x>; rel="canonical"'),
        ["canonical-unreadable"],
    ),
    "of another resource in a header": (
        link_header(f'<{OTHER}>; rel="canonical"; anchor="/a.pdf"'),
        ["canonical-missing"],
    ),
    "of the page for phones": (
        site(HTML, "https://m.example.org/guides/green-tea"),
        [],
    ),
    "in a header": (link_header(f'<{URL}>; rel="canonical"'), []),
    "a header about something else": (
        link_header(f'<{URL}>; rel="preload"; as=style'),
        ["canonical-missing"],
    ),
    "the same in head and header": (link_header(f"<{URL}>; rel=canonical", HTML), []),
    "another in the header": (
        link_header(f'</a.css>; rel=preload, <{OTHER}>; rel="canonical"', HTML),
        ["canonical-several"],
    ),
    "twice the same": (named(URL, URL), []),
    "two that differ": (named(URL, OTHER), ["canonical-several"]),
    "relative": (named("/guides/green-tea"), ["canonical-relative"]),
    "without scheme": (named("//example.org/guides/green-tea"), ["canonical-relative"]),
    "no address": (named("http://"), ["canonical-unreadable"]),
    "a script": (named("javascript:alert(1)"), ["canonical-unreadable"]),
    "a mailbox": (named("mailto:a@example.org"), ["canonical-unreadable"]),
    "capitals in the host": (named("HTTPS://EXAMPLE.org:443/guides/green-tea"), []),
    "http": (named("http://example.org/guides/green-tea"), ["canonical-insecure"]),
    "http that redirects here": (
        named(
            "http://example.org/guides/green-tea",
            canonical=fetched(HTML, URL, via=[("http://example.org/guides/green-tea", 301)]),
            canonical_document=read(HTML, URL),
        ),
        ["canonical-insecure"],
    ),
    "fragment": (named(URL + "#water"), ["canonical-fragment"]),
    "in the body": (
        site(changed((LINK, ""), ("<h1>", LINK + "<h1>"))),
        ["canonical-in-body"],
    ),
    "last slash": (named(URL + "/"), []),
    "www": (named("https://www.example.org/guides/green-tea"), []),
    "without the query": (site(url=URL + "?utm_source=x&page=2"), []),
    "index file": (
        site(
            changed((URL, "https://example.org/")),
            url="https://example.org/index.html",
        ),
        [],
    ),
    "another page": (leading_to(OTHER, html=HTML.replace(URL, OTHER)), ["canonical-elsewhere"]),
    "the home page": (named("https://example.org/"), ["canonical-to-home"]),
    "another site": (named("https://example.net/tea"), ["canonical-other-host"]),
    "another site, of a preview": (named("https://example.net/tea", local=True), []),
    "another site, of a hoster's preview": (
        site(
            changed((URL, "https://example.net/guides/green-tea")),
            "https://tea-git-main.vercel.app/guides/green-tea",
            variants=(),
            canonical=fetched("", "https://example.net/guides/green-tea", 404),
        ),
        [],
    ),
    "gone, of a preview": (
        named("https://example.net/tea", local=True, canonical=fetched(status=404)),
        [],
    ),
    "gone": (leading_to(OTHER, status=404), ["canonical-broken"]),
    "behind a wall for robots": (leading_to(OTHER, status=403), ["canonical-elsewhere"]),
    "no answer": (
        named(OTHER, canonical=replace(fetched(url=OTHER), failure="no answer")),
        ["canonical-elsewhere"],
    ),
    "redirects": (
        leading_to("https://example.org/tea", html=HTML, via=OTHER),
        ["canonical-redirects"],
    ),
    "redirects back": (leading_to(URL, html=HTML, via=OTHER), ["canonical-loop"]),
    "names this page in turn": (leading_to(OTHER, html=HTML), ["canonical-loop"]),
    "names a third": (
        leading_to(OTHER, html=HTML.replace(URL, "https://example.org/third")),
        ["canonical-chain"],
    ),
    "is noindexed": (
        leading_to(OTHER, html=HTML.replace(URL, OTHER).replace("index, follow", "noindex")),
        ["canonical-noindexed"],
    ),
    "duplicates": (variant(), ["duplicate-variants"]),
    "duplicates with a canonical": (
        site(variants=(fetched(HTML, "https://www.example.org/guides/green-tea"),)),
        [],
    ),
    "duplicates by version, without text": (
        _silent(("etag", '"7"'), ("etag", '"7"')),
        ["duplicate-variants"],
    ),
    "another version at www": (_silent(("etag", '"7"'), ("etag", '"8"')), ["canonical-missing"]),
    "duplicates by length": (_silent(("x", ""), ("x", ""), 1_010), ["duplicate-variants"]),
    "another length at www": (_silent(("x", ""), ("x", ""), 3_000), ["canonical-missing"]),
    "another page at www": (
        variant("<title>Parked</title>"),
        ["canonical-missing"],
    ),
    "google agrees": (
        site(console=SearchConsole(property="p", google_canonical=URL, user_canonical=URL)),
        [],
    ),
    "google does not": (
        site(console=SearchConsole(property="p", google_canonical=OTHER, user_canonical=URL)),
        ["google-chose-another-canonical"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_a_canonical_address_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_a_missing_canonical_comes_ready_to_paste() -> None:
    html = HTML.replace(LINK, "")
    url = URL + '?a=1&b="'
    snippets = [
        point.snippet for point in found(site(html, url)) if point.rule == "canonical-missing"
    ]
    assert snippets == [
        '<link rel="canonical" href="https://example.org/guides/green-tea?a=1&amp;b=&quot;">'
    ]


def test_duplicates_are_counted_and_named() -> None:
    [point] = found(variant())
    assert point.message.startswith("Another address answered with the same page")
    assert point.evidence == "https://www.example.org/guides/green-tea"
