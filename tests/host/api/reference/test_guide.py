"""The guide names every field that results have beside those of the specification."""

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Tool
from mergegate.host.api import responses
from mergegate.host.api.problems import Refusal
from mergegate.host.causes import CAUSES
from mergegate.host.scan import Scan, State
from mergegate.repo.wire.shapes import RepositoryResult
from mergegate.site.audit.wire.result import AuditResult, NestedAuditResult
from mergegate.site.browser_test.wire.result import BrowserTestResult
from mergegate.site.security.wire.result import SecurityScanResult
from mergegate.site.seo.wire.result import SeoResult

GUIDE = (Path(__file__).parents[4] / "docs" / "api.md").read_text()
SPECIFIED = {
    "repository": "id status score qualityGate issues fixes riskFindings dependencyVulns aiSummary",
    "SEO": "id status score pageData findings keywordAnalyses crawlability aiSuggestions "
    "competitorPageData competitorFindings",
    "audit": "reportId url performanceScore seoScore accessibilityScore bestPracticesScore issues "
    "recommendations fixes aiSummary techStack perfBudget budgetViolations",
    "browser test": "testId pagesVisited jsErrors brokenLinks formIssues suggestions aiSummary",
    "security scan": "scanId riskScore findings headers sslInfo suggestions aiSummary",
}
SHAPES: dict[str, type[BaseModel]] = {
    "repository": RepositoryResult,
    "SEO": SeoResult,
    "audit": AuditResult,
    "browser test": BrowserTestResult,
    "security scan": SecurityScanResult,
}


def fields(shape: type[BaseModel]) -> set[str]:
    return {one.serialization_alias or name for name, one in shape.model_fields.items()}


@pytest.mark.parametrize("tool", SHAPES)
def test_every_additional_field_is_named_and_no_other(tool: str) -> None:
    row = re.search(rf"^\| {tool} \| (.*) \|$", GUIDE, re.MULTILINE)
    assert row is not None
    specified = set(SPECIFIED[tool].split())
    assert specified <= fields(SHAPES[tool])
    assert set(re.findall(r"`(\w+)`", row[1])) == fields(SHAPES[tool]) - specified


def test_the_nested_shape_has_none() -> None:
    assert fields(NestedAuditResult) == {"reportId", "scores", "issues", "fixes", "aiSummary"}


def test_what_a_synchronous_endpoint_answers_by_itself_is_said_everywhere() -> None:
    folder = Path(__file__).parents[4] / "src" / "mergegate" / "host" / "api" / "reference"
    for text in (GUIDE, (folder / "page.html.j2").read_text()):
        said = re.search(r"synchronous\s+endpoints? answers?(.*?)by themselves", text, re.DOTALL)
        assert said is not None
        assert set(re.findall(r"[A-Z]+(?:_[A-Z]+)+", said[1])) == {
            code for code in CAUSES if answered(code) == code
        }


def answered(code: str) -> str:
    """The code of the answer for an audit that ended with ``code``."""
    scan = Scan("a", "b", Tool.AUDIT, Lane.WAITED, "{}", State.FAILED, dt.datetime.now(dt.UTC))
    with pytest.raises(Refusal) as refused:
        responses.waited(replace(scan, outcome=Failed(code, "It failed.")))
    return refused.value.code
