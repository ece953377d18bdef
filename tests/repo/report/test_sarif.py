"""SARIF: valid by the official schema, within GitHub's limits, and true to the report."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mergegate.core.finding import Edit, Finding
from mergegate.core.render import escape
from mergegate.core.report import Fix, Report
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.repo.report.sarif import render
from tests.repo.report import samples, shop

SCHEMA = Path(__file__).parents[2] / "contracts" / "sarif-2.1.0.schema.json"
ALL = [samples.passed, samples.failed, samples.incomplete, samples.hostile]


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(
        json.loads(SCHEMA.read_text("utf-8")),
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )


def run_of(text: str) -> Any:
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    assert len(log["runs"]) == 1
    return log["runs"][0]


def result_of(finding: Finding) -> Any:
    results = run_of(render(samples.failed()))["results"]
    return next(one for one in results if one["partialFingerprints"]["mergegate/v1"] == finding.id)


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_output_is_valid(sample: Callable[[], Report]) -> None:
    errors = validator().iter_errors(json.loads(render(sample())))
    assert [error.message for error in errors] == []


def test_the_schema_refuses_what_is_wrong() -> None:
    log = json.loads(render(samples.failed()))
    log["runs"][0]["results"][0]["level"] = "terrible"
    assert not validator().is_valid(log)


def test_results_name_their_rule() -> None:
    run = run_of(render(samples.failed()))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({rule["id"] for rule in rules})
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"])


def test_rule_carries_weakness_severity_help_and_link() -> None:
    rules = run_of(render(samples.failed()))["tool"]["driver"]["rules"]
    rule = next(rule for rule in rules if rule["id"] == "python-sql-injection")
    assert rule["name"] == "PythonSqlInjection"
    assert rule["helpUri"] == "https://cwe.mitre.org/data/definitions/89.html"
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"] == {
        "tags": ["security", "code", "external/cwe/cwe-89"],
        "precision": "high",
        "problem.severity": "error",
        "security-severity": "9.5",
    }
    assert "Pass the value as a parameter" in rule["help"]["text"]
    assert "<https://cwe.mitre.org/data/definitions/89.html>" in rule["help"]["markdown"]


def test_quality_rules_are_no_security_alerts() -> None:
    rules = run_of(render(samples.failed()))["tool"]["driver"]["rules"]
    properties = next(rule for rule in rules if rule["id"] == "long-function")["properties"]
    assert properties["tags"] == ["maintainability", "quality"]
    assert "security-severity" not in properties


def test_rules_speak_for_their_findings() -> None:
    known = Rule(
        id="python-sql-injection",
        title="SQL injection",
        explanation="A query is built from input.",
        remedy="Pass values as parameters.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        aspect=Aspect.CODE,
        kind=Kind.CODE,
        cwe=("CWE-943",),
        references=("https://example.org/sql",),
    )
    rules = run_of(render(samples.failed(), known={known.id: known}))["tool"]["driver"]["rules"]
    rule = next(rule for rule in rules if rule["id"] == known.id)
    text = "A query is built from input. Pass values as parameters."
    assert rule["fullDescription"]["text"] == text
    assert rule["properties"]["tags"][2:] == ["external/cwe/cwe-89", "external/cwe/cwe-943"]
    assert rule["shortDescription"]["text"] == "SQL injection."


@pytest.mark.parametrize(
    ("finding", "level"),
    [
        (shop.SQL, "error"),
        (shop.PICKLE, "error"),
        (shop.YAML, "warning"),
        (shop.UNPINNED, "note"),
        (shop.BINARIES, "note"),
    ],
)
def test_severity_sets_the_level(finding: Finding, level: str) -> None:
    assert result_of(finding)["level"] == level


def test_place_is_exact_and_context_has_the_lines() -> None:
    location = result_of(shop.AWS)["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "deploy/settings.py", "uriBaseId": "%SRCROOT%"}
    assert location["region"] == {"startLine": 8, "endLine": 8, "startColumn": 15, "endColumn": 35}
    assert location["contextRegion"]["snippet"]["text"] == 'AWS_KEY_ID = "AKIA****************"'


@pytest.mark.parametrize("finding", [shop.ROOT_USER, shop.BINARIES])
def test_whole_files_have_no_region(finding: Finding) -> None:
    location = result_of(finding)["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == (finding.place.file or ".")
    assert "region" not in location


def test_paths_are_percent_encoded() -> None:
    text = render(samples.hostile())
    uri = run_of(text)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("src/%3A%3Aerror%3A%3Apwned")
    assert uri.isascii()
    assert not set(uri) & set(" <>\"'\\#?:")


def test_fixes_replace_whole_lines() -> None:
    change = result_of(shop.YAML)["fixes"][0]["artifactChanges"][0]
    assert change["artifactLocation"]["uri"] == "shop/settings/load.py"
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 19, "endLine": 19},
            "insertedContent": {"text": "    settings = yaml.safe_load(text)"},
        }
    ]


def test_deleting_lines_deletes_their_breaks() -> None:
    fix = Fix(
        id="fix-sql",
        finding_ids=(shop.SQL.id,),
        title="Remove",
        explanation="",
        edits=(Edit("a.py", 3, 4, ""),),
        source="rule",
    )
    text = render(replace(samples.failed(), fixes=(fix,)))
    replacement = run_of(text)["results"][1]["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement == {
        "deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 5, "endColumn": 1}
    }


def test_comparison_sets_the_baseline_state() -> None:
    states = [one["baselineState"] for one in run_of(render(samples.failed()))["results"]]
    assert [states.count(state) for state in ("new", "unchanged", "absent")] == [6, 19, 1]


def test_without_a_base_there_is_no_baseline_state() -> None:
    results = run_of(render(samples.incomplete()))["results"]
    assert not [one for one in results if "baselineState" in one]


def test_suppressed_findings_say_who_and_why() -> None:
    results = run_of(render(samples.failed()))["results"]
    said = [one["suppressions"][0] for one in results if "suppressions" in one]
    assert [one["kind"] for one in said] == ["external", "inSource"]
    assert said[0]["justification"] == (
        "Test fixture; never deployed, dana@example.org, until 2027-03-01"
    )


def test_upload_leaves_suppressed_and_fixed_findings_out() -> None:
    results = run_of(render(samples.failed(), inactive=False))["results"]
    assert len(results) == len(samples.failed().findings)
    assert not [one for one in results if "suppressions" in one]


def test_the_run_says_which_policy_ruled() -> None:
    said = run_of(render(samples.failed()))["properties"]["policy"]
    assert said == ".mergegate.yml of the base 4f2a9c1e7b"
    hostile = run_of(render(samples.hostile()))["properties"]["policy"]
    assert hostile == f"{escape.visible(samples.HOSTILE)}, which the caller named"


def test_incomplete_scan_is_no_success() -> None:
    invocation = run_of(render(samples.incomplete()))["invocations"][0]
    assert invocation["executionSuccessful"] is False
    said = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    assert said[0].startswith("semgrep gave no answer: semgrep did not finish within 600 s.")
    assert run_of(render(samples.failed()))["invocations"][0]["executionSuccessful"] is True


def test_results_are_cut_worst_first_and_said() -> None:
    run = run_of(render(samples.huge(300), most_results=20))
    assert [one["level"] for one in run["results"]] == ["error"] * 20
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert notes[-1]["message"]["text"] == (
        "Shown 20 of 300 results, worst first: GitHub accepts no more."
    )


def test_compressed_size_is_kept() -> None:
    text = render(samples.huge(600), most_bytes=20_000)
    assert len(gzip.compress(text.encode(), mtime=0)) <= 20_000
    assert 100 < len(run_of(text)["results"]) < 600


def test_messages_hold_no_link() -> None:
    for one in run_of(render(samples.hostile()))["results"]:
        assert "[c](" not in one["message"]["text"].replace("\\[c](", "")


def test_rules_have_no_more_tags_than_are_kept() -> None:
    many = replace(shop.SQL, cwe=tuple(f"CWE-{number}" for number in range(40)))
    rules = run_of(render(samples.report([many])))["tool"]["driver"]["rules"]
    assert len(rules[0]["properties"]["tags"]) == 10
