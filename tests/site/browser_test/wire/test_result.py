"""The API's browser test result, field by field."""

import base64
import json
from typing import Any

import pytest
from pydantic import ValidationError

from mergegate.core.report import EngineRun
from mergegate.site.browser_test.facts import LinkState, PageVisit, Screenshot, StackFrame, Vitals
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem, Suggestion
from mergegate.site.browser_test.wire.result import BrowserTestResult, to_json
from mergegate.site.level import Level

_HOME = "https://shop.example/"


def _problem(kind: Kind, **fields: Any) -> Problem:
    given = {
        "id": kind.value,
        "rule": "a-rule",
        "level": Level.ERROR,
        "message": "Something is wrong",
        "page": _HOME,
        "pages": (_HOME,),
        **fields,
    }
    return Problem(kind=kind, **given)


_REPORT = BrowserReport(
    id="bt_1",
    url=_HOME,
    visits=(
        PageVisit(
            url=_HOME,
            final_url=f"{_HOME}start",
            status=200,
            title="Shop",
            load_ms=420,
            notes=("one tab was closed",),
            screenshots=(Screenshot(_HOME, "desktop", b"\xff\xd8", ("#email",)),),
        ),
    ),
    found=9,
    notes=("no time for more",),
    problems=(
        _problem(Kind.SCRIPT, frames=(StackFrame("a.js", 3, 7, "go"),), vendor="Tracker"),
        _problem(Kind.LINK, state=LinkState.DEAD, status=404, url=f"{_HOME}gone"),
        _problem(Kind.FORM, selector="#email", evidence="<input>", level=Level.WARNING),
        _problem(Kind.IMAGE),
        _problem(Kind.ACCESSIBILITY),
    ),
    links={LinkState.DEAD: 1, LinkState.SOFT_404: 2},
    vitals=Vitals(lcp=1200.5, cls=0.01),
    suggestions=(Suggestion(title="Mend it", message="So", problem_ids=("brokenLinks",)),),
    summary="One page.",
    engines=(EngineRun(name="chromium", version="156"),),
    created_at="2026-01-31T12:00:00.000Z",
    completed_at="2026-01-31T12:00:09.000Z",
    tool_version="0.1",
)


def _document(report: BrowserReport = _REPORT) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(report))
    return document


def test_every_field_of_the_specification_is_there() -> None:
    document = _document()
    assert document["testId"] == "bt_1"
    assert document["pagesVisited"] == 1
    assert document["aiSummary"] == "One page."
    for name in ("jsErrors", "brokenLinks", "formIssues", "imageIssues", "accessibilityIssues"):
        assert [one["id"] for one in document[name]] == [name]
    assert document["suggestions"] == [
        {"title": "Mend it", "message": "So", "problemIds": ["brokenLinks"]}
    ]


def test_every_field_of_the_decisions_is_there() -> None:
    document = _document()
    assert document["webVitals"] == {
        "lcp": 1200.5,
        "cls": 0.01,
        "inp": None,
        "fcp": None,
        "ttfb": None,
    }
    (shot,) = document["screenshots"]
    assert (shot["page"], shot["viewport"], shot["boxed"]) == (_HOME, "desktop", ["#email"])


def test_a_screenshot_is_a_data_uri() -> None:
    kind, _, content = _document()["screenshots"][0]["url"].partition(",")
    assert (kind, base64.b64decode(content)) == ("data:image/jpeg;base64", b"\xff\xd8")


def test_each_entry_has_severity_page_selector_and_evidence() -> None:
    (entry,) = _document()["formIssues"]
    assert {name: entry[name] for name in ("severity", "page", "selector", "evidence")} == {
        "severity": "warning",
        "page": _HOME,
        "selector": "#email",
        "evidence": "<input>",
    }


def test_a_link_says_what_became_of_it() -> None:
    (entry,) = _document()["brokenLinks"]
    assert (entry["linkState"], entry["status"], entry["url"]) == ("dead", 404, f"{_HOME}gone")


def test_a_script_error_has_its_stack_and_its_vendor() -> None:
    (entry,) = _document()["jsErrors"]
    assert entry["frames"] == [{"url": "a.js", "line": 3, "column": 7, "function": "go"}]
    assert entry["vendor"] == "Tracker"


def test_pages_and_links_are_told() -> None:
    document = _document()
    assert (document["pagesFound"], document["notes"]) == (9, ["no time for more"])
    (page,) = document["pages"]
    assert (page["finalUrl"], page["loadMs"], page["notes"]) == (
        f"{_HOME}start",
        420,
        ["one tab was closed"],
    )
    assert document["linkCounts"] == {
        "alive": 0,
        "dead": 1,
        "blocked": 0,
        "flaky": 0,
        "soft404": 2,
        "unchecked": 0,
    }


def test_half_a_surrogate_pair_is_told_as_its_escape() -> None:
    hostile = BrowserReport(id="bt_2", url=_HOME, visits=(), summary="\ud800")
    assert _document(hostile)["aiSummary"] == "\\ud800"


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        BrowserTestResult.model_validate({**_document(), "score": 100})


def test_what_is_written_can_be_read() -> None:
    result = BrowserTestResult.model_validate(_REPORT)
    assert BrowserTestResult.model_validate_json(to_json(_REPORT)) == result
