"""The API's website audit result: every field of the specification, in both shapes, read back."""

import json
from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.report import EngineRun
from mergegate.site.audit.budget import Violation, derive
from mergegate.site.audit.facts import Area, Detail, Frame, Load, Vendor
from mergegate.site.audit.report import AuditReport, Recommendation
from mergegate.site.audit.run import AuditRequest, audit
from mergegate.site.audit.wire.reading import MOST_ELEMENTS, Entry, read_audit
from mergegate.site.audit.wire.result import Shape, to_json
from mergegate.site.level import Element
from tests.runs import Loads, issue, run, toolbox, visit
from tests.site.audit.pages import page

SPECIFIED = [
    *("reportId", "url", "performanceScore", "seoScore", "accessibilityScore"),
    *("bestPracticesScore", "issues", "recommendations", "fixes", "aiSummary", "techStack"),
    "perfBudget",
]
HALF = "\ud800"
"""Half a surrogate pair: a page may name anything so, and UTF-8 cannot write it."""


def report(**other: Any) -> AuditReport:
    after = [run(70, lcp=3000 + at, failed=("title",), vendors=("Ads",)) for at in range(5)]
    before = [run(80, url="https://base.example.org/", lcp=2000) for _ in range(5)]
    request = AuditRequest(
        visit=visit(),
        budget=derive(page(lcp=2000)),
        against=visit("https://base.example.org/"),
    )
    return replace(audit(request, toolbox(Loads(page=[*after], rival=[*before]))), **other)


def document(of: AuditReport, shape: Shape = Shape.FLAT) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(of, shape))
    return found


def test_the_flat_shape_begins_with_every_field_of_the_specification() -> None:
    assert list(document(report()))[:13] == [*SPECIFIED, "budgetViolations"]


def test_without_a_budget_there_are_no_violations_but_always_a_budget() -> None:
    found = document(report(violations=None))
    assert "budgetViolations" not in found
    assert found["perfBudget"]["metrics"]["lcp"] == 3303


def test_a_budget_that_is_kept_has_an_empty_list_of_violations() -> None:
    assert document(report(violations=()))["budgetViolations"] == []


def test_a_violation_has_its_three_fields_and_the_rest_elsewhere() -> None:
    found = document(report())
    assert found["budgetViolations"] == [
        {"key": "lcp", "limit": 2250, "actual": 3002},
        {"key": "vendor", "limit": "not in budget", "actual": "Ads"},
    ]
    assert found["violationDetails"] == [
        {"key": "lcp", "cause": "", "certain": True},
        {"key": "vendor", "cause": "Ads", "certain": True},
    ]


def test_the_nested_shape_has_its_five_fields_and_no_other() -> None:
    found = document(report(), Shape.NESTED)
    assert list(found) == ["reportId", "scores", "issues", "fixes", "aiSummary"]
    assert found["scores"] == {
        "performance": 70,
        "seo": 100,
        "accessibility": 90,
        "bestPractices": 100,
    }


def test_a_score_that_was_not_given_is_null_and_never_zero() -> None:
    scores = replace(report().scores, seo=None)
    assert document(report(scores=scores))["seoScore"] is None


def test_several_runs_are_told_with_ranges_and_spread() -> None:
    found = document(report())
    assert found["runs"] == 5
    assert found["scoreRanges"]["bestPractices"] == {"lowest": 100, "highest": 100}
    assert found["spread"]["highest"]["lcp"] == 3004
    assert found["metrics"]["lcp"] == 3002


def test_a_comparison_names_areas_as_the_rest_of_the_result_does() -> None:
    found = document(report())["comparison"]
    assert [one["key"] for one in found["differences"]][-2:] == ["accessibility", "bestPractices"]
    assert (found["newVendors"], found["newIssues"]) == (["Ads"], ["title"])


def test_details_of_an_issue_are_told_in_full() -> None:
    row = Detail(url="https://a/", line=3, element=Element("img", "<img>", "a cat"), wasted_ms=1.5)
    found = document(report(issues=(issue("a", details=(row,), rows=9, savings={"LCP": 200.0}),)))
    (told,) = found["issues"]
    assert (told["severity"], told["category"], told["rows"]) == ("error", "seo", 9)
    assert told["details"][0]["selector"] == "img"
    assert told["savings"] == {"LCP": 200.0}


