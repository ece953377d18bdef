"""The report, its annotations and the build status."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.errors import ForgeError
from mergegate.core.report import Gate
from mergegate.core.severity import Kind, Severity
from tests.forges.bitbucket.case import CHANGE, annotation, answer, connected, verdicts
from tests.forges.bitbucket.stand_in import HEAD, REPOSITORY, Bitbucket


def announced(bitbucket: Bitbucket, **more: Any) -> Sequence[str]:
    return verdicts(connected(bitbucket)).announce(answer(**more))


def test_a_failed_gate_is_a_failed_report_and_status(bitbucket: Bitbucket) -> None:
    left_out = announced(
        bitbucket, gate=Gate.FAILED, headline="Failed: 42/100", new=3, annotations=[annotation()]
    )
    assert left_out == []
    report = bitbucket.reports[HEAD]
    assert (report["result"], report["report_type"]) == ("FAILED", "SECURITY")
    assert report["link"] == CHANGE.run_url
    assert {one["title"]: one["value"] for one in report["data"]} == {
        "Gate": "Failed",
        "Score": "42/100",
        "New findings": 3,
        "High": 1,
    }
    status = bitbucket.statuses[HEAD]
    assert (status["key"], status["state"]) == ("mergegate", "FAILED")
    assert (status["url"], status["description"]) == (CHANGE.run_url, "Failed: 42/100")


def test_a_passed_gate_is_green(bitbucket: Bitbucket) -> None:
    announced(bitbucket, gate=Gate.PASSED)
    assert bitbucket.reports[HEAD]["result"] == "PASSED"
    assert bitbucket.statuses[HEAD]["state"] == "SUCCESSFUL"


def test_an_incomplete_scan_is_not_green(bitbucket: Bitbucket) -> None:
    announced(bitbucket, gate=Gate.INCOMPLETE)
    assert bitbucket.reports[HEAD]["result"] == "FAILED"
    assert bitbucket.statuses[HEAD]["state"] == "FAILED"
    assert bitbucket.reports[HEAD]["data"][1]["value"] == "at most 42/100"


def test_annotations_of_an_earlier_run_do_not_stay(bitbucket: Bitbucket) -> None:
    announced(bitbucket, annotations=[annotation(1), annotation(2)])
    announced(bitbucket, annotations=[annotation(2)])
    assert list(bitbucket.annotations[HEAD]) == [f"mergegate-{2:020x}"]


def test_five_hundred_annotations_go_in_batches(bitbucket: Bitbucket) -> None:
    assert announced(bitbucket, annotations=[annotation(n) for n in range(1, 501)]) == []
    batches = [one.sent for one in bitbucket.exchanges if one.path.endswith("/annotations")]
    assert [len(one) for one in batches] == [100] * 5


def test_more_than_a_thousand_annotations_are_cut_and_said(bitbucket: Bitbucket) -> None:
    left_out = announced(bitbucket, annotations=[annotation(n) for n in range(1, 1201)])
    assert left_out == ["Shown 1,000 of 1,200 annotations, worst first."]
    assert len(bitbucket.annotations[HEAD]) == 1000
    assert left_out[0] in bitbucket.reports[HEAD]["details"]


@pytest.mark.parametrize(
    "hostile",
    [
        {"title": ""},
        {"title": "\x00\ud800\u202e" * 500, "message": "\x1b[31m" * 5000, "rule_id": ""},
        {"path": "a\x00b.py"},
        {"path": "a\nb.py"},
        {"path": "half\udc80.py"},
        {"path": "", "start_line": 0},
        {"start_line": 0},
        {"url": "javascript:alert(1)"},
        {"severity": Severity.INFO},
    ],
)
def test_a_hostile_annotation_does_not_spoil_its_batch(
    bitbucket: Bitbucket, hostile: dict[str, Any]
) -> None:
    announced(bitbucket, annotations=[annotation(1), annotation(2, **hostile)])
    assert len(bitbucket.annotations[HEAD]) == 2


def test_an_annotation_keeps_its_place_kind_and_link(bitbucket: Bitbucket) -> None:
    url = "https://cwe.mitre.org/data/definitions/89.html"
    many = [annotation(1, url=url), annotation(2, kind=Kind.QUALITY, severity=Severity.LOW)]
    announced(bitbucket, annotations=many)
    first, second = bitbucket.annotations[HEAD].values()
    assert (first["path"], first["line"], first["link"]) == ("app.py", 1, url)
    assert (first["annotation_type"], first["severity"]) == ("VULNERABILITY", "HIGH")
    assert (second["annotation_type"], second["severity"]) == ("CODE_SMELL", "LOW")


@pytest.mark.parametrize("url", ["", "http://ci.example.org/1", "https://x.example.org/{commit}"])
def test_without_a_plain_address_of_a_job_the_status_leads_to_the_commit(
    bitbucket: Bitbucket, url: str
) -> None:
    here = connected(bitbucket, change=replace(CHANGE, run_url=url))
    assert verdicts(here).announce(answer()) == []
    assert bitbucket.statuses[HEAD]["url"] == f"https://bitbucket.org/{REPOSITORY}/commits/{HEAD}"
    assert "link" not in bitbucket.reports[HEAD]


def test_a_verdict_on_no_commit_is_refused(bitbucket: Bitbucket) -> None:
    with pytest.raises(ForgeError, match="full hash"):
        verdicts(connected(bitbucket)).announce(answer(head="../../x"))
