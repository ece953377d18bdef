"""Commands in comments, end to end: who is heard, what is done, what is answered."""

import datetime as dt
import json
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from mergegate.ci.named import Declined, meant
from mergegate.ci.scanning import dismissed
from mergegate.repo.settings import Dismissal
from tests.ci.jobs.clones import CLOSED, OPEN
from tests.ci.jobs.conftest import Moment, Pull
from tests.conftest import Run
from tests.forges.github.hub import HEAD, NUMBER, Answer
from tests.repo.report import samples
from tests.sandbox.git.test_repository import commit, git

UNTIL = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=30)
ERIN = {"login": "erin", "id": 1002, "type": "User"}
MALLORY = {"login": "mallory", "id": 1001, "type": "User"}


def order(
    pull: Pull,
    body: str,
    author: dict[str, Any] = ERIN,
    association: str = "MEMBER",
    token: str = "ghs-usual",
) -> Run:
    """A person's comment, and the job that it starts."""
    id = pull.hub.next_id()
    pull.hub.comments.append({"id": id, "body": body, "user": author})
    return pull.ci(
        token=token,
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
    pull.push({"app.yaml": OPEN})
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


def ignore(pull: Pull, id: str, who: dict[str, Any] = ERIN) -> Run:
    return order(pull, f"/mergegate ignore {id} until {UNTIL} because only a demo", who)


GRACE = {"login": "Grace", "id": 1003, "type": "User"}


@pytest.mark.parametrize("is_opener", [True, False])
def test_a_critical_finding_of_their_own_takes_a_second_person(
    failing: Pull, is_opener: bool
) -> None:
    failing.hub.permissions |= {"Grace": "write"}
    failing.hub.opener, failing.hub.wrote = ("Erin", []) if is_opener else ("ada", ["erin"])
    id = finding(failing)
    own = ignore(failing, id[:10])
    assert own.code == 0, own.err
    assert "Failed" in said(failing)[0].splitlines()[0]
    assert "**Not done.**" in said(failing)[1]
    assert "self-dismissal: allow" in said(failing)[1]
    second = ignore(failing, id[:10], GRACE)
    assert second.code == 0, second.err
    assert "Passed" in said(failing)[0].splitlines()[0]
    assert f"id: {id}" in said(failing)[2]


def test_what_an_author_set_aside_before_it_was_there_still_counts(failing: Pull) -> None:
    id = finding(failing)
    failing.push({"app.yaml": CLOSED})
    assert failing.ci().code == 0
    early = ignore(failing, id[:10])
    assert "no finding of this change has this id" in said(failing)[-1], early.err
    assert ignore(failing, id).code == 0
    failing.hub.wrote = ["erin"]
    failing.push({"app.yaml": OPEN})
    late = failing.ci()
    assert late.code == 1
    assert "second person" in said(failing)[0]


def test_whoever_works_alone_says_so_in_the_base_s_policy(pull: Pull) -> None:
    git(pull.root, "switch", "-q", "main")
    (pull.root / ".mergegate.yml").write_text("self-dismissal: allow\n")
    pull.hub.base = commit(pull.root, "alone")
    git(pull.root, "switch", "-q", "topic")
    git(pull.root, "merge", "-q", "--no-edit", "main")
    pull.hub.permissions |= {"erin": "admin"}
    pull.hub.opener = "erin"
    pull.push({"app.yaml": OPEN})
    assert pull.ci().code == 1
    assert ignore(pull, finding(pull)).code == 0
    assert "Passed" in said(pull)[0].splitlines()[0]


def test_where_nobody_tells_who_wrote_the_change_a_critical_finding_stays(failing: Pull) -> None:
    id = finding(failing)
    failing.hub.troubles += [("GET .*/pulls/7/commits", Answer(403, {"message": "no"}))] * 3
    assert ignore(failing, id).code == 0
    assert "**Not done.**" in said(failing)[1]


def test_a_beginning_that_two_findings_share_is_answered_with_their_whole_ids() -> None:
    report = samples.failed()
    first, second = (f"0123456789{digit * 10}" for digit in "ab")
    issues = (replace(report.issues[0], id=first), replace(report.issues[1], id=second))
    report = replace(report, issues=issues)
    assert meant(first, report)[1] == issues[0]
    assert meant(first[:11], report) == (first, issues[0])
    with pytest.raises(Declined, match=f"2 findings .* {first}, {second}"):
        meant(first[:10], report)
    short = Dismissal(id=first[:10], reason="r", owner="erin", expires=dt.date(2026, 2, 1))
    still = dismissed(report, [short], dt.date(2026, 1, 1))
    assert still.issues == issues
    assert still.policy is not None
    assert still.policy.notes[-1].startswith("0123456789 sets nothing aside")


def test_rescan_answers_and_scans_again(failing: Pull) -> None:
    run = order(failing, "/mergegate rescan")
    assert run.code == 1, run.err
    assert failing.hub.head[:7] in said(failing)[1]
    assert len(said(failing)) == 2


def test_explain_tells_about_a_finding(failing: Pull) -> None:
    id = finding(failing)
    run = order(failing, f"/mergegate explain {id}")
    assert run.code == 0
    assert "requests that have not logged in" in said(failing)[1].lower()


FIXABLE = """\
resource "aws_instance" "shop" {
  metadata_options {
    http_tokens = "optional"
  }
}
"""


def test_fix_answers_with_a_patch_that_git_applies(failing: Pull) -> None:
    failing.push({"app.yaml": OPEN, "main.tf": FIXABLE})
    assert failing.ci().code == 1
    report = json.loads((failing.root.parent / "report" / "mergegate.json").read_text())
    [id] = [one["id"] for one in report["issues"] if one["ruleId"] == "terraform-imdsv1-allowed"]
    run = order(failing, f"/mergegate fix {id[:10]}")
    assert run.code == 0, run.err
    reply = said(failing)[-1]
    assert "finding gone, nothing new" in reply
    assert f"mergegate fix {id[:10]}" in reply
    patch = reply.split("```diff\n")[1].split("```")[0]
    subprocess.run(["git", "apply", "-"], cwd=failing.root, input=patch.encode(), check=True)
    assert 'http_tokens = "required"' in (failing.root / "main.tf").read_text()


def test_fix_says_where_none_was_proved(failing: Pull) -> None:
    run = order(failing, f"/mergegate fix {finding(failing)}")
    assert run.code == 0, run.err
    assert "No fix of" in said(failing)[1]


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
