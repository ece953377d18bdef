"""What is answered for a scan, from its row."""

import datetime as dt
import json

import pytest

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Tool
from mergegate.host.api import responses
from mergegate.host.api.problems import Code, Refusal
from mergegate.host.scan import Done, Outcome, Scan, State

NOON = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
REQUEST = '{"owner":"octo-org","provider":"github","repo":"hello"}'


def scan(outcome: Outcome | None, tool: Tool = Tool.REPOSITORY, request: str = REQUEST) -> Scan:
    state = State.RUNNING
    if outcome is not None:
        state = State.COMPLETED if isinstance(outcome, Done) else State.FAILED
    over = NOON if outcome else None
    one = Scan("rs_1", "acc_1", tool, Lane.REPOSITORY, request, state, NOON, None, over)
    return Scan(**{name: getattr(one, name) for name in one.__slots__} | {"outcome": outcome})


def test_the_link_goes_where_the_worker_left_room_and_nowhere_else() -> None:
    text = json.dumps({"a": '\n  "url": null', "b": {"url": None}, "url": None, "c": 1}, indent=2)
    answer = responses.repository(scan(Done(text)), "https://host/repo?scan=1&token=x")
    expected = text.replace('\n  "url": null', '\n  "url": "https://host/repo?scan=1&token=x"')
    assert answer.decode() == expected
    assert json.loads(answer)["b"] == {"url": None}


def test_without_a_link_the_bytes_are_the_workers() -> None:
    assert responses.repository(scan(Done('{"url":null}')), None) == b'{"url":null}'


def test_a_result_in_another_layout_gets_its_link_too() -> None:
    answer = responses.repository(scan(Done('{"url":null,"é":1}')), "x")
    assert json.loads(answer) == {"url": "x", "é": 1}


def test_a_failed_scan_that_has_a_result_answers_it() -> None:
    failed = Failed("INCOMPLETE", "Not all ran.", '{"status": "failed"}')
    assert json.loads(responses.repository(scan(failed), None)) == {"status": "failed"}


@pytest.mark.parametrize("code", ["PROVIDER_TOKEN_REVOKED", "BRANCH_NOT_FOUND", "CANCELLED"])
def test_a_scan_that_saw_nothing_is_no_pass_for_whoever_asks(code: str) -> None:
    """Every field of the specification is there, so that no client trips over one or skips it."""
    answer = json.loads(responses.repository(scan(Failed(code, "Why.")), "x"))
    assert answer.items() >= {"status": "failed", "score": 0, "qualityGate": "failed"}.items()
    assert answer["error"] == {"code": code, "detail": "Why."}
    lists = ("issues", "fixes", "riskFindings", "dependencyVulns", "scoreBreakdown", "engines")
    assert [answer[name] for name in lists] == [[]] * len(lists)
    assert answer["aiSummary"] == "Nothing was scanned. Why."
    assert (answer["completedAt"], answer["url"]) == ("2026-03-01T12:00:00.000Z", "x")


def test_a_running_scan_says_what_was_asked() -> None:
    assert json.loads(responses.repository(scan(None), "x")) == {
        "id": "rs_1",
        "status": "running",
        "target": {"provider": "github", "owner": "octo-org", "repo": "hello"},
        "createdAt": "2026-03-01T12:00:00.000Z",
        "url": "x",
    }


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("TARGET_UNREACHABLE", Code.TARGET_UNREACHABLE),
        ("SCAN_TIMEOUT", Code.SCAN_TIMEOUT),
        ("INTERNAL", Code.SCAN_FAILED),
        ("CANCELLED", Code.SCAN_FAILED),
        ("UNAUTHORIZED", Code.SCAN_FAILED),
    ],
)
def test_only_codes_that_are_the_targets_become_an_answers_own(code: str, told: Code) -> None:
    with pytest.raises(Refusal) as refused:
        responses.waited(scan(Failed(code, "Why.")))
    assert (refused.value.code, refused.value.detail) == (told, "Why.")


def test_who_waited_too_long_learns_where_the_result_will_be() -> None:
    with pytest.raises(Refusal) as refused:
        responses.waited(scan(None))
    assert refused.value.code is Code.SCAN_TIMEOUT
    assert "rs_1" in refused.value.detail


def test_a_caller_whose_time_is_over_is_told_where_the_result_will_be() -> None:
    with pytest.raises(Refusal) as refused:
        responses.waited(scan(None, Tool.BROWSER_TEST))
    assert refused.value.code is Code.SCAN_TIMEOUT
    assert refused.value.headers == {"Location": "/api/browser-test?id=rs_1"}
