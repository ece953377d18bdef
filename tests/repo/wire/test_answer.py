"""A repository scan's result as a host answers it: tolerant of what is new, strict in the rest."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.report import Gate, Report
from mergegate.repo.wire import to_json
from mergegate.repo.wire.reading import read, read_answer
from tests.repo.report import samples

REPORTS = [samples.passed(), samples.failed(), samples.incomplete()]


def changed(report: Report, change: Callable[[dict[str, Any]], object]) -> bytes:
    document = json.loads(to_json(report))
    change(document)
    return json.dumps(document).encode()


@pytest.mark.parametrize("report", REPORTS)
def test_an_answer_is_read_as_a_result_is(report: Report) -> None:
    content = to_json(report).encode()
    assert read_answer(content) == read(content)


def test_fields_of_a_later_release_are_left_out_wherever_they_stand() -> None:
    def add(document: dict[str, Any]) -> None:
        document["later"] = 1
        for part in (document["issues"][0], document["target"], document["coverage"]):
            part["later"] = {"deep": [1]}
        document["comparison"]["verdict"]["later"] = None

    report = samples.failed()
    content = changed(report, add)
    assert read_answer(content) == read(to_json(report).encode())
    with pytest.raises(UsageError, match="later"):
        read(content)


def test_the_link_of_a_host_is_no_part_of_the_report() -> None:
    """It opens the report to whoever has it."""
    link = "https://host.example.org/repo?scan=rs_1&signature=s3cret"
    found = read_answer(changed(samples.passed(), lambda one: one.update(url=link)))
    assert "s3cret" not in repr(found)


def test_a_forged_verdict_is_drawn_anew() -> None:
    def forge(document: dict[str, Any]) -> None:
        document |= {"qualityGate": "passed", "score": 100}
        document["verdict"] = {"gate": "passed", "reasons": [], "wayOut": []}

    assert read_answer(changed(samples.failed(), forge)).verdict.gate is Gate.FAILED


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["issues"][0].update(id="--><script>"),
        lambda one: one["issues"][0].update(severity="fatal"),
        lambda one: one["issues"][0].update(startLine="1; rm"),
        lambda one: one.pop("engines"),
        lambda one: one.update(score=101),
        lambda one: one["dependencyVulns"][0].update(cvss=float("nan")),
    ],
)
def test_what_no_scan_writes_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(UsageError, match="no result of a repository scan"):
        read_answer(changed(samples.failed(), change))


def test_what_two_readers_could_take_for_two_things_is_refused() -> None:
    twice = to_json(samples.passed()).replace('"score":', '"score": 1, "score":', 1)
    with pytest.raises(UsageError, match="not valid JSON"):
        read_answer(twice.encode())
