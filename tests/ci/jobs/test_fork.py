"""The pair for forks: a scan without rights, and a second job that scans for itself."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.site.deployment.outcome import SiteRules, judged
from tests.ci.jobs.clones import CHEAP, CLOSED, OPEN
from tests.ci.jobs.conftest import Moment, Pull
from tests.conftest import Run
from tests.forges.github.hub import NUMBER, REPOSITORY
from tests.sandbox.git.origins import served
from tests.sandbox.git.test_repository import git
from tests.site.deployment.samples import SLOW_SITE

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
    pull.push({"app.yaml": OPEN})
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


@contextmanager
def hosted(pull: Pull, token: str = "ghs-usual") -> Iterator[str]:
    """The repository as GitHub hands it out to ``token``: a fork's head is no branch of it."""
    site = pull.root.parent / "site"
    bare = site / f"{REPOSITORY}.git"
    git(pull.root.parent, "clone", "-q", "--mirror", str(pull.root), str(bare))
    git(bare, "update-ref", f"refs/pull/{NUMBER}/head", "topic")
    git(bare, "update-ref", "-d", "refs/heads/topic")
    wanted = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    with served(site, wanted=f"Basic {wanted}") as (address, _):
        yield address


def publish(pull: Pull, *arguments: str, readable: bool = True, **more: Any) -> Run:
    """The second job, on the default branch; ``more`` is what the event says of the first."""
    pull.hub.pulls = [
        {
            "number": NUMBER,
            "state": "open",
            "head": {"sha": pull.hub.head, "ref": "topic", "repo": {"full_name": FORK}},
            "base": {"sha": pull.hub.base, "ref": "main"},
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
    own = pull.root.parent / "trusted"
    own.mkdir()
    with hosted(pull, "ghs-usual" if readable else "ghs-other") as address:
        return pull.run(
            *("publish", str(report(pull)), *CHEAP, *arguments),
            token="ghs-usual",
            name="workflow_run",
            environment={"GITHUB_SERVER_URL": address, "GITHUB_WORKSPACE": str(own)},
        )


def forge(pull: Pull, change: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads(report(pull).read_text())
    change(document)
    report(pull).write_text(json.dumps(document))


def verdict(pull: Pull) -> tuple[str, str]:
    """What the one check says, and of which commit."""
    (check,) = pull.hub.runs
    return check["conclusion"], check["head_sha"]


def test_the_second_job_answers_by_its_own_scan(forked: Pull) -> None:
    run = publish(forked)
    assert run.code == 0, run.err
    (comment,) = forked.hub.comments
    assert "Failed" in comment["body"].splitlines()[0]
    assert "seen by nobody else" not in comment["body"]
    assert verdict(forked) == ("failure", forked.hub.head)
    assert forked.open_threads == 1


def whitewash(document: dict[str, Any]) -> None:
    passed = {"gate": "passed", "reasons": [], "wayOut": []}
    document |= {"score": 100, "qualityGate": "passed", "verdict": passed}
    document["comparison"] |= {"verdict": passed, "new": 0}


def removed(document: dict[str, Any]) -> None:
    whitewash(document)
    document["issues"] = []


def called_existing(document: dict[str, Any]) -> None:
    whitewash(document)
    for one in document["issues"]:
        one["isNew"] = False


def called_dismissed(document: dict[str, Any]) -> None:
    aside = document["issues"]
    said = {"origin": "policy", "reason": "fine", "owner": "erin", "expires": "2099-01-01"}
    removed(document)
    document["suppressed"] = [{"finding": one, **said} for one in aside]


def of_another_commit(document: dict[str, Any]) -> None:
    removed(document)
    document["target"].update(commit="f" * 40, head=None)


def of_another_repository(document: dict[str, Any]) -> None:
    removed(document)
    document["target"].update(owner="evil")


def without_engines(document: dict[str, Any]) -> None:
    removed(document)
    document["engines"] = document["engines"][:1]


@pytest.mark.parametrize(
    "change",
    [
        removed,
        called_existing,
        called_dismissed,
        of_another_commit,
        of_another_repository,
        without_engines,
    ],
)
def test_no_forged_report_passes_a_weak_change(
    forked: Pull, change: Callable[[dict[str, Any]], object]
) -> None:
    forge(forked, change)
    assert publish(forked, "--comment", "false", "--review", "0").code == 0
    assert verdict(forked) == ("failure", forked.hub.head)


def test_a_report_that_is_none_is_not_waited_for(forked: Pull) -> None:
    report(forked).unlink()
    report(forked).symlink_to("/dev/zero")
    run = publish(forked, "--comment", "false", "--review", "0")
    assert run.code == 0
    assert "is not taken" in run.err
    assert verdict(forked) == ("failure", forked.hub.head)


def test_what_only_the_report_says_is_told_as_its_word(forked: Pull) -> None:
    def more(document: dict[str, Any]) -> None:
        words = {"id": "0" * 10, "title": "Click <img src=x> @all"}
        document["issues"].append(document["issues"][0] | words)

    forge(forked, more)
    run = publish(forked)
    assert run.code == 0, run.err
    body = forked.hub.comments[0]["body"]
    assert "seen by nobody else (1)" in body
    assert "<img src=x>" not in body
    assert forked.open_threads == 1


def test_a_site_that_the_first_job_alone_has_seen_passes_nothing(forked: Pull, pull: Pull) -> None:
    pull.push({"app.yaml": CLOSED})

    def praise(document: dict[str, Any]) -> None:
        removed(document)
        document["site"] = judged(replace(SLOW_SITE, rules=SiteRules())).json()
        document["target"] |= {"commit": pull.hub.head, "head": None}

    forge(forked, praise)
    assert publish(forked).code == 0
    assert verdict(forked) == ("neutral", forked.hub.head)
    assert "Not verified" in forked.hub.comments[0]["body"].splitlines()[0]


def test_a_site_that_the_policy_holds_to_rules_keeps_a_fork_from_merging(
    forked: Pull, pull: Pull
) -> None:
    """Whether its own job tells of one or not: it could leave out what would fail."""
    git(pull.root, "switch", "-q", "main")
    (pull.root / ".mergegate.yml").write_text("version: 1\nsite: {browser-errors: 0}\n")
    git(pull.root, "add", "-A")
    git(pull.root, "commit", "-qm", "hold the site to a rule")
    pull.hub.base = git(pull.root, "rev-parse", "main")
    git(pull.root, "switch", "-q", "topic")
    git(pull.root, "rebase", "-q", "main")
    pull.push({"app.yaml": CLOSED})
    forge(forked, removed)
    run = publish(forked)
    assert run.code == 0, run.err
    assert verdict(forked) == ("action_required", forked.hub.head)
    assert "merges past this check" in forked.hub.comments[0]["body"]


def test_settings_that_cannot_be_pass_nothing(forked: Pull) -> None:
    run = publish(forked, "--review", "many")
    assert run.code == 2
    assert verdict(forked) == ("failure", forked.hub.head)
    assert "is no count from 0 to 999" in forked.hub.comments[0]["body"]


def test_a_change_that_cannot_be_fetched_passes_nothing(forked: Pull) -> None:
    forge(forked, removed)
    run = publish(forked, readable=False)
    assert run.code == 3
    assert verdict(forked) == ("failure", forked.hub.head)
    assert "Grant the second workflow `contents: read`" in forked.hub.comments[0]["body"]


def test_a_change_that_has_moved_on_is_left_to_its_own_run(forked: Pull) -> None:
    run = publish(forked, head_sha="f" * 40)
    assert run.code == 0
    assert "moved on" in run.err
    assert forked.hub.comments == []


def test_a_push_during_the_scan_leaves_the_check_on_what_was_scanned(forked: Pull) -> None:
    scanned = forked.hub.head
    forked.hub.interludes.append((rf"^GET \S+/pulls/{NUMBER}$", lambda: _move_on(forked)))
    assert publish(forked).code == 0
    assert verdict(forked) == ("failure", scanned)
    assert forked.hub.comments == []


def _move_on(pull: Pull) -> None:
    pull.hub.head = "f" * 40


def test_publish_outside_its_workflow_says_so(pull: Pull, tmp_path: Path) -> None:
    assert pull.ci().code == 0
    run = pull.run("publish", str(report(pull)), token="ghs-usual", name="pull_request")
    assert run.code == 2
    assert "workflow_run" in run.err
    assert REPOSITORY not in run.out
