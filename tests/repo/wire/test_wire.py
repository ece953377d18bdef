"""The result resource keeps to the service specification and its decisions, field for field."""

import json
from typing import Any

import pytest

from mergegate.core.report import Report
from mergegate.repo.wire import RepositoryResult, to_json
from tests.repo.report import samples, stock

SPECIFIED = {
    *("id", "status", "score", "qualityGate", "issues", "fixes", "riskFindings"),
    *("dependencyVulns", "aiSummary"),
}
DECIDED = {
    *("target", "scoreBreakdown", "engines", "coverage", "error", "createdAt", "completedAt"),
    "url",
}
FINDING = {
    *("id", "ruleId", "title", "message", "severity", "category", "kind", "file", "startLine"),
    *("endLine", "startColumn", "endColumn", "snippet", "confidence", "cwe", "references"),
    *("engine", "fixId", "isNew"),
}
VULNERABILITY = FINDING | {
    *("package", "ecosystem", "installedVersion", "fixedVersions", "advisoryId", "aliases"),
    *("cvss", "epss", "knownExploited", "direct", "path"),
    *("upgrade", "published"),
}
FIX = {
    *("id", "findingIds", "title", "explanation", "edits", "source", "verified", "confidence"),
}


def told(report: Report) -> dict[str, Any]:
    return dict(json.loads(to_json(report)))


def test_every_specified_field_is_there() -> None:
    result = told(samples.failed())
    assert result.keys() >= SPECIFIED | DECIDED
    assert result["target"].keys() >= {"provider", "owner", "repo", "branch", "commit"}
    assert result["engines"][0].keys() >= {"name", "version", "status", "durationMs", "reason"}


@pytest.mark.parametrize(
    ("field", "shape"),
    [
        ("issues", FINDING),
        ("riskFindings", FINDING),
        ("dependencyVulns", VULNERABILITY),
        ("fixes", FIX),
    ],
)
def test_each_element_has_the_decided_shape(field: str, shape: set[str]) -> None:
    elements = told(samples.failed())[field]
    assert elements
    assert all(element.keys() == shape for element in elements)


@pytest.mark.parametrize(
    ("report", "status", "gate"),
    [
        (samples.passed(), "completed", "passed"),
        (samples.failed(), "completed", "failed"),
        (samples.incomplete(), "failed", "failed"),
    ],
)
def test_an_incomplete_scan_has_failed_and_never_passes(
    report: Report, status: str, gate: str
) -> None:
    result = told(report)
    assert (result["status"], result["qualityGate"]) == (status, gate)
    assert (result["error"] is not None) == (status == "failed")


def test_the_inventory_is_told_and_a_cut_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    stocked = stock.stocked()
    assert told(stocked)["packages"][-1] == {
        "file": "widget/package-lock.json",
        "ecosystem": "npm",
        "name": "lodash",
        "version": "4.17.15",
        "direct": True,
        "shipped": False,
        "licence": "",
    }
    monkeypatch.setattr("mergegate.repo.wire.shapes.MOST_PACKAGES", 2)
    cut = told(stocked)
    assert [one["file"] for one in cut["packages"]] == ["go.sum", "requirements-dev.txt"]
    assert cut["coverage"]["limits"] == ["of 7 packages the first 2 are listed"]


def test_what_is_written_can_be_read_again() -> None:
    written = to_json(samples.hostile())
    assert RepositoryResult.model_validate_json(written).model_dump_json(
        by_alias=True, indent=2
    ) == written.rstrip("\n")
