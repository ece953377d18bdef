"""Addresses that are easy to index, and others."""

import pytest

from tests.site.seo.checks.well_made import URL, changed, found, rules, site

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
