"""A schedule on the default branch: one issue while something is wrong."""

from tests.ci.jobs.clones import CLOSED, OPEN
from tests.ci.jobs.conftest import Pull


def test_the_issue_opens_when_the_gate_fails_and_closes_when_it_passes(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    run = pull.ci(name="schedule")
    assert run.code == 1, run.err
    (issue,) = pull.hub.issues
    assert issue["state"] == "open"
    assert "Rights for anyone who can reach the API" in issue["body"]
    assert pull.ci(name="schedule").code == 1
    assert len(pull.hub.issues) == 1
    pull.push({"app.yaml": CLOSED})
    assert pull.ci(name="schedule").code == 0
    assert [one["state"] for one in pull.hub.issues] == ["closed"]


def test_nothing_is_opened_for_a_branch_that_passes(pull: Pull) -> None:
    assert pull.ci(name="schedule").code == 0
    assert pull.hub.issues == []


def test_without_the_right_to_write_issues_the_log_says_so(pull: Pull) -> None:
    pull.push({"app.yaml": OPEN})
    run = pull.ci(name="schedule", token="ghs-fork")
    assert run.code == 1
    assert "issue" in run.err
