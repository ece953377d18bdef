"""Directives for crawlers, as they are written in the wild."""

from datetime import UTC, datetime

import pytest

from mergegate.site.document import read
from mergegate.site.seo.checks.indexing import Directive, is_noindexed, moment, told
from tests.site.seo.checks.well_made import URL, fetched


def header(value: str) -> list[tuple[str, str, str]]:
    answer = fetched(headers=[("x-robots-tag", value)])
    return [(one.agent, one.name, one.value) for one in told(read("", URL), answer)]


CASES: dict[str, list[tuple[str, str, str]]] = {
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


@pytest.mark.parametrize("value", CASES)
def test_a_header_says_this(value: str) -> None:
    assert header(value) == CASES[value]


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
