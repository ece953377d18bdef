"""What a host says against itself, leaves out or puts where it does not belong passes no gate."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.check import Unrun
from mergegate.core.errors import UsageError
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Gate, Report
from mergegate.core.score import draw_up, judge
from mergegate.repo.wire import to_json
from mergegate.repo.wire.reading import read_answer
from tests.repo.report import samples, stock

Change = Callable[[dict[str, Any]], object]


def heard(report: Report, change: Change, *engines: str) -> Report:
    document = json.loads(to_json(report))
    change(document)
    return read_answer(json.dumps(document).encode(), engines)


def compared() -> Report:
    """Passed, against a base."""
    base = samples.failed().comparison
    assert base is not None
    passed = samples.passed()
    new = replace(base, new=0, existing=0, verdict=passed.verdict, ledger=passed.ledger)
    return replace(passed, comparison=new)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda one: one.update(status="failed"), "the scan says so itself"),
        (lambda one: one.update(error={"code": "INCOMPLETE", "detail": ""}), "says so itself"),
        (lambda one: one["verdict"].update(gate="failed"), "nothing in it fails it"),
        (lambda one: one.update(qualityGate="failed"), "nothing in it fails it"),
        (lambda one: one["engines"].pop(0), "semgrep: the scan does not speak of it"),
        (
            lambda one: one["verdict"].update(gate="incomplete", reasons=["Not checked: x"]),
            "Not checked: x",
        ),
    ],
)
def test_what_speaks_against_a_pass_makes_it_incomplete(change: Change, reason: str) -> None:
    report = heard(samples.passed(), change, "semgrep")
    assert report.verdict.gate is Gate.INCOMPLETE
    assert reason in report.verdict.reasons[0]


def test_a_pass_that_nothing_speaks_against_is_one() -> None:
    report = heard(samples.passed(), lambda _: None, *(one.name for one in samples.ENGINES))
    assert report.verdict.gate is Gate.PASSED


def test_what_the_base_lacks_leaves_the_change_undecided() -> None:
    """Its engines are in no list: the verdict on the change alone tells of them."""
    honest = compared()
    assert honest.comparison is not None
    gap = judge((), draw_up((), REPOSITORY), REPOSITORY, [Unrun("x", "semgrep: it crashed")])
    short = replace(honest, comparison=replace(honest.comparison, verdict=gap))
    report = heard(short, lambda _: None)
    assert report.comparison == short.comparison
    assert report.verdict.gate is Gate.PASSED


def test_a_change_that_is_said_to_fail_and_does_not_is_undecided() -> None:
    report = heard(compared(), lambda one: one["comparison"]["verdict"].update(gate="failed"))
    assert report.comparison is not None
    assert report.comparison.verdict.gate is Gate.INCOMPLETE


def test_a_defect_of_the_change_cannot_be_called_one_that_became_known() -> None:
    honest = samples.failed()
    known = [one.id for one in honest.vulnerabilities if not one.is_new]

    def forge(document: dict[str, Any]) -> None:
        document["comparison"]["drifted"] = [one.id for one in honest.findings]

    report = heard(honest, forge)
    assert report.comparison is not None
    assert sorted(report.comparison.drifted) == sorted(known)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.update(status="running"),
        lambda one: one["issues"][0].update(isNew=None),
        lambda one: one["issues"][0].update(file="/etc/passwd"),
        lambda one: one["issues"][0].update(file="../elsewhere.py"),
        lambda one: one["issues"][0].update(file="shop/../../elsewhere.py"),
        lambda one: one["issues"][0].update(startLine=-1),
        lambda one: one["issues"][0].update(endLine=10**9),
        lambda one: one["issues"][0].update(endLine=10**400),
        lambda one: one["dependencyVulns"][0].update(cvss=float("inf")),
        lambda one: one["comparison"]["fixed"][0].update(file="../elsewhere.py"),
        lambda one: one.update(engines=[]),
        lambda one: one["packages"][0].update(name=None),
        lambda one: one.update(packages={}),
    ],
)
def test_what_no_scan_writes_is_refused(change: Change) -> None:
    with pytest.raises(UsageError, match="no result of a repository scan"):
        heard(stock.stocked(), change)


@pytest.mark.parametrize(
    "edit",
    [
        {"path": ".github/workflows/release.yml"},
        {"path": "../../elsewhere"},
        {"startLine": 0},
        {"endLine": 1},
        {"endLine": 50_000},
    ],
)
def test_a_fix_that_changes_more_than_the_file_of_its_finding_is_left_out(
    edit: dict[str, Any],
) -> None:
    honest = samples.failed()
    first = honest.fixes[0]
    report = heard(honest, lambda one: one["fixes"][0]["edits"][0].update(edit))
    assert first.edits[0].start_line > 1
    assert report.fixes == honest.fixes[1:]
    stranger = heard(honest, lambda one: one["fixes"][0].update(findingIds=["abcdef0123456789"]))
    assert stranger.fixes == honest.fixes[1:]


def test_a_host_of_before_lists_no_packages() -> None:
    assert heard(stock.stocked(), lambda one: one.pop("packages")).packages == ()
