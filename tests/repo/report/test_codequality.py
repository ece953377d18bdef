"""GitLab Code Quality: valid entry by entry, unique, in GitLab's words."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from mergegate.core.finding import Finding
from mergegate.core.report import Report
from mergegate.repo.report.codequality import render
from tests.repo.report import samples, shop, stock

SCHEMA = Path(__file__).parents[2] / "contracts" / "gitlab" / "codeclimate.json"
ALL = [
    *(samples.passed, samples.failed, samples.incomplete, samples.hostile),
    *(stock.stocked, stock.monstrous),
]


@cache
def validator() -> Draft7Validator:
    return Draft7Validator(json.loads(SCHEMA.read_text("utf-8")))


def entry_of(finding: Finding) -> Any:
    entries = json.loads(render(samples.failed()))
    return next(one for one in entries if one["fingerprint"] == finding.id)


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_every_entry_is_valid(sample: Callable[[], Report]) -> None:
    entries = json.loads(render(sample()))
    assert [error.message for one in entries for error in validator().iter_errors(one)] == []


def test_the_schema_refuses_an_entry_without_a_place() -> None:
    entry = json.loads(render(samples.failed()))[0]
    del entry["location"]
    assert not validator().is_valid(entry)


@pytest.mark.parametrize("sample", ALL, ids=lambda one: one.__name__)
def test_every_finding_has_a_fingerprint_of_its_own(sample: Callable[[], Report]) -> None:
    marks = [one["fingerprint"] for one in json.loads(render(sample()))]
    assert len(marks) == len(set(marks)) == len(sample().findings)


def test_an_entry_says_what_gitlab_shows() -> None:
    assert entry_of(shop.SQL) == {
        "type": "issue",
        "description": f"{shop.SQL.title}. {shop.SQL.message}",
        "check_name": "python-sql-injection",
        "fingerprint": shop.SQL.id,
        "severity": "blocker",
        "location": {"path": "shop/db/orders.py", "lines": {"begin": 42}},
    }


@pytest.mark.parametrize(
    ("finding", "severity"),
    [
        (shop.AWS, "blocker"),
        (shop.PICKLE, "critical"),
        (shop.YAML, "major"),
        (shop.UNPINNED, "minor"),
        (shop.BINARIES, "info"),
    ],
)
def test_five_severities_become_gitlabs_five(finding: Finding, severity: str) -> None:
    assert entry_of(finding)["severity"] == severity


def test_a_whole_file_stands_at_its_first_line() -> None:
    assert entry_of(shop.ROOT_USER)["location"] == {"path": "Dockerfile", "lines": {"begin": 1}}


def test_the_whole_repository_is_a_dot() -> None:
    assert entry_of(shop.BINARIES)["location"]["path"] == "."


def test_suppressed_and_fixed_findings_are_no_issues() -> None:
    marks = {one["fingerprint"] for one in json.loads(render(samples.failed()))}
    gone = {one.id for one in shop.FIXED} | {s.finding.id for s in samples.failed().suppressed}
    assert not marks & gone


def test_a_full_report_keeps_the_worst_and_says_what_is_left() -> None:
    text = render(samples.huge(300), most_bytes=20_000)
    *shown, last = json.loads(text)
    assert len(text) <= 20_000
    assert {one["severity"] for one in shown} == {"blocker", "critical"}
    assert last["description"].startswith(f"Shown {len(shown)} of 300 findings, worst first")
    assert validator().is_valid(last)


def test_what_fits_is_not_cut() -> None:
    assert len(json.loads(render(samples.huge(300)))) == 300


def test_a_megabyte_of_message_becomes_a_line() -> None:
    report = samples.report([replace(shop.SQL, message="x" * 1_000_000)])
    description = json.loads(render(report))[0]["description"]
    assert len(description) == 1_000
    assert description.endswith("…")


def test_nothing_found_is_an_empty_list() -> None:
    assert render(samples.passed()) == "[]\n"
