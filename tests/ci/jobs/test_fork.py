"""The pair for forks: a scan without rights, and a second job that trusts nothing of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ci.jobs.conftest import WEAK, Moment, Pull
from tests.conftest import Run
from tests.forges.github.hub import NUMBER, REPOSITORY

FORK = "mallory/shop"


@pytest.fixture(scope="module")
def scanned() -> list[Moment]:
    """At most one: when the fork's job was over."""
    return []


@pytest.fixture
def forked(pull: Pull, scanned: list[Moment], tmp_path_factory: pytest.TempPathFactory) -> Pull:
    """A change from a fork that failed, its report left behind."""
    if scanned:
        pull.back_to(scanned[0])
        return pull
    pull.push({"app.py": WEAK})
    event = pull.event()["pull_request"]
    event["head"]["repo"]["full_name"] = FORK
    run = pull.ci(token="ghs-fork", pull_request=event)
    assert run.code == 1, run.err
    assert (pull.hub.comments, pull.hub.runs) == ([], [])
    assert "mergegate publish" in run.err
    scanned.append(pull.kept(tmp_path_factory.mktemp("forked") / "pull"))
    return pull


def report(pull: Pull) -> Path:
    return pull.root.parent / "report" / "mergegate.json"


def publish(pull: Pull, *arguments: str, **more: Any) -> Run:
    """The second job, on the default branch."""
    pull.hub.pulls = [
        {
            "number": NUMBER,
            "state": "open",
            "head": {"sha": pull.hub.head, "ref": "topic", "repo": {"full_name": FORK}},
        }
    ]
    run = {
        "id": 1001,
        "run_attempt": 1,
        "event": "pull_request",
        "conclusion": "failure",
        "head_sha": pull.hub.head,
        "head_branch": "topic",
        "head_repository": {"full_name": FORK, "fork": True},
        "pull_requests": [],
        **more,
    }
    text = json.dumps(pull.event(action="completed", workflow_run=run))
    (pull.root.parent / "event.json").write_text(text)
    return pull.run(
        "publish", str(report(pull)), *arguments, token="ghs-usual", name="workflow_run"
    )


def forge(pull: Pull, change: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(report(pull).read_text())
    change(document)
    report(pull).write_text(json.dumps(document))


def test_the_second_job_says_what_the_first_found(forked: Pull) -> None:
    run = publish(forked)
    assert run.code == 0, run.err
    (comment,) = forked.hub.comments
    assert "Failed" in comment["body"].splitlines()[0]
    (check,) = forked.hub.runs
    assert (check["conclusion"], check["head_sha"]) == ("failure", forked.hub.head)
    assert forked.open_threads == 1


def test_nothing_of_the_artifact_is_offered_for_a_click(forked: Pull) -> None:
    def poison(document: dict[str, Any]) -> None:
        issue = document["issues"][0]
        issue["fixId"] = "f"
        edit = {"path": "app.py", "startLine": 5, "endLine": 5, "replacement": "import evil"}
        fix = {"id": "f", "findingIds": [issue["id"]], "title": "Fix", "explanation": "good"}
        more = {"edits": [edit], "source": "rule", "verified": ["parses"], "confidence": "high"}
        document["fixes"] = [fix | more]

    forge(forked, poison)
    assert publish(forked).code == 0
    for thread in forked.hub.threads:
        assert "import evil" not in thread["comments"][0]["body"]
    assert "import evil" not in forked.hub.comments[0]["body"]


def test_a_forged_verdict_is_drawn_anew(forked: Pull) -> None:
    def whitewash(document: dict[str, Any]) -> None:
        document |= {"score": 100, "qualityGate": "passed"}
        document["verdict"] = {"gate": "passed", "reasons": [], "wayOut": []}
        document["comparison"]["verdict"] = document["verdict"]

    forge(forked, whitewash)
    assert publish(forked).code == 0
    assert forked.hub.runs[0]["conclusion"] == "failure"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: one["target"].update(commit="f" * 40, head=None), "another commit"),
        (lambda one: one["target"].update(owner="evil"), "another repository"),
        (lambda one: one["issues"][0].update(id="--><img src=x>"), "no result of a repository"),
        (lambda one: one.pop("engines"), "no result of a repository"),
    ],
)
def test_a_report_of_something_else_is_refused(
    forked: Pull, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    forge(forked, change)
    run = publish(forked)
    assert run.code == 2
    assert said in run.err
    assert (forked.hub.comments, forked.hub.runs) == ([], [])


def test_a_change_that_has_moved_on_is_left_to_its_own_run(forked: Pull) -> None:
    run = publish(forked, head_sha="f" * 40)
    assert run.code == 0
    assert "moved on" in run.err
    assert forked.hub.comments == []


def test_a_link_in_place_of_the_report_is_not_followed(forked: Pull) -> None:
    target = report(forked).rename(report(forked).with_name("elsewhere.json"))
    report(forked).symlink_to(target)
    run = publish(forked)
    assert run.code == 2
    assert "cannot be read" in run.err


def test_publish_outside_its_workflow_says_so(pull: Pull, tmp_path: Path) -> None:
    assert pull.ci().code == 0
    run = pull.run("publish", str(report(pull)), token="ghs-usual", name="pull_request")
    assert run.code == 2
    assert "workflow_run" in run.err
    assert REPOSITORY not in run.out
