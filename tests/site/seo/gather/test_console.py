"""Search Console: what is asked, by the published description, and what becomes of each answer."""

import json
from typing import Any

import jsonschema
import pytest

from mergegate.core.errors import UsageError
from mergegate.site.seo.facts import QueryRow
from mergegate.site.seo.gather import read_access
from tests.site.seo.gather.google import EMAIL, PAGE, TOKEN, Google, fits, look, service_account

ROW = {
    "keys": ["harbour lanterns"],
    "clicks": 3.0,
    "impressions": 60.0,
    "ctr": 0.05,
    "position": 7.4,
}
STATUS = {
    "verdict": "PASS",
    "coverageState": "Submitted and indexed",
    "indexingState": "INDEXING_ALLOWED",
    "robotsTxtState": "ALLOWED",
    "pageFetchState": "SUCCESSFUL",
    "googleCanonical": "https://www.example.org/lanterns/",
    "userCanonical": PAGE,
    "lastCrawlTime": "2026-11-20T08:00:00Z",
}
REFRESH = json.dumps(
    {
        "client_id": "x.apps",
        "client_secret": "s",
        "refresh_token": "1//made-up",
        "type": "authorized_user",
    }
)


def test_the_stand_in_says_what_the_description_allows() -> None:
    fits(STATUS, "IndexStatusInspectionResult")
    with pytest.raises(jsonschema.ValidationError):
        fits({"dimensions": ["QUERIES"]}, "SearchAnalyticsQueryRequest")


def test_figures_and_index_status_are_told() -> None:
    found = look(Google(rows=[ROW], total={"clicks": 5.0, "impressions": 90.0}, status=STATUS))
    assert found.rows == (
        QueryRow(query="harbour lanterns", clicks=3.0, impressions=60.0, ctr=0.05, position=7.4),
    )
    assert (found.clicks, found.impressions) == (5.0, 90.0)
    assert (found.verdict, found.indexing_state, found.robots_state, found.fetch_state) == (
        "PASS",
        "INDEXING_ALLOWED",
        "ALLOWED",
        "SUCCESSFUL",
    )
    assert (found.coverage, found.last_crawl) == ("Submitted and indexed", "2026-11-20T08:00:00Z")
    assert found.google_canonical == "https://www.example.org/lanterns/"
    assert (found.failure, found.notes) == ("", ())


def test_ninety_final_days_of_the_page_that_google_chose_are_asked_for() -> None:
    google = Google(status=STATUS)
    found = look(google)
    by_query, in_all = google.questions("searchanalytics.query")
    assert (by_query["startDate"], by_query["endDate"]) == ("2026-08-22", "2026-11-19")
    assert (found.start, found.end) == ("2026-08-22", "2026-11-19")
    (group,) = by_query["dimensionFilterGroups"]
    (one,) = group["filters"]
    assert one["expression"] == "https://www.example.org/lanterns/"
    assert (by_query["dimensions"], by_query["rowLimit"]) == (["QUERY"], 100)
    assert "dimensions" not in in_all


PROPERTIES = [
    ("a domain", ["sc-domain:example.org"], "sc-domain:example.org"),
    (
        "the longer beginning",
        ["https://www.example.org/", "https://www.example.org/lan"],
        "https://www.example.org/lan",
    ),
    (
        "a beginning before a domain",
        ["sc-domain:example.org", "https://www.example.org/"],
        "https://www.example.org/",
    ),
    (
        "the closer domain",
        ["sc-domain:example.org", "sc-domain:www.example.org"],
        "sc-domain:www.example.org",
    ),
    ("not over http", ["http://www.example.org/"], ""),
    ("not of another folder", ["https://www.example.org/shop/"], ""),
    ("not of a domain that ends alike", ["sc-domain:ample.org"], ""),
    ("none at all", [], ""),
]


@pytest.mark.parametrize(
    ("sites", "expected"), [case[1:] for case in PROPERTIES], ids=[case[0] for case in PROPERTIES]
)
def test_the_property_that_holds_the_page_is_found(sites: list[str], expected: str) -> None:
    google = Google(sites=[{"siteUrl": site, "permissionLevel": "siteOwner"} for site in sites])
    found = look(google)
    assert found.property == expected
    assert ("no property" in found.failure) is not bool(expected)


