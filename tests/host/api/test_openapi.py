"""The reference is a valid document, and the host keeps to it whatever it is sent."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from playwright.sync_api import sync_playwright

from mergegate.host.api.problems import Code
from mergegate.sandbox.browser import executable
from mergegate.site.audit.wire.result import AuditResult, NestedAuditResult
from tests.host.api.conftest import Host

pytestmark = pytest.mark.parametrize("host", ["sqlite"], indirect=True)


@pytest.fixture
def document(client: httpx.Client) -> dict[str, Any]:
    return dict(client.get("/api/openapi.json").json())


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(document).validate()


def test_it_tells_of_every_endpoint_of_the_specification(document: dict[str, Any]) -> None:
    told = {(path, method) for path, item in document["paths"].items() for method in item}
    assert told >= {
        ("/api/repo/scan", "post"),
        ("/api/repo/result", "get"),
        ("/api/seo-optimizer", "post"),
        ("/api/seo-optimizer", "get"),
        ("/api/audit", "post"),
        ("/api/browser-test", "post"),
        ("/api/security-scan", "post"),
    }


def test_it_tells_what_any_request_may_be_answered(document: dict[str, Any]) -> None:
    answers = [
        set(one["responses"]) for item in document["paths"].values() for one in item.values()
    ]
    assert all(one >= {"200", "408", "431", "500", "503"} for one in answers)
    places = [
        "Location" in item["post"]["responses"]["503"]["headers"]
        for item in document["paths"].values()
        if "post" in item
    ]
    assert places.count(True) == 3


def test_examples_are_of_their_shapes(document: dict[str, Any]) -> None:
    checked = 0
    for content in _contents(document["paths"]):
        examples = [one["value"] for one in content.get("examples", {}).values()]
        for example in [*examples, *([content["example"]] if "example" in content else [])]:
            schema = {**content["schema"], "components": document["components"]}
            Draft202012Validator(schema).validate(example)
            checked += 1
    assert checked > 100


def test_shapes_have_names_that_people_can_read(document: dict[str, Any]) -> None:
    """Two that would share one are told apart by what they belong to, wherever they live."""
    names = document["components"]["schemas"]
    told_apart = {
        *("DeductionOut", "SecurityDeductionOut", "SeoDeductionOut"),
        *("AuditDifferenceOut", "OutcomeDifferenceOut", "AuditRangeOut", "OutcomeRangeOut"),
        *("AuditFiguresOut", "OutcomeFiguresOut", "AuditScoresOut", "OutcomeScoresOut"),
        *("BudgetViolationOut", "OutcomeViolationOut", "AuditFrameOut", "BrowserTestFrameOut"),
        *("AuditRecommendationOut", "SeoRecommendationOut", "BudgetIn", "BudgetOut"),
    }
    assert names.keys() >= told_apart
    assert [name for name in names if not re.fullmatch("[A-Z][A-Za-z]+", name)] == []
    assert all(schema["title"] == name for name, schema in names.items())


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_audit_is_shown_as_it_is_answered_and_in_the_other_shape(
    document: dict[str, Any], method: str
) -> None:
    answer = document["paths"]["/api/audit"][method]["responses"]["200"]["content"]
    (content,) = answer.values()
    shown = {word: one["value"] for word, one in content["examples"].items()}
    assert [*shown] == ["flat", "nested"]
    AuditResult.model_validate_json(json.dumps(shown["flat"]))
    NestedAuditResult.model_validate_json(json.dumps(shown["nested"]))


def _contents(node: Any) -> list[dict[str, Any]]:
    if not isinstance(node, dict):
        return []
    here = list(node["content"].values()) if "content" in node else []
    return here + [found for value in node.values() for found in _contents(value)]


def test_the_page_shows_all_of_it_without_scripts(client: httpx.Client) -> None:
    page = client.get("/api/docs")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "<script" not in page.text
    for code in Code:
        assert f'id="{code}"' in page.text
    for link in {one.split('"')[0] for one in page.text.split('href="#')[1:]}:
        assert f'id="{link}"' in page.text


def test_the_page_is_shown_under_its_own_policy(host: Host) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        page = browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(urljoin(host.url, "/api/docs#UNAUTHORIZED"))
        size = page.evaluate("getComputedStyle(document.querySelector('nav ul')).columnWidth")
        browser.close()
    assert size == "288px"
    assert said == []


def test_nobody_finds_an_answer_that_breaks_the_document(host: Host, tmp_path: Path) -> None:
    """Every check that schemathesis has, on every endpoint."""
    program = Path(sys.executable).with_name("schemathesis")
    checks = ["--checks", "all", "--phases", "examples,coverage,fuzzing", "--max-examples", "12"]
    quiet = ["--no-color", "--seed", "7", "--generation-database", "none"]
    key = ["--header", f"X-API-Key: {host.key()}"]
    done = subprocess.run(
        [program, "run", f"{host.url}/api/openapi.json", *checks, *quiet, *key],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-8_000:]
    assert "Tested: 18" in done.stdout
