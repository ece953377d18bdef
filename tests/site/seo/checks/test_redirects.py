"""Ways to a page that cost something, and ways that do not."""

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

OLD = "https://example.org/old"


def by(*hops: tuple[str, int], url: str = URL) -> SearchFacts:
    return site(
        changed((URL, url)), url, page=fetched(changed((URL, url)), url, via=hops), variants=()
    )


def refreshing(content: str) -> SearchFacts:
    return site(changed(("</title>", f'</title><meta http-equiv="Refresh" content="{content}">')))


CASES: dict[str, tuple[SearchFacts, list[str]]] = {
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


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_the_way_to_a_page_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_five_redirects_are_worse_than_two() -> None:
    hops = [(f"https://example.org/{number}", 301) for number in range(5)]
    [point] = found(by(*hops))
    assert (point.severity, point.count) == (Severity.MEDIUM, 5)
    assert point.message.startswith("5 redirects lead to the page")


def test_the_message_of_a_refresh_tells_target_and_delay() -> None:
    [point] = found(refreshing("5; url=https://example.org/new"))
    assert "“https://example.org/new” after 5 s" in point.message