def test_whatever_a_page_calls_itself_the_result_can_be_written() -> None:
    hostile = report(
        final_url=HALF,
        summary=HALF,
        warnings=(HALF,),
        issues=(issue(HALF, details=(Detail(text=HALF, element=Element(HALF)),)),),
        recommendations=(
            Recommendation(id="a", title=HALF, message="", area=Area.SEO, impact="low"),
        ),
        budget=derive(page(vendors=(HALF,))),
        violations=(Violation(key="vendor", limit="not in budget", actual=HALF, cause=HALF),),
        vendors=(Vendor(name=HALF, hosts=(HALF,)),),
        filmstrip=(Frame(3, "data:image/jpeg;base64,"),),
        waterfall=(
            Load(
                url=HALF,
                kind="script",
                status=-1,
                start_ms=1,
                end_ms=2,
                transfer_bytes=3,
                resource_bytes=4,
            ),
        ),
        engines=(EngineRun(name="lighthouse", version="13.5.0"),),
    )
    assert to_json(hostile).encode("utf-8").count(rb"\\ud800") == 15
    assert to_json(hostile, Shape.NESTED).encode("utf-8")


@pytest.mark.parametrize("shape", list(Shape))
def test_what_was_written_is_read_back_from_either_shape(shape: Shape) -> None:
    made = report()
    answer = read_audit(to_json(made, shape).encode())
    assert (answer.id, answer.scores, answer.summary) == (made.id, made.scores, made.summary)
    assert [one.id for one in answer.issues] == ["title"]
    assert [one.id for one in answer.fixes] == ["fix-title"]


def test_the_flat_shape_brings_budget_and_violations_back() -> None:
    made = report()
    answer = read_audit(to_json(made).encode())
    assert (answer.budget, answer.device, answer.url) == (made.budget, made.device, made.url)
    assert answer.violations == (
        Violation(key="lcp", limit=2250, actual=3002),
        Violation(key="vendor", limit="not in budget", actual="Ads"),
    )
    assert answer.technologies == ("Django",)


def test_the_nested_shape_has_neither() -> None:
    answer = read_audit(to_json(report(), Shape.NESTED).encode())
    assert (answer.budget, answer.violations, answer.url) == (None, None, None)


def test_fields_and_elements_of_another_release_are_passed_over() -> None:
    found = document(report()) | {"invented": {"a": 1}, "techStack": ["PHP", 7, {"name": "Vue"}]}
    found |= {"issues": ["Slow.", None, {"title": "Late", "impact": 3}], "recommendations": []}
    answer = read_audit(json.dumps(found).encode())
    assert answer.issues == (Entry(title="Slow."), Entry(title="Late"))
    assert answer.technologies == ("PHP", "Vue")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"reportId": 7}, "reportId"),
        ({"aiSummary": None}, "aiSummary"),
        ({"performanceScore": 101}, "performanceScore"),
        ({"performanceScore": -1}, "performanceScore"),
        ({"performanceScore": "90"}, "performanceScore"),
        ({"seoScore": True}, "seoScore"),
        ({"issues": {}}, "issues"),
        ({"fixes": [""] * (MOST_ELEMENTS + 1)}, "fixes"),
        ({"budgetViolations": [{}]}, "budgetViolations"),
        ({"budgetViolations": [{"key": "lcp", "limit": None, "actual": 1}]}, "limit"),
        ({"budgetViolations": [{"key": "lcp", "limit": 1, "actual": 10**400}]}, "a number in it"),
        ({"budgetViolations": [{"key": "lcp", "limit": 1, "actual": True}]}, "actual"),
        ({"perfBudget": {"version": 2}}, "not of version 1"),
    ],
)
def test_what_decides_is_read_strictly(change: dict[str, object], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        read_audit(json.dumps(document(report()) | change).encode())


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"{", b'{"a": NaN}', b"\xff", b"{}"])
def test_what_is_no_result_is_refused(content: bytes) -> None:
    with pytest.raises(UsageError, match="no result of a website audit"):
        read_audit(content)
