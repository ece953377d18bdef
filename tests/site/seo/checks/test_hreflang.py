"""Language versions that search engines believe, and others."""

from typing import Any

import pytest

from mergegate.sandbox.fetched import Fetched
from mergegate.site.document import read
from mergegate.site.seo.facts import SearchFacts
from tests.site.seo.checks.well_made import HTML, URL, changed, fetched, found, rules, site, sitemap

GERMAN = "https://example.org/de/gruener-tee"
SELF = f'<link rel="alternate" hreflang="en" href="{URL}">'
ICON = '<link rel="icon"'


def link(tag: str, href: str = GERMAN) -> str:
    return f'<link rel="alternate" hreflang="{tag}" href="{href}">'


def versions(*links: str, **more: Any) -> SearchFacts:
    return site(changed((ICON, "".join(links) + ICON)), **more)


def german(html: str = "", status: int = 200, via: str = "", **more: Any) -> SearchFacts:
    """The page with a German version that answers so."""
    answer: Fetched = fetched(html, GERMAN, status, via=[(via, 301)] if via else [])
    document = read(html, GERMAN) if html else None
    return versions(SELF, link("de"), alternates=(("de", answer, document),), **more)


BACK = f"<head>{link('de')}{SELF}</head>"
CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "a good pair": (german(BACK), []),
    "country and script": (
        versions(SELF, link("de-AT"), link("x-default", URL), link("zh-Hant-TW", URL)),
        [],
    ),
    "small letters": (versions(SELF, link("pt-br")), []),
    "three letters and areas": (
        versions(SELF, link("fil"), link("es-419", URL), link("x-default", URL)),
        [],
    ),
    "uk for Britain": (versions(SELF, link("en-UK")), ["hreflang-invalid"]),
    "uk for Ukrainian": (
        versions(SELF, link("uk"), link("uk-UA", GERMAN), link("x-default", URL)),
        [],
    ),
    "eu is no country": (versions(SELF, link("en-EU")), ["hreflang-invalid"]),
    "underscore": (versions(SELF, link("de_DE")), ["hreflang-invalid"]),
    "a country for a language": (versions(SELF, link("jp")), ["hreflang-invalid"]),
    "not itself": (
        versions(link("de"), link("fr", "https://example.org/fr")),
        ["hreflang-no-self"],
    ),
    "not itself, of a preview": (versions(link("de"), local=True), []),
    "not itself, of a hoster's preview": (
        site(
            changed((ICON, SELF + link("de") + ICON)),
            "https://tea-git-main.vercel.app/guides/green-tea",
            variants=(),
            alternates=(("de", fetched("", GERMAN, 404), None),),
        ),
        [],
    ),
    "itself by its canonical address": (
        site(changed((ICON, SELF + link("de") + ICON)), url=URL + "?utm_source=x"),
        [],
    ),
    "relative": (versions(SELF, link("de", "/de/gruener-tee")), ["hreflang-relative"]),
    "one language twice": (
        versions(SELF, link("de"), link("de", "https://example.org/de")),
        ["hreflang-conflict"],
    ),
    "the same twice": (versions(SELF, link("de"), link("de")), []),
    "many without default": (
        versions(SELF, link("de"), link("fr", "https://example.org/fr")),
        ["hreflang-no-default"],
    ),
    "in the body": (site(changed(("<h1>", link("de") + "<h1>"))), ["hreflang-in-body"]),
    "canonical elsewhere": (
        german(f'<head>{link("de")}{SELF}<link rel="canonical" href="{URL}"></head>'),
        ["hreflang-not-indexable"],
    ),
    "canonical of its own": (
        german(f'<head>{link("de")}{SELF}<link rel="canonical" href="{GERMAN}"></head>'),
        [],
    ),
    "noindexed": (
        german(f'<head>{link("de")}{SELF}<meta name="robots" content="noindex"></head>'),
        ["hreflang-not-indexable"],
    ),
    "no return": (german(f"<head>{link('de')}</head>"), ["hreflang-no-return"]),
    "no return, of a preview": (german(f"<head>{link('de')}</head>", local=True), []),
    "gone at the public host of a preview": (
        site(
            changed((ICON, SELF + link("de") + ICON)),
            "http://localhost:3000/guides/green-tea",
            local=True,
            alternates=(("de", fetched("", GERMAN, 404), None),),
        ),
        [],
    ),
    "return in a header": (
        versions(
            SELF,
            link("de"),
            alternates=(
                (
                    "de",
                    fetched(
                        "<p>",
                        GERMAN,
                        headers=[("link", f'<{URL}>; rel="alternate"; hreflang="en"')],
                    ),
                    read("<p>", GERMAN),
                ),
            ),
        ),
        [],
    ),
    "gone": (german(status=404), ["hreflang-broken"]),
    "behind a wall for robots": (german(status=429), []),
    "redirects": (german(BACK, via="https://example.org/de"), ["hreflang-redirects"]),
    "a feed is no version": (
        versions('<link rel="alternate" type="application/rss+xml" href="/feed">'),
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_language_versions_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_a_wrong_code_comes_with_the_one_that_was_meant() -> None:
    [point] = found(versions(SELF, link("en-UK"), link("de_DE"), link("x-default")))
    assert "en-UK: no country has the code UK (en-GB?)" in point.message
    assert "de_DE: a hyphen belongs between its parts (de-DE?)" in point.message
    assert point.count == 2


def listed(*versions: tuple[str, str], **more: Any) -> SearchFacts:
    """The page, whose sitemap names its language versions."""
    return site(sitemaps=(sitemap(alternates=versions),), **more)


IN_SITEMAPS = [
    ("a good pair", listed(("en", URL), ("de", GERMAN)), []),
    ("a wrong code", listed(("en", URL), ("xx", GERMAN)), ["hreflang-invalid"]),
    ("not itself", listed(("de", GERMAN)), ["hreflang-no-self"]),
    ("a relative address", listed(("en", URL), ("de", "/de")), ["hreflang-relative"]),
    ("of a preview", listed(("xx", GERMAN), local=True), []),
    (
        "gone",
        listed(("en", URL), ("de", GERMAN), alternates=(("de", fetched("", GERMAN, 404), None),)),
        ["hreflang-broken"],
    ),
    (
        "no way back in the page, for it may stand in the sitemap",
        listed(
            ("en", URL),
            ("de", GERMAN),
            alternates=(("de", fetched("<title>Tee</title>", GERMAN), read("<p>", GERMAN)),),
        ),
        [],
    ),
]


@pytest.mark.parametrize(
    ("facts", "expected"), [case[1:] for case in IN_SITEMAPS], ids=[case[0] for case in IN_SITEMAPS]
)
def test_versions_are_read_from_sitemaps_too(facts: SearchFacts, expected: list[str]) -> None:
    assert rules(facts) == expected


def test_versions_are_read_from_headers_too() -> None:
    value = f'<{URL}>; rel="alternate"; hreflang="en", <{GERMAN}>; rel=alternate; hreflang=xx'
    headers = [("content-type", "text/html; charset=utf-8"), ("link", value)]
    assert rules(site(page=fetched(HTML, headers=headers))) == ["hreflang-invalid"]
