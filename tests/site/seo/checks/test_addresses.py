"""Addresses that are easy to index and reach, and others."""

import pytest

from mergegate.core.severity import Severity
from mergegate.site.seo.facts import SearchFacts
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

CASES: dict[str, tuple[str, list[str]]] = {
    "root": ("/", []),
    "capitals": ("/Guides/Green-Tea", ["url-uppercase"]),
    "capitals in an escape": ("/guides/caf%C3%A9", []),
    "other scripts": ("/%E7%B7%91%E8%8C%B6", []),
    "underscores": ("/guides/green_tea", ["url-underscores"]),
    "blanks": ("/green%20tea", ["url-spaces"]),
    "few parameters": ("/guides?page=2&sort=price", []),
    "many parameters": ("/guides?a=1&b=2&c=3&d=", ["url-parameters"]),
    "many of a campaign": ("/guides?utm_source=a&utm_medium=b&utm_campaign=c&gclid=d&page=2", []),
    "session": ("/guides?PHPSESSID=9f2c", ["url-session-id"]),
    "session in the path": ("/guides;jsessionid=9f2c", ["url-session-id"]),
    "something like a session": ("/guides?side=left&session=spring", []),
    "long": ("/" + "green-tea-" * 20, ["url-long"]),
    "deep": ("/a/b/c/d/e/f/g", ["url-deep"]),
    "not deep": ("/a/b/c/d/e/f/", []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_an_address_are_exactly_these(name: str) -> None:
    path, expected = CASES[name]
    url = "https://example.org" + path
    html = changed((URL, url.replace("&", "&amp;")))
    assert rules(site(html, url, variants=())) == expected


def test_a_session_is_found_by_the_name_of_its_parameter() -> None:
    url = "https://example.org/guides?sid=1"
    [point] = found(site(changed((URL, url)), url, variants=()))
    assert point.evidence == "sid"


OLD = "https://example.org/old"


def by(*hops: tuple[str, int], url: str = URL) -> SearchFacts:
    return site(
        changed((URL, url)), url, page=fetched(changed((URL, url)), url, via=hops), variants=()
    )


def refreshing(content: str) -> SearchFacts:
    return site(changed(("</title>", f'</title><meta http-equiv="Refresh" content="{content}">')))


REDIRECTS: dict[str, tuple[SearchFacts, list[str]]] = {
    "one permanent": (by((OLD, 301)), []),
    "two": (by(("http://example.org/old", 301), (OLD, 308)), ["redirect-chain"]),
    "temporary": (by((OLD, 302)), ["redirect-temporary"]),
    "temporary to https": (by((URL.replace("https", "http"), 307)), ["redirect-temporary"]),
    "choice of language": (by(("https://example.org/", 302), url="https://example.org/en/"), []),
    "to the log-in": (by((OLD, 302), url="https://example.org/login"), []),
    "to the blog": (
        by((OLD, 302), url="https://example.org/blog/tea"),
        ["redirect-temporary"],
    ),
    "to another site": (by(("https://example.net/go", 302)), []),
    "through http": (
        by((OLD, 301), ("http://example.org/old", 301)),
        ["redirect-chain", "redirect-insecure"],
    ),
    "meta refresh at once": (refreshing("0; url=https://example.org/new"), ["meta-refresh"]),
    "meta refresh in quotes": (refreshing("5;URL='/new'"), ["meta-refresh"]),
    "meta refresh without url=": (refreshing("0;/new"), ["meta-refresh"]),
    "reloading": (refreshing("300"), ["meta-reload"]),
    "no refresh at all": (refreshing("soon"), []),
    "refresh for those without scripts": (
        site(
            changed(
                (
                    "</title>",
                    '</title><noscript><meta http-equiv="refresh" content="0;/n"></noscript>',
                )
            )
        ),
        [],
    ),
    "refresh header": (
        site(
            page=fetched(
                HTML,
                headers=[("content-type", "text/html; charset=utf-8"), ("refresh", "0; url=/new")],
            )
        ),
        ["meta-refresh"],
    ),
    "script goes elsewhere": (
        site(rendered=rendered(HTML, "https://example.org/welcome")),
        ["redirect-by-script"],
    ),
    "script adds a query": (site(rendered=rendered(HTML, URL + "?lang=en#top")), []),
}


@pytest.mark.parametrize("name", REDIRECTS)
def test_the_points_of_the_way_to_a_page_are_exactly_these(name: str) -> None:
    facts, expected = REDIRECTS[name]
    assert rules(facts) == expected


def test_five_redirects_are_worse_than_two() -> None:
    hops = [(f"https://example.org/{number}", 301) for number in range(5)]
    [point] = found(by(*hops))
    assert (point.severity, point.count) == (Severity.MEDIUM, 5)
    assert point.message.startswith("5 redirects lead to the page")


def test_the_message_of_a_refresh_tells_target_and_delay() -> None:
    [point] = found(refreshing("5; url=https://example.org/new"))
    assert "“https://example.org/new” after 5 s" in point.message
