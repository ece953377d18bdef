"""GitLab's security reports: valid by its schemas, inert, and true to the report."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt

from mergegate.core.finding import Finding
from mergegate.core.report import Report
from mergegate.repo.report.formats import GITLAB_FILES
from mergegate.repo.report.gitlab import dependencies, sast, secrets
from tests.repo.report import samples, shop, stock

CONTRACTS = Path(__file__).parents[2] / "contracts" / "gitlab"
Render = Callable[[Report], str]
SEVERITIES = ("Critical", "High", "Medium", "Low", "Info")
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
KINDS: list[tuple[str, Render]] = [
    ("sast", sast),
    ("secret-detection", secrets),
    ("dependency-scanning", dependencies),
]
ALL = [
    *(samples.passed, samples.failed, samples.incomplete, samples.hostile, samples.huge),
    *(stock.stocked, stock.monstrous),
]


@cache
def validator(name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((CONTRACTS / name).read_text("utf-8")))


def schema(kind: str) -> Draft7Validator:
    return validator(f"{kind}-report-format.json")


def found(render: Render, finding: Finding, report: Report | None = None) -> Any:
    entries = json.loads(render(report or stock.stocked()))["vulnerabilities"]
    rule = {"type": "mergegate_rule", "name": finding.rule_id, "value": finding.rule_id}
    return next(
        one
        for one in entries
        if rule in one["identifiers"] and one["location"]["file"] == finding.place.file
    )


@pytest.mark.parametrize(("kind", "render"), KINDS)
@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_reports_are_valid(sample: Callable[[], Report], kind: str, render: Render) -> None:
    errors = schema(kind).iter_errors(json.loads(render(sample())))
    assert [error.message[:200] for error in errors] == []


@pytest.mark.parametrize(("kind", "render"), KINDS)
@pytest.mark.parametrize("field", ["id", "identifiers", "location"])
def test_the_schemas_refuse_a_vulnerability_without(kind: str, render: Render, field: str) -> None:
    document = json.loads(render(stock.stocked()))
    del document["vulnerabilities"][0][field]
    assert not schema(kind).is_valid(document)


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_dependency_files_are_what_our_version_demands(sample: Callable[[], Report]) -> None:
    document = json.loads(dependencies(sample()))
    errors = validator("dependency-files-15.0.7.json").iter_errors(document)
    assert [error.message[:200] for error in errors] == []


@pytest.mark.parametrize(("kind", "render"), KINDS)
@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_ids_are_unique(sample: Callable[[], Report], kind: str, render: Render) -> None:
    ids = [one["id"] for one in json.loads(render(sample()))["vulnerabilities"]]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("kind", "render"), KINDS)
def test_the_scan_tells_who_when_and_how(kind: str, render: Render) -> None:
    document = json.loads(render(samples.failed()))
    scan = document["scan"]
    assert scan["type"] == kind.replace("-", "_")
    assert scan["status"] == "success"
    assert (scan["start_time"], scan["end_time"]) == ("2026-11-20T09:14:02", "2026-11-20T09:14:13")
    assert scan["scanner"]["version"] == "0.1.0"
    assert document["version"] == "15.0.7"
    assert document["schema"].endswith(f"/v15.0.7/dist/{kind}-report-format.json")


@pytest.mark.parametrize(("kind", "render"), KINDS)
def test_an_incomplete_scan_is_a_failure_with_its_reasons(kind: str, render: Render) -> None:
    scan = json.loads(render(samples.incomplete()))["scan"]
    assert scan["status"] == "failure"
    fatal = [one["value"] for one in scan["messages"] if one["level"] == "fatal"]
    assert fatal[0].startswith("semgrep gave no answer: semgrep did not finish within 600 s.")
    assert fatal[1].startswith("advisories gave no answer:")


def test_every_finding_stands_in_one_report_or_is_no_vulnerability() -> None:
    listed = [
        one["location"]["file"]
        for _, render in KINDS
        for one in json.loads(render(stock.stocked()))["vulnerabilities"]
    ]
    told = [one for one in stock.stocked().findings if one.place.file in listed]
    left = {one.rule_id for one in stock.stocked().findings if one not in told}
    assert left == {
        *("function-too-complex", "merge-conflict-marker", "long-function"),
        "committed-archive",
    }


def test_code_keeps_its_lines_weakness_and_links() -> None:
    entry = found(sast, shop.PICKLE)
    assert entry["location"] == {
        "file": "shop/cart/session.py",
        "start_line": 27,
        "end_line": 29,
    }
    assert entry["severity"] == "High"
    assert entry["identifiers"] == [
        {"type": "mergegate_rule", "name": "python-unsafe-pickle", "value": "python-unsafe-pickle"},
        {
            "type": "cwe",
            "name": "CWE-502",
            "value": "502",
            "url": "https://cwe.mitre.org/data/definitions/502.html",
        },
    ]
    assert entry["links"] == [{"url": "https://cwe.mitre.org/data/definitions/502.html"}]


def test_a_moved_finding_is_known_again() -> None:
    moved = replace(shop.SQL, place=replace(shop.SQL.place, start_line=99, end_line=99))
    before = found(sast, shop.SQL, samples.report([shop.SQL]))
    after = found(sast, moved, samples.report([moved]))
    signature = {"algorithm": "hash", "value": shop.SQL.id}
    assert before["tracking"]["items"][0]["signatures"] == [signature]
    assert after["tracking"]["items"][0]["signatures"] == [signature]
    assert before["id"] == after["id"]


def test_the_fix_is_the_solution() -> None:
    assert found(sast, shop.SQL)["solution"] == (
        "Pass the value as a parameter. The driver then quotes it."
    )


def test_a_secret_names_its_commit_and_shows_no_source() -> None:
    entry = found(secrets, shop.AWS)
    assert entry["location"]["commit"] == {"sha": samples.TARGET.commit}
    assert "raw_source_code_extract" not in entry
    assert "AKIA" not in json.dumps(entry)


def test_without_a_commit_the_sha_is_zeros() -> None:
    report = replace(samples.failed(), target=replace(samples.TARGET, commit=None))
    entry = json.loads(secrets(report))["vulnerabilities"][0]
    assert entry["location"]["commit"] == {"sha": "0" * 40}


def test_a_vulnerable_package_is_known_by_its_cve() -> None:
    entry = json.loads(dependencies(stock.stocked()))["vulnerabilities"][0]
    assert [one["type"] for one in entry["identifiers"]] == ["cve", "ghsa", "mergegate_rule"]
    assert entry["identifiers"][0]["url"] == "https://nvd.nist.gov/vuln/detail/CVE-2024-0001"
    assert entry["location"] == {
        "file": "requirements.txt",
        "dependency": {"package": {"name": "pillow"}, "version": "9.0.0", "direct": True},
    }
    assert entry["solution"] == "Repaired in 10.3.0."


def test_the_upgrade_that_answers_every_advisory_comes_first() -> None:
    pillow = shop.VULNERABILITIES[0]
    assert pillow.advisory is not None
    known = replace(pillow, advisory=replace(pillow.advisory, upgrade="11.0.0"))
    entry = json.loads(dependencies(samples.report((), (), [known])))["vulnerabilities"][0]
    assert entry["solution"] == "Upgrade pillow to 11.0.0."


def test_the_inventory_is_listed_by_file() -> None:
    files = json.loads(dependencies(stock.stocked()))["dependency_files"]
    assert [(one["path"], one["package_manager"], len(one["dependencies"])) for one in files] == [
        ("go.sum", "go", 1),
        ("requirements-dev.txt", "pip", 1),
        ("requirements.txt", "pip", 2),
        ("web/package-lock.json", "npm", 2),
        ("widget/package-lock.json", "npm", 1),
    ]
    assert files[2]["dependencies"][0] == {
        "package": {"name": "Pillow"},
        "version": "9.0.0",
        "direct": True,
    }


def test_without_a_scan_of_dependencies_the_inventory_is_empty() -> None:
    assert json.loads(dependencies(samples.passed()))["dependency_files"] == []


@pytest.mark.parametrize(("kind", "render"), KINDS)
def test_a_full_report_keeps_the_worst_and_says_so(kind: str, render: Render) -> None:
    by_kind = {"sast": sast, "secret-detection": secrets}
    if kind not in by_kind:
        document = json.loads(dependencies(stock.stocked(), most_bytes=1_500))
        assert [one["severity"] for one in document["vulnerabilities"]] == ["High"]
    else:
        document = json.loads(by_kind[kind](samples.huge(400), most_bytes=20_000))
        shown = [one["severity"] for one in document["vulnerabilities"]]
        rest = [one["severity"] for one in json.loads(render(samples.huge(400)))["vulnerabilities"]]
        assert 0 < len(shown) < len(rest)
        assert shown == rest[: len(shown)] == sorted(shown, key=SEVERITIES.index)
    said = document["scan"]["messages"][0]
    assert said["level"] == "warn"
    assert re.match(r"Shown \d+ of \d+ findings, worst first", said["value"])


@pytest.mark.parametrize("sample", [samples.hostile, stock.monstrous], ids=lambda s: s.__name__)
def test_what_gitlab_renders_as_markdown_does_nothing(sample: Callable[[], Report]) -> None:
    for _, render in KINDS:
        for one in json.loads(render(sample()))["vulnerabilities"]:
            for text in (one["description"], one.get("solution", "")):
                tokens = [token for block in MARKDOWN.parse(text) for token in block.children or ()]
                prose = "".join(token.content for token in tokens if token.type == "text")
                assert {token.type for token in tokens} <= {"text", "text_special", "code_inline"}
                assert not re.search(r"@\w|://|#\d|^/", prose)


@pytest.mark.parametrize("sample", [samples.hostile, stock.monstrous], ids=lambda s: s.__name__)
def test_links_are_plain_https_addresses(sample: Callable[[], Report]) -> None:
    for _, render in KINDS:
        for one in json.loads(render(sample()))["vulnerabilities"]:
            urls = [link["url"] for link in one.get("links", [])]
            urls += [name["url"] for name in one["identifiers"] if "url" in name]
            assert [url for url in urls if not re.fullmatch(r"https://[!-~]{1,2000}", url)] == []


def test_the_files_have_gitlabs_names() -> None:
    assert list(GITLAB_FILES) == [
        "gl-sast-report.json",
        "gl-secret-detection-report.json",
        "gl-dependency-scanning-report.json",
        "gl-code-quality-report.json",
    ]
