"""From a delivery to the answer at the forge: a real scan, published once, and no token left."""

import json
import logging
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import requests

from mergegate.core.change import Provider
from mergegate.core.errors import Failed
from mergegate.core.report import Target
from mergegate.host.order import Order, ScanOrder, written
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.scan import Done, Outcome, Scan
from mergegate.sandbox.process.process_tree import descendants
from tests.ci.jobs.clones import WEAK, Clone
from tests.ci.jobs.gitlab_job import Hosted
from tests.ci.jobs.test_fix_commits import ALLOWED
from tests.ci.jobs.test_orders import FIXABLE
from tests.forges.bitbucket import server as bitbucket_server
from tests.forges.bitbucket import stand_in as bitbucket
from tests.forges.bitbucket.contract import mistakes
from tests.forges.git_store import GitStore
from tests.forges.github import hub as hubs
from tests.forges.github.contract import check_graphql, check_request, kept
from tests.forges.github.hub import Hub
from tests.forges.github.server import serving
from tests.forges.gitlab_stand_in import ADA, BOT, BOT_TOKEN, EVE, GitLab
from tests.forges.gitlab_stand_in import running as gitlab_running
from tests.forges.hooks import saying
from tests.host.runner import front as fronts
from tests.host.runner.front import Front
from tests.host.runner.housing import Host, House, housed
from tests.sandbox.git.test_repository import git

CANARY = "ghs-5c1d0a7e-canary"
ERIN = {"login": "erin", "id": 1002, "type": "User"}
MALLORY = {"login": "mallory", "id": 1001, "type": "User"}
_SHOWN = ("cmdline", "environ")


@dataclass
class GitHub:
    """A pull request, told of to a GitHub App."""

    house: House
    hub: Hub

    def pushed(self) -> Outcome:
        """What a delivery about the change as it is now comes to."""
        return self.told("pull_request", saying.pull_request())

    def scan(self) -> Scan:
        """What such a delivery asks for."""
        return self.house.scan(self._here(saying.pull_request()), x_github_event="pull_request")

    def told(self, event: str, body: dict[str, Any]) -> Outcome:
        return self.house.answered(self._here(body), x_github_event=event)

    def _here(self, body: dict[str, Any]) -> dict[str, Any]:
        clone = self.house.front.clone
        self.hub.head, self.hub.base = clone.head, clone.main
        self.hub.diff = {"new.py": [range(1, 6)]}
        return body | {"repository": {"full_name": hubs.REPOSITORY, "default_branch": "main"}}

    def ordered(self, order: str, author: dict[str, Any], association: str = "NONE") -> Outcome:
        id = self.hub.next_id()
        self.hub.comments.append({"id": id, "body": order, "user": author})
        comment = {
            "id": id,
            "body": order,
            "user": author,
            "author_association": association,
            "created_at": "2026-01-31T00:00:00Z",
        }
        issue = {"number": 7, "pull_request": {}}
        more = {"comment": comment, "issue": issue, "sender": author, "installation": {"id": 77}}
        return self.told("issue_comment", {"action": "created", **more})

    @property
    def said(self) -> list[str]:
        """What we wrote, the summary first."""
        return [one["body"] for one in self.hub.comments if one["user"]["type"] == "Bot"]

    @property
    def checks(self) -> list[tuple[str, str]]:
        return [(one["head_sha"], one["conclusion"]) for one in self.hub.runs]


@pytest.fixture(scope="module")
def known() -> dict[tuple[Target, str | None], Outcome]:
    """What scans came to, by what was scanned."""
    return {}


@pytest.fixture
def scanned_once(
    monkeypatch: pytest.MonkeyPatch, known: dict[tuple[Target, str | None], Outcome]
) -> None:
    """The same commits are scanned by the first test alone: the others are about what follows."""
    real = Children.ask

    async def ask(
        self: Children, worker_kind: WorkerKind, name: str, order: Order, timeout_s: float
    ) -> Outcome:
        if worker_kind.name != "repositories" or not isinstance(order, ScanOrder):
            return await real(self, worker_kind, name, order, timeout_s)
        assert order.repository
        key = (order.repository.target, order.repository.base)
        if key not in known:
            known[key] = await real(self, worker_kind, name, order, timeout_s)
        return known[key]

    monkeypatch.setattr(Children, "ask", ask)