@pytest.mark.parametrize("level", ["siteUnverifiedUser", "SITE_UNVERIFIED_USER"])
def test_a_property_that_is_not_verified_is_none(level: str) -> None:
    sites = [{"siteUrl": "sc-domain:example.org", "permissionLevel": level}]
    assert "no property" in look(Google(sites=sites)).failure


@pytest.mark.parametrize("key", [service_account(), REFRESH], ids=["service account", "refresh"])
def test_a_key_gets_a_token_from_google_and_from_nobody_else(key: str) -> None:
    google = Google(status=STATUS)
    assert look(google, key).verdict == "PASS"
    assert [name for name, _, _ in google.asked][:2] == ["token", "sites.list"]


@pytest.mark.parametrize("figure", [{"clicks": -1}, {"ctr": 1.5}, {"position": -3}])
def test_figures_that_cannot_be_are_no_figures(figure: dict[str, float]) -> None:
    found = look(Google(rows=[{**ROW, **figure}], status=STATUS))
    assert found.rows == ()
    assert "another shape" in found.notes[0]


REFUSALS = [
    ("sites.list", 401, "has expired"),
    ("sites.list", 403, "may not read"),
    ("sites.list", 429, "too often"),
    ("sites.list", 500, "status 500"),
    ("sites.list", 302, "status 302"),
    ("token", 400, "revoked"),
    ("token", 503, "status 503"),
]


@pytest.mark.parametrize(("method", "status", "reason"), REFUSALS)
def test_a_refusal_is_told_in_our_own_words(method: str, status: int, reason: str) -> None:
    google = Google(refuses={method: status}, says={method: f"{TOKEN} {EMAIL} denied".encode()})
    found = look(google, service_account())
    assert reason in found.failure
    assert TOKEN not in repr(found)
    assert EMAIL not in repr(found)


def test_what_one_method_refuses_another_may_tell() -> None:
    found = look(Google(rows=[ROW], refuses={"urlInspection.index.inspect": 429}))
    assert (len(found.rows), found.verdict, found.failure) == (1, "", "")
    (note,) = found.notes
    assert "too often" in note


def test_nothing_is_there_when_both_methods_refuse() -> None:
    google = Google(refuses={"urlInspection.index.inspect": 403, "searchanalytics.query": 403})
    assert "may not read" in look(google).failure


SHAPES = [
    b"[]",
    b"not json",
    b'{"siteEntry": 5}',
    b'{"siteEntry": [{"siteUrl": {}}]}',
    b"\xff",
]


@pytest.mark.parametrize("said", SHAPES)
def test_an_answer_of_another_shape_is_none(said: bytes) -> None:
    assert "shape" in look(Google(says={"sites.list": said})).failure


def test_figures_that_are_no_numbers_are_none() -> None:
    said = b'{"rows": [{"keys": ["x"], "clicks": NaN}]}'
    found = look(Google(says={"searchanalytics.query": said}, status=STATUS))
    assert found.rows == ()
    assert found.notes


def test_an_answer_without_end_is_not_read() -> None:
    found = look(Google(says={"sites.list": b" " * 5_000_000}))
    assert "does not end" in found.failure


def test_google_that_cannot_be_reached_is_told() -> None:
    assert "cannot be reached" in look(Google(), at="https://127.0.0.1:1").failure


def test_a_google_that_is_slow_is_not_waited_for() -> None:
    assert "in time" in look(Google(), most_s=0.0).failure


WRONG = [
    ("nothing", ""),
    ("a sentence", "my secret password"),
    ("half a file", '{"client_email": "secret-a"'),
    ("another file", '{"secret": "secret-b"}'),
    ("a key that is none", json.dumps({"client_email": "secret@x", "private_key": "secret-c"})),
    ("a large one", '{"secret": "' + "x" * 70_000 + '"}'),
]


@pytest.mark.parametrize("text", [case[1] for case in WRONG], ids=[case[0] for case in WRONG])
def test_what_opens_nothing_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_access(text)
    error: BaseException | None = raised.value
    while error is not None:
        assert "secret" not in str(error)
        error = error.__cause__


@pytest.mark.parametrize("key", [TOKEN, service_account(), REFRESH])
def test_what_opens_it_is_never_shown(key: str) -> None:
    shown: Any = repr(read_access(key))
    assert "PRIVATE" not in shown
    assert TOKEN not in shown
    assert "1//made-up" not in shown
