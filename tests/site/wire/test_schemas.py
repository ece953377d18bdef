"""What the API promises of the site tools, read from the schemas that its reference is made of.

The tables are those of the service specification and of the decisions, row by row.
"""

from typing import Any

import pytest
from pydantic import BaseModel

from mergegate.site.audit.wire.budget import BudgetOut, MetricsOut, ViolationOut
from mergegate.site.audit.wire.result import AuditResult, NestedAuditResult, ScoresOut
from mergegate.site.browser_test.wire.result import (
    BrowserTestResult,
    ProblemOut,
    ScreenshotOut,
    VitalsOut,
)

_AUDIT = {
    "reportId": {"string"},
    "url": {"string"},
    "performanceScore": {"integer", "null"},
    "seoScore": {"integer", "null"},
    "accessibilityScore": {"integer", "null"},
    "bestPracticesScore": {"integer", "null"},
    "issues": {"array"},
    "recommendations": {"array"},
    "fixes": {"array"},
    "aiSummary": {"string"},
    "techStack": {"array"},
    "perfBudget": {"BudgetOut"},
}
_NESTED = {
    "reportId": {"string"},
    "scores": {"ScoresOut"},
    "issues": {"array"},
    "fixes": {"array"},
    "aiSummary": {"string"},
}
_SCORES = {
    "performance": {"integer", "null"},
    "seo": {"integer", "null"},
    "accessibility": {"integer", "null"},
    "bestPractices": {"integer", "null"},
}
_BUDGET = {
    "version": {"integer"},
    "device": {"string"},
    "metrics": {"MetricsOut"},
    "transferBytes": {"integer"},
    "scriptBytes": {"integer"},
    "requestCount": {"integer"},
    "vendors": {"array"},
}
_NUMBER = {"integer", "number"}
_METRICS = dict.fromkeys(("lcp", "tbt", "cls", "fcp"), _NUMBER)
_VIOLATION = {"key": {"string"}, "limit": {*_NUMBER, "string"}, "actual": {*_NUMBER, "string"}}
_TEST = {
    "testId": {"string"},
    "pagesVisited": {"integer"},
    "jsErrors": {"array"},
    "brokenLinks": {"array"},
    "formIssues": {"array"},
    "imageIssues": {"array"},
    "accessibilityIssues": {"array"},
    "suggestions": {"array"},
    "aiSummary": {"string"},
    "webVitals": {"VitalsOut"},
    "screenshots": {"array"},
}
_PROBLEM = {name: {"string"} for name in ("severity", "page", "selector", "evidence")}
_VITALS = {name: {"number", "null"} for name in ("lcp", "cls", "inp", "fcp", "ttfb")}
_SCREENSHOT = {name: {"string"} for name in ("page", "viewport", "url")}


@pytest.mark.parametrize(
    ("shape", "promised"),
    [
        (AuditResult, _AUDIT),
        (NestedAuditResult, _NESTED),
        (ScoresOut, _SCORES),
        (BudgetOut, _BUDGET),
        (MetricsOut, _METRICS),
        (ViolationOut, _VIOLATION),
        (BrowserTestResult, _TEST),
        (ProblemOut, _PROBLEM),
        (VitalsOut, _VITALS),
        (ScreenshotOut, _SCREENSHOT),
    ],
)
def test_every_field_is_always_there_and_of_its_type(
    shape: type[BaseModel], promised: dict[str, set[str]]
) -> None:
    given = _schema(shape)
    assert {name: _types(given["properties"][name]) for name in promised} == promised
    assert promised.keys() <= set(given["required"])


@pytest.mark.parametrize(
    "shape", [NestedAuditResult, ScoresOut, BudgetOut, MetricsOut, ViolationOut, VitalsOut]
)
def test_what_the_specification_closes_holds_nothing_else(shape: type[BaseModel]) -> None:
    closed = {**_NESTED, **_SCORES, **_BUDGET, **_METRICS, **_VIOLATION, **_VITALS}
    assert _schema(shape)["properties"].keys() <= closed.keys()


def test_violations_are_left_out_or_a_list_and_never_null() -> None:
    given = _schema(AuditResult)
    assert "budgetViolations" not in given["required"]
    assert _types(given["properties"]["budgetViolations"]) == {"array"}
    assert "default" not in given["properties"]["budgetViolations"]


def test_severity_and_version_are_those_of_the_specification() -> None:
    assert _schema(ProblemOut)["properties"]["severity"]["enum"] == ["error", "warning"]
    assert _schema(BudgetOut)["properties"]["version"]["const"] == 1


def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    return shape.model_json_schema(mode="serialization")


def _types(field: dict[str, Any]) -> set[str]:
    return {_type(one) for one in field.get("anyOf", [field])}


def _type(field: dict[str, Any]) -> str:
    return str(field["type"] if "type" in field else field["$ref"].rpartition("/")[2])