@pytest.fixture
def github(
    change_host: Host,
    tmp_path: Path,
    topic: Clone,
    scanned_once: None,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[GitHub]:
    """In the end every request was one that GitHub documents."""
    monkeypatch.setitem(hubs.TOKENS, CANARY, hubs.TOKENS["ghs-usual"])
    hub = Hub(now=time.monotonic, permissions={"erin": "write", "mallory": "read"})
    front = Front(tmp_path / "front", hubs.REPOSITORY, topic, CANARY)
    front.told = fronts.github(front)
    host = change_host
    with serving(hub) as api, housed(host, front, Provider.GITHUB, CANARY, app=True) as house:
        front.behind = api.removesuffix("/api/v3")
        with kept(f"{front.url}/api/v3"):
            yield GitHub(house, hub)
        _check_github(front)


def _check_github(front: Front) -> None:
    assert front.passed or front.closed
    for one in front.passed:
        if one.path.endswith("/graphql"):
            check_graphql(json.loads(one.body))
            continue
        headers = {"Content-Type": one.headers.get("content-type", "")}
        asked = requests.Request(one.method, front.url + one.path, headers, data=one.body)
        check_request(asked.prepare(), f"{front.url}/api/v3")


def code(outcome: Outcome) -> int:
    assert isinstance(outcome, Done), outcome
    return int(json.loads(outcome.result)["exitCode"])


def refusal(outcome: Outcome) -> str:
    assert isinstance(outcome, Failed), outcome
    assert CANARY not in outcome.detail
    return outcome.code


def test_a_pull_request_gets_one_check_and_one_comment_and_no_token_is_left(
    github: GitHub,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    head = github.house.front.clone.push({"new.py": WEAK})
    orders = asked(monkeypatch)
    with watched() as shown, github.house.host.ready.aside():
        outcome = github.pushed()
    assert code(outcome) == 1
    assert github.checks == [(head, "failure")]
    summary = "\n".join(github.said)
    assert len(github.said) == 1
    assert "Shell command built from request data" in summary
    assert "Advisories: none were asked for" in github.hub.runs[0]["output"]["summary"]
    assert [one["place"][0] for one in github.hub.threads] == ["new.py"]
    left = [one.read_bytes() for one in github.house.host.data.rglob("*") if one.is_file()]
    said = [*capfd.readouterr(), caplog.text, repr(outcome), repr(left), summary]
    assert not [one for one in said if CANARY in one]
    assert shown == []
    # Who reads what strangers wrote has no token.
    talking, reading = ("changes", True), ("repositories", False)
    assert orders == [talking, ("fetching", True), reading, talking]


def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """From now on: whom the host asks, and whether the order holds the token."""
    told: list[tuple[str, bool]] = []
    real = Children.ask

    async def ask(
        self: Children, worker_kind: WorkerKind, name: str, order: Order, timeout_s: float
    ) -> Outcome:
        told.append((worker_kind.name, CANARY.encode() in written(order)))
        return await real(self, worker_kind, name, order, timeout_s)

    monkeypatch.setattr(Children, "ask", ask)
    return told


@contextmanager
def watched() -> Iterator[list[str]]:
    """While it lasts: whatever command line or environment below this process shows the token."""
    shown: list[str] = []
    over = Event()

    def look() -> None:
        while not over.wait(0.05):
            ours = (Path("/proc", str(pid)) for pid in descendants(os.getpid()))
            files = (one / name for one in ours for name in _SHOWN)
            shown.extend(str(one) for one in files if CANARY.encode() in _bytes(one))

    watcher = Thread(target=look)
    watcher.start()
    yield shown
    over.set()
    watcher.join()


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_an_order_is_a_writers_alone_and_a_strangers_is_worth_no_clone(github: GitHub) -> None:
    github.house.front.clone.push({"new.py": WEAK})
    assert refusal(github.ordered("/mergegate rescan", MALLORY)) == "ORDER_NOT_HEARD"
    assert (github.house.front.gits, github.checks, github.said) == ([], [], [])
    assert code(github.ordered("/mergegate rescan", ERIN)) == 1
    reply, summary = github.said
    assert github.hub.head[:7] in reply
    assert "Shell command built from request data" in summary
    assert github.checks == [(github.hub.head, "failure")]


@pytest.mark.parametrize("allowed", [True, False])
def test_an_ordered_fix_is_committed_where_the_base_allows_it(
    github: GitHub, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    monkeypatch.setitem(hubs.TOKENS, CANARY, hubs.TOKENS["ghs-resolver"])
    clone, store = github.house.front.clone, GitStore(github.house.front.clone.root)
    github.hub.store = store
    clone.push_to_main({".mergegate.yml": ALLOWED if allowed else "version: 1\n"})
    clone.rebase()
    head = clone.push({"main.tf": FIXABLE})
    assert code(github.pushed()) == 0
    known = {one[:10] for one in (head, clone.main, clone.fork)}
    [id] = set(re.findall(r"`([0-9a-f]{10})`", github.said[0])) - known
    assert code(github.ordered(f"/mergegate fix {id}", ERIN, "MEMBER")) == 0
    made = github.hub.head
    assert (made != head) == allowed
    told = "**Committed** as" if allowed else '+    http_tokens = "required"'
    assert told in github.said[-1]
    if allowed:
        assert store.changed(head, made) == ["main.tf"]


def test_a_merge_queue_gets_its_check_and_no_comment(github: GitHub) -> None:
    clone = github.house.front.clone
    queued = clone.merge("main", "topic")
    branch = f"refs/heads/gh-readonly-queue/main/pr-7-{clone.main}"
    git(clone.root, "update-ref", branch, queued)
    git(clone.root, "switch", "-q", "topic")
    group = {
        "head_sha": queued,
        "head_ref": branch,
        "base_sha": clone.main,
        "base_ref": "refs/heads/main",
    }
    told = {"action": "checks_requested", "installation": {"id": 77}, "merge_group": group}
    assert code(github.told("merge_group", told)) == 0
    assert github.checks == [(queued, "success")]
    assert github.said == []


def test_an_answer_that_the_forge_does_not_take_is_a_failed_scan(
    github: GitHub, caplog: pytest.LogCaptureFixture
) -> None:
    github.house.front.closed = True
    assert refusal(github.pushed()) == "PUBLISHING_FAILED"
    assert "PUBLISHING_FAILED" in caplog.text


def test_an_app_that_is_not_installed_there_is_told_from_one_that_fails(github: GitHub) -> None:
    github.house.front.told = lambda _method, _path: None
    assert refusal(github.pushed()) == "PROVIDER_ACCESS_DENIED"
    told = saying.pull_request()
    del told["installation"]
    assert refusal(github.told("pull_request", told)) == "PROVIDER_ACCESS_DENIED"
    assert github.house.front.gits == []


def test_a_change_that_moves_on_during_its_scan_gets_no_comment(github: GitHub) -> None:
    front, scanned = github.house.front, github.house.front.clone.head
    as_it_is = fronts.github(front)

    def moving(method: str, path: str) -> Any:
        if path.endswith("/pulls/7") and front.gits:
            return {"number": 7, "head": {"sha": "d" * 40}, "base": {"sha": front.clone.main}}
        return as_it_is(method, path)

    front.told = moving
    assert code(github.pushed()) == 0
    assert github.checks == [(scanned, "success")]
    assert github.said == []


def test_a_hook_that_was_removed_meanwhile_answers_nothing(github: GitHub) -> None:
    github.house.runner.run(github.house.forget_the_hook())
    github.house.front.closed = True
    assert refusal(github.pushed()) == "HOOK_REMOVED"
    assert github.house.front.gits == []


def test_a_merge_request_gets_a_status_and_a_note(
    change_host: Host, tmp_path: Path, topic: Clone
) -> None:
    clone = topic
    project = Hosted(clone=clone, users=[BOT, ADA, EVE])
    site = GitLab(project=project)
    front = Front(tmp_path / "front", project.path, clone, BOT_TOKEN)
    front.told = fronts.gitlab(front)
    with gitlab_running(site), housed(change_host, front, Provider.GITLAB, BOT_TOKEN) as house:
        front.behind, site.named = site.url, front.url
        head = clone.push({"new.py": WEAK})
        project.base, project.files = clone.files(clone.fork), clone.files("topic")
        target = {"path_with_namespace": project.path}
        told = saying.merge_request(target=target)
        assert code(house.answered(told, x_gitlab_event="Merge Request Hook")) == 1
        states = [(one["sha"], one["state"]) for one in project.statuses]
        assert states == [(head, "running"), (head, "failed")]
        first = project.discuss(ADA, "/mergegate rescan", None)["notes"][0]
        note = saying.note(id=first["id"], username="eve")
        note["merge_request"]["target"] = target
        note["user"]["username"] = "eve"
        assert refusal(house.answered(note, x_gitlab_event="Note Hook")) == "ORDER_NOT_HEARD"
        assert len(project.statuses) == 2
    ours = [one["body"] for one in project.notes if one["author"]["id"] == BOT.id]
    assert "Shell command built from request data" in "".join(ours)
    assert not site.offences
    assert not project.obeyed


def test_bitbucket_gets_a_report_and_a_comment_by_an_api_token(
    change_host: Host, tmp_path: Path, topic: Clone
) -> None:
    name = bitbucket.REPOSITORY
    front = Front(tmp_path / "front", name, topic, "api-secret")
    front.told = fronts.bitbucket(front)
    token = "bot@example.org:api-secret"
    host = change_host
    with (
        bitbucket_server.running() as site,
        housed(host, front, Provider.BITBUCKET, token) as house,
    ):
        front.behind = site.url.removesuffix("/2.0")
        site.url = f"{front.url}/2.0"
        site.head = front.clone.push({"new.py": WEAK})
        site.diff = {"new.py": 5}
        told = saying.bitbucket_pull()
        told["repository"]["full_name"] = name
        assert code(house.answered(told, x_event_key="pullrequest:created")) == 1
    assert site.reports[site.head]["result"] == "FAILED"
    assert site.statuses[site.head]["state"] == "FAILED"
    ours = [one["content"]["raw"] for one in site.standing()]
    assert "Shell command built from request data" in "".join(ours)
    assert "<details>" not in "".join(ours)
    assert [one for exchange in site.exchanges for one in mistakes(exchange)] == []
