"""Commands in comments, end to end: who is heard, what is done, what is answered."""

import datetime as dt
import json
from typing import Any

import pytest

from tests.ci.jobs.conftest import WEAK, Moment, Pull
from tests.conftest import Run
from tests.forges.github.hub import HEAD, NUMBER

UNTIL = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=30)
ERIN = {"login": "erin", "id": 1002, "type": "User"}
MALLORY = {"login": "mallory", "id": 1001, "type": "User"}


def order(pull: Pull, body: str, author: dict[str, Any] = ERIN, association: str = "MEMBER") -> Run:
    """A person's comment, and the job that it starts."""
    id = pull.hub.next_id()
    pull.hub.comments.append({"id": id, "body": body, "user": author})
    return pull.ci(
        name="issue_comment",
        action="created",
        issue={"number": NUMBER, "pull_request": {"url": "https://api.example.org/pulls/7"}},
        comment={
            "id": id,
            "body": body,
            "user": author,
            "author_association": association,
            "created_at": "2026-01-31T00:00:00Z",
        },
        sender=author,
    )


def said(pull: Pull) -> list[str]:
    """What we wrote, the summary first."""
    return [one["body"] for one in pull.hub.comments if one["user"]["type"] == "Bot"]


@pytest.fixture(scope="module")
def scanned() -> list[Moment]:
    """At most one: when the change had failed."""
    return []


@pytest.fixture
def failing(pull: Pull, scanned: list[Moment], tmp_path_factory: pytest.TempPathFactory) -> Pull:
    """A change that failed."""
    if scanned:
        pull.back_to(scanned[0])
        return pull
    pull.hub.permissions |= {"erin": "write", "mallory": "read"}
    pull.push({"app.py": WEAK})
    assert pull.ci().code == 1
    scanned.append(pull.kept(tmp_path_factory.mktemp("failed") / "pull"))
    return pull


def finding(pull: Pull) -> str:
    report = json.loads((pull.root.parent / "report" / "mergegate.json").read_text())
    return str(report["issues"][0]["id"])


def test_an_ignored_finding_no_longer_fails_the_check(failing: Pull) -> None:
    id = finding(failing)
    run = order(failing, f"/mergegate ignore {id[:10]} until {UNTIL} because only a demo")
    assert run.code == 0, run.err
    summary, reply = said(failing)
    assert "Passed" in summary.splitlines()[0]
    assert "only a demo" in summary
    assert f"expires: {UNTIL}" in reply
    assert failing.hub.runs[-1]["conclusion"] == "success"
    assert failing.open_threads == 0


def test_a_dismissal_outlives_the_next_push_and_can_be_lifted(failing: Pull) -> None:
    id = finding(failing)
    order(failing, f"/mergegate ignore {id} until {UNTIL} because only a demo")
    failing.push({"other.py": "x = 1\n"})
    assert failing.ci().code == 0
    run = order(failing, f"/mergegate unignore {id}")
    assert run.code == 1, run.err
    assert "Failed" in said(failing)[0].splitlines()[0]


def test_rescan_answers_and_scans_again(failing: Pull) -> None:
    run = order(failing, "/mergegate rescan")
    assert run.code == 1, run.err
    assert failing.hub.head[:7] in said(failing)[1]
    assert len(said(failing)) == 2


def test_explain_tells_about_a_finding(failing: Pull) -> None:
    id = finding(failing)
    run = order(failing, f"/mergegate explain {id}")
    assert run.code == 0
    assert "shell" in said(failing)[1].lower()


def test_help_lists_the_commands(failing: Pull) -> None:
    assert order(failing, "/mergegate help").code == 0
    assert "/mergegate rescan" in said(failing)[1]


@pytest.mark.parametrize("body", ["/mergegate rescan", "/mergegate ignore x", "/mergegate help"])
def test_an_outsider_is_not_heard(failing: Pull, body: str) -> None:
    before = said(failing)
    run = order(failing, body, MALLORY, "NONE")
    assert run.code == 0
    assert said(failing) == before
    assert "nothing to do" in run.err


def test_a_reader_of_the_project_is_refused_with_a_word(failing: Pull) -> None:
    run = order(failing, "/mergegate rescan", MALLORY, "COLLABORATOR")
    assert run.code == 0
    assert "mallory" in said(failing)[1]
    assert len(failing.hub.runs) == 1


def test_what_the_event_claims_of_its_author_is_not_believed(failing: Pull) -> None:
    failing.hub.permissions |= {"mallory": "none"}
    run = order(failing, "/mergegate rescan", MALLORY, "OWNER")
    assert run.code == 0
    assert len(said(failing)) == 1


def test_a_misread_order_gets_its_usage(failing: Pull) -> None:
    run = order(failing, "/mergegate ignore tomorrow")
    assert run.code == 0
    assert "until YYYY-MM-DD because" in said(failing)[1]


def test_talk_is_no_order(failing: Pull) -> None:
    run = order(failing, "Should we run /mergegate rescan?")
    assert run.code == 0
    assert len(said(failing)) == 1
    assert "gives no order" in run.err


def test_a_head_that_moved_since_is_not_answered_in_its_place(failing: Pull) -> None:
    before = len(failing.hub.runs)
    failing.hub.head = HEAD
    run = order(failing, "/mergegate rescan")
    assert run.code == 2
    assert "has moved on" in run.err
    assert "has moved on" in said(failing)[1]
    assert len(failing.hub.runs) == before
