"""What a reviewer sees while a change is scanned, and when it could not be."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from mergegate.core.errors import Failed
from mergegate.core.render.failures import INTERNAL, LATE
from mergegate.host.order import Order, ScanOrder
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.scan import Done, Outcome, Scan
from tests.ci.jobs.clones import WEAK
from tests.forges.github import hub as hubs
from tests.forges.github.hub import Answer
from tests.forges.hooks import saying
from tests.host.runner.front import github as as_it_is
from tests.host.runner.test_changes import (
    CANARY,
    ERIN,
    MALLORY,
    GitHub,
    code,
    github,
    known,
    refusal,
    scanned_once,
)
from tests.sandbox.git.test_repository import git

__all__ = ["github", "known", "scanned_once"]

MEMBER = {"login": "otto", "id": 1003, "type": "User"}
_LOG = "mergegate.host.runner.executor"


@dataclass
class Scans:
    """In place of the children that fetch and scan; those that talk to the forge are real."""

    hub: Any
    ends: list[Outcome | BaseException] = field(default_factory=list)
    """What each comes to, the next one first; without any the real ones are asked."""
    meanwhile: Callable[[], Awaitable[None]] | None = None
    seen: list[list[tuple[str, str]]] = field(default_factory=list)
    """What stood at the forge while a scan ran: of each check its status and title."""

    def stands(self) -> list[tuple[str, str]]:
        told = [(one.get("conclusion") or one["status"], one) for one in self.hub.runs]
        return [(status, one["output"]["title"]) for status, one in told]


@pytest.fixture
def scans(github: GitHub, monkeypatch: pytest.MonkeyPatch) -> Scans:
    made, real = Scans(github.hub), Children.ask

    async def ask(
        self: Children, worker_kind: WorkerKind, name: str, order: Order, timeout_s: float
    ) -> Outcome:
        if worker_kind.name == "changes" or not made.ends:
            return await real(self, worker_kind, name, order, timeout_s)
        if worker_kind.name == "fetching":
            return Done("")
        assert isinstance(order, ScanOrder)
        made.seen.append(made.stands())
        if made.meanwhile:
            await made.meanwhile()
        end = made.ends.pop(0)
        if isinstance(end, BaseException):
            raise end
        return end

    monkeypatch.setattr(Children, "ask", ask)
    return made


def latest(github: GitHub) -> tuple[str, str, str]:
    run = github.hub.runs[-1]
    return run["conclusion"], run["output"]["title"], run["output"]["summary"]


def test_a_change_that_cannot_be_scanned_is_red_whatever_stood_there(
    github: GitHub, scans: Scans
) -> None:
    assert code(github.pushed()) == 0
    green = github.said[0]
    assert latest(github)[0] == "success"
    scans.ends = [LATE]
    assert refusal(github.pushed()) == "SCAN_TIMEOUT"
    assert scans.seen[0][-1] == ("in_progress", "This commit is being scanned")
    conclusion, title, summary = latest(github)
    assert conclusion == "failure"
    assert title == "Incomplete: could not be scanned. The scan took longer than it may"
    assert "rescan" in summary
    (comment,) = github.said
    assert comment != green
    assert "could not be scanned" in comment
    assert "/mergegate rescan" in comment
    assert code(github.pushed()) == 0
    assert latest(github)[0] == "success"
    assert "could not be scanned" not in github.said[0]


def test_a_mistake_of_ours_is_told_too(github: GitHub, scans: Scans) -> None:
    scans.ends = [ZeroDivisionError("canary-7")]
    with pytest.raises(ZeroDivisionError):
        github.pushed()
    assert latest(github)[0] == "failure"
    assert "canary-7" not in str(github.hub)


def test_a_change_whose_branch_is_gone_is_red_and_a_strangers_word_makes_nothing_red(
    github: GitHub,
) -> None:
    front = github.house.front
    gone = f"/repos/{front.repository}/branches/main"
    usual = as_it_is(front)
    front.told = lambda method, path: {} if path == gone else usual(method, path)
    assert refusal(github.ordered("/mergegate rescan", MALLORY)) == "PROVIDER_UNREACHABLE"
    assert (github.said, github.checks) == ([], [])
    assert refusal(github.pushed()) == "PROVIDER_UNREACHABLE"
    assert latest(github)[0] == "failure"
    assert "could not be scanned" in github.said[0]


def test_of_a_commit_that_is_the_head_no_longer_only_the_end_is_told(
    github: GitHub, scans: Scans
) -> None:
    async def pushed() -> None:
        github.house.front.told = lambda method, path: (
            {"number": 7, "head": {"sha": "d" * 40}, "base": {"sha": "e" * 40}}
            if path.endswith("/pulls/7")
            else as_it_is(github.house.front)(method, path)
        )

    scans.ends, scans.meanwhile = [LATE], pushed
    assert refusal(github.pushed()) == "SCAN_TIMEOUT"
    assert latest(github)[0] == "cancelled"
    assert github.said == []


def test_a_scan_that_is_called_off_leaves_no_promise(github: GitHub, scans: Scans) -> None:
    begun = asyncio.Event()

    async def hang() -> None:
        begun.set()
        await asyncio.Event().wait()

    scans.ends, scans.meanwhile = [LATE], hang

    async def called_off() -> None:
        task = asyncio.ensure_future(github.house.carriage(github.scan()))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    github.house.runner.run(called_off())
    assert scans.seen[0] == [("in_progress", "This commit is being scanned")]
    conclusion, title, _ = latest(github)
    assert conclusion == "cancelled"
    assert "called off" in title
    assert github.said == []


def carried(github: GitHub, scan: Scan) -> Outcome:
    async def work() -> Outcome:
        return await github.house.carriage(scan)

    return github.house.runner.run(work())


def test_a_change_that_was_called_off_while_it_waited_gets_a_cancelled_check(
    github: GitHub, scans: Scans
) -> None:
    scans.ends = [LATE]
    over = replace(github.scan(), tries=0, outcome=Failed("CANCELLED", "The scan was cancelled."))
    assert refusal(carried(github, over)) == "CANCELLED"
    conclusion, title, _ = latest(github)
    assert conclusion == "cancelled"
    assert "called off" in title
    assert (scans.seen, github.said, github.house.front.gits) == ([], [], [])


def test_a_check_that_a_lost_worker_began_is_ended_when_the_change_was_closed_meanwhile(
    github: GitHub,
) -> None:
    front = github.house.front
    pull = f"/repos/{front.repository}/pulls/7"
    front.told = lambda method, path: (
        {**as_it_is(front)(method, path), "state": "closed"}
        if path == pull
        else as_it_is(front)(method, path)
    )
    again = replace(github.scan(), tries=2)
    slug = hubs.TOKENS[CANARY].account.login.removesuffix("[bot]")
    begun = {"id": 1, "name": "Mergegate", "external_id": "mergegate", "status": "in_progress"}
    whose = {"app": {"id": 15368, "slug": slug}, "head_sha": github.hub.head}
    github.hub.runs.append({**begun, **whose, "output": {}, "annotations": []})
    assert refusal(carried(github, again)) == "CHANGE_CLOSED"
    assert [one.get("conclusion") for one in github.hub.runs] == ["cancelled"]


def test_the_last_try_says_so_before_it_takes_its_worker_along(
    github: GitHub, scans: Scans
) -> None:
    """Nobody could say it afterwards."""
    scans.ends = [INTERNAL]
    github.house.tries = 3
    assert refusal(github.pushed()) == "INTERNAL"
    ((status, title),) = scans.seen[0]
    assert status == "failure"
    assert "Each worker that scanned the change so far was lost" in title
    (comment,) = github.said
    assert "a mistake of this host" in comment


def test_an_order_that_cannot_be_obeyed_is_answered_below_it(github: GitHub, scans: Scans) -> None:
    scans.ends = [LATE, LATE]
    assert refusal(github.ordered("/mergegate rescan", ERIN)) == "SCAN_TIMEOUT"
    begun, failed, summary = github.said
    assert "Scanning commit" in begun
    assert "Not done.** The scan took longer than it may." in failed
    assert "could not be scanned" in summary
    checks = len(github.hub.runs)
    assert refusal(github.ordered("/mergegate explain 0123456789", ERIN)) == "SCAN_TIMEOUT"
    assert "Not done." in github.said[-1]
    assert len(github.hub.runs) == checks


def test_what_takes_no_scan_is_answered_without_one(github: GitHub, scans: Scans) -> None:
    scans.ends = [LATE]
    github.hub.permissions["otto"] = "read"
    for order, author, answer in (
        ("/mergegate rescan", MEMBER, "otto"),
        ("/mergegate ignore", ERIN, "ignore"),
        ("/mergegate help", ERIN, "/mergegate rescan"),
    ):
        assert code(github.ordered(order, author, "MEMBER")) == 0
        assert answer in github.said[-1]
    assert len(github.said) == 3
    assert (scans.seen, github.checks) == ([], [])


def test_an_answer_that_the_forge_refuses_is_said_where_the_operator_looks(
    github: GitHub, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, _LOG)
    github.hub.permissions["otto"] = "read"
    locked = Answer(403, {"message": "Unable to create comment because issue is locked."})
    github.hub.troubles.append((r"POST .*/issues/7/comments", locked))
    outcome = github.ordered("/mergegate rescan", MEMBER, "MEMBER")
    assert refusal(outcome) == "PUBLISHING_FAILED"
    assert isinstance(outcome, Failed)
    assert "could not answer the comment" in outcome.detail.lower()
    assert "could not answer the comment" in caplog.text.lower()


def of_a_fork(github: GitHub, head: str, base: str) -> Outcome:
    """The change comes from a repository that nobody here may see."""
    front, usual = github.house.front, as_it_is(github.house.front)
    sides = {"head": {"sha": head, "ref": "main"}, "base": {"sha": base, "ref": "main"}}
    more = {
        f"/repos/{front.repository}/pulls/7": {"number": 7, **sides},
        f"/repos/{front.repository}/branches/main": {"commit": {"sha": base}},
    }
    front.told = lambda method, path: more.get(path) or usual(method, path)
    github.hub.head, github.hub.base = head, base
    github.hub.diff = {"new.py": [range(1, 6)]}
    body = saying.pull_request()
    body["pull_request"]["head"]["repo"] = {"full_name": "mallory/secret"}
    body["repository"] = {"full_name": front.repository, "default_branch": "main"}
    return github.house.answered(body, x_github_event="pull_request")


def test_a_forks_head_comes_from_the_repository_that_it_wants_into(github: GitHub) -> None:
    clone = github.house.front.clone
    head, base = clone.push({"new.py": WEAK}), clone.main
    git(clone.root, "update-ref", "refs/pull/7/head", head)
    git(clone.root, "reset", "-q", "--hard", clone.fork)
    assert code(of_a_fork(github, head, base)) == 1
    assert github.checks == [(head, "failure")]
    assert "Shell command built from request data" in github.said[0]
    assert not [one for one in github.house.front.passed if "mallory" in one.path]


def test_a_forks_head_that_is_not_handed_out_is_told(github: GitHub) -> None:
    missing = "d" * 40
    assert refusal(of_a_fork(github, missing, github.house.front.clone.main)) == "COMMIT_NOT_FOUND"
    assert github.checks == [(missing, "failure")]
    assert "does not hand out the commit" in github.said[0]
