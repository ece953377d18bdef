"""The API's SEO scan result, field by field."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from mergegate.site.seo.report import SeoReport
from mergegate.site.seo.wire.result import SeoResult, UnfinishedSeoResult, to_json
from tests.site.render.seo_samples import URL, hidden, hostile, tea, well_made
from tests.site.seo.wire.reference import seo_page

_REFERENCE = Path(__file__).parents[4] / "docs" / "seo-result.md"
_ALWAYS = {
    "id": "string",
    "status": "string",
    "score": "integer",
    "pageData": "PageDataOut",
    "findings": "array",
    "keywordAnalyses": "array",
    "crawlability": "CrawlabilityOut",
    "aiSuggestions": "SuggestionsOut",
}
"""The rows of the specification's table that hold for every scan that is done."""
_AT_TIMES = {"competitorPageData": "PageDataOut", "competitorFindings": "array"}


def _document(report: SeoReport) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(report))
    return document


def _type(field: dict[str, Any]) -> str:
    return str(field["type"] if "type" in field else field["$ref"].rpartition("/")[2])


def test_every_field_of_the_specification_is_always_there_and_of_its_type() -> None:
    schema = SeoResult.model_json_schema(mode="serialization")
    given = {name: _type(schema["properties"][name]) for name in {**_ALWAYS, **_AT_TIMES}}
    assert given == {**_ALWAYS, **_AT_TIMES}
    assert _ALWAYS.keys() <= set(schema["required"])
    assert not _AT_TIMES.keys() & set(schema["required"])


def test_status_is_one_of_the_three_of_the_specification() -> None:
    schema = SeoResult.model_json_schema(mode="serialization")
    assert schema["properties"]["status"]["enum"] == ["running", "done", "failed"]
    assert _document(tea())["status"] == "done"


def test_what_nobody_asked_for_is_left_out_and_never_null() -> None:
    document = _document(well_made())
    left_out = ("competitorPageData", "competitorFindings", "competitorGaps", "competitorScore")
    assert [name for name in (*left_out, "searchConsole") if name in document] == []
    assert "rendering" not in document["crawlability"]


def test_a_competitor_is_told_whole() -> None:
    document = _document(tea())
    assert document["competitorPageData"]["words"] == 1_930
    assert [one["ruleId"] for one in document["competitorFindings"]] == [
        "image-alt-missing",
        "author-unknown",
    ]
    assert (document["competitorScore"], len(document["competitorGaps"])) == (81, 3)


def test_a_competitor_without_findings_has_an_empty_list() -> None:
    assert _document(replace(tea(), competitor_points=()))["competitorFindings"] == []


def test_a_finding_says_what_it_rests_on() -> None:
    first = _document(tea())["findings"][0]
    assert {name: first[name] for name in ("ruleId", "severity", "category", "ground")} == {
        "ruleId": "text-after-scripts",
        "severity": "high",
        "category": "indexing",
        "ground": "studied",
    }
    assert first["references"][0].startswith("https://developers.google.com/")


def test_crawlability_says_who_may_come_and_what_scripts_bring() -> None:
    told = _document(tea())["crawlability"]
    assert (told["indexable"], told["reasons"], told["inSitemap"]) == (True, [], True)
    assert told["redirectChain"] == ["https://tea.example.org/green-tea", URL]
    (closed,) = (one for one in told["crawlers"] if not one["allowed"])
    assert (closed["token"], closed["rule"]) == (
        "GPTBot",
        {"allow": False, "pattern": "/", "line": 12},
    )
    assert (told["rendering"]["wordsSent"], told["rendering"]["wordsRendered"]) == (49, 861)


def test_of_a_crowd_of_sitemaps_that_robots_txt_names_some_are_told() -> None:
    report = tea()
    assert report.facts.robots is not None
    named = tuple(f"https://tea.example.org/{number}.xml" for number in range(6_000))
    robots = replace(report.facts.robots, sitemaps=named)
    told = _document(replace(report, facts=replace(report.facts, robots=robots)))
    assert told["crawlability"]["robots"]["sitemaps"] == list(named[:100])


def test_a_page_that_asks_not_to_be_found_is_not_indexable() -> None:
    told = _document(hidden())["crawlability"]
    assert (told["indexable"], told["reasons"]) == (False, ["The page asks not to be indexed"])


def test_suggestions_hold_summary_steps_and_the_pages_own_words() -> None:
    told = _document(tea())["aiSuggestions"]
    assert told["summarySource"] == "template"
    assert [one["gain"] for one in told["recommendations"]] == [15, 6]
    assert told["proposals"][0]["takenFrom"] == "the main heading"
    assert told["passages"][0]["heading"] == "Water"


def test_queries_come_with_what_they_miss() -> None:
    told = _document(tea())["searchConsole"]
    assert [(one["query"], one["recoverableClicks"]) for one in told["queries"]] == [
        ("green tea", 887.0),
        ("brew green tea", 26.0),
    ]


def test_hostile_text_is_text() -> None:
    assert _document(hostile())["findings"][0]["title"].isprintable() is False


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        SeoResult.model_validate({**_document(tea()), "grade": "A"})


@pytest.mark.parametrize("sample", [tea, well_made, hidden])
def test_what_is_written_can_be_read(sample: Any) -> None:
    assert SeoResult.model_validate_json(to_json(sample())) == SeoResult.model_validate(sample())


def test_an_unfinished_scan_holds_nothing_of_a_result() -> None:
    running = UnfinishedSeoResult(id="seo_1", status="running", url=URL, created_at="")
    assert running.model_dump(by_alias=True).keys() == {"id", "status", "url", "createdAt"}


def test_the_published_reference_is_current() -> None:
    assert _REFERENCE.read_text("utf-8") == seo_page()


def test_the_reference_tells_of_every_shape_once() -> None:
    page = seo_page()
    assert [page.count(f"\n## {name}\n") for name in ("PageData", "Crawlability", "Point")] == [
        1,
        1,
        1,
    ]
    assert "| `titleCut` | boolean |" in page
