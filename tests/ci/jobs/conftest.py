"""A pull request on the stand-in of GitHub, with a real clone to scan."""

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tests.ci.jobs.bitbucket_job import PullRequest, pull_request_of
from tests.ci.jobs.clones import CHEAP, FIRST, Clone, cloned
from tests.ci.jobs.gitlab_job import MergeRequest, merge_request_of
from tests.conftest import Mergegate, Run, command
from tests.forges.git_store import GitStore
from tests.forges.github.hub import NUMBER, REPOSITORY, Hub
from tests.forges.github.server import serving
from tests.sandbox.git.test_repository import commit, git


@dataclass(frozen=True)
class Moment:
    """All that a pull request, its clone and its jobs had come to."""

    folder: Path
    hub: Hub
    runs: int


@dataclass
class Pull:
    """The pull request, its clone, and the job that answers it."""

    hub: Hub
    api_url: str
    root: Path
    mergegate: Mergegate
    runs: int = 0
    environment: dict[str, str] = field(default_factory=dict)

    def push(self, files: dict[str, str]) -> str:
        """A commit on the change; the forge shows all lines of the changed files."""
        for name, text in files.items():
            (self.root / name).write_text(text)
        head = commit(self.root, f"push {self.runs}")
        self.hub.head = head
        self.hub.diff = {name: [range(1, 1 + text.count("\n"))] for name, text in files.items()}
        return head

    def event(self, **more: Any) -> dict[str, Any]:
        def side(sha: str, ref: str) -> dict[str, Any]:
            return {"sha": sha, "ref": ref, "repo": {"full_name": REPOSITORY, "fork": False}}

        base = git(self.root, "rev-parse", "main")
        pull = {"number": NUMBER, "head": side(self.hub.head, "topic"), "base": side(base, "main")}
        return {
            "action": "synchronize",
            "number": NUMBER,
            "pull_request": pull,
            "repository": {"full_name": REPOSITORY, "default_branch": "main"},
            **more,
        }

    def ci(
        self,
        *arguments: str,
        token: str = "ghs-usual",
        name: str = "pull_request",
        environment: Mapping[str, str] = MappingProxyType({}),
        **more: Any,
    ) -> Run:
        """``mergegate ci`` in the job of an event; ``environment`` is this run's alone."""
        event = self.root.parent / "event.json"
        event.write_text(json.dumps(self.event(**more)))
        scan = ("ci", *CHEAP, *arguments)
        return self.run(*scan, token=token, name=name, environment=environment)

    def run(
        self,
        *arguments: str,
        token: str,
        name: str,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> Run:
        self.runs += 1
        outside = self.root.parent
        for file in ("summary.md", "output.txt"):
            (outside / file).write_text("")
        given = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(outside / "event.json"),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SERVER_URL": "https://github.example.org",
            "GITHUB_API_URL": self.api_url,
            "GITHUB_WORKSPACE": str(self.root),
            "GITHUB_RUN_ID": str(1000 + self.runs),
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_SHA": self.hub.head,
            "GITHUB_REF": f"refs/pull/{NUMBER}/merge",
            "GITHUB_STEP_SUMMARY": str(outside / "summary.md"),
            "GITHUB_OUTPUT": str(outside / "output.txt"),
            "GITHUB_TOKEN": token,
            "MERGEGATE_REPORT": str(outside / "report"),
            **self.environment,
            **environment,
        }
        return self.mergegate(*arguments, env=given, cwd=self.root)

    def kept(self, folder: Path) -> Moment:
        """A copy to go back to, in a ``folder`` that is not there yet; not of ``environment``."""
        shutil.copytree(self.root.parent, folder, symlinks=True)
        return Moment(folder, deepcopy(self.hub), self.runs)

    def back_to(self, moment: Moment) -> None:
        """Be another pull request at that moment: a scan takes longer than a copy."""
        shutil.rmtree(self.root.parent)
        shutil.copytree(moment.folder, self.root.parent, symlinks=True)
        vars(self.hub).update(vars(deepcopy(moment.hub)))
        self.hub.store = GitStore(self.root)
        self.runs = moment.runs

    @property
    def outputs(self) -> dict[str, str]:
        lines = (self.root.parent / "output.txt").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    @property
    def summary(self) -> str:
        return (self.root.parent / "summary.md").read_text()

    @property
    def open_threads(self) -> int:
        """Without `contents: write` a thread cannot be resolved: its comment is folded instead."""
        return sum(not (one["isResolved"] or _folded(one)) for one in self.hub.threads)


def _folded(thread: dict[str, Any]) -> bool:
    return "No longer found" in thread["comments"][0]["body"]


@pytest.fixture
def mergegate(tmp_path: Path, answers: Path) -> Mergegate:
    return command(tmp_path, answers)


@pytest.fixture(scope="session")
def first_pull(_fresh: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pull") / "repo"
    shutil.copytree(_fresh, root, symlinks=True)
    git(root, "remote", "add", "origin", f"https://github.example.org/{REPOSITORY}.git")
    git(root, "switch", "-q", "-c", "topic")
    for name, text in FIRST.items():
        (root / name).write_text(text)
    commit(root, "first")
    return root


@pytest.fixture
def pull(mergegate: Mergegate, tmp_path: Path, first_pull: Path) -> Iterator[Pull]:
    """Of a change that is clean, of the same commits in every test."""
    root = Path(shutil.copytree(first_pull, tmp_path / "repo", symlinks=True))
    hub = Hub(now=time.monotonic, store=GitStore(root))
    hub.base, hub.head = git(root, "rev-parse", "main", "topic").split()
    hub.diff = {name: [range(1, 1 + text.count("\n"))] for name, text in FIRST.items()}
    with serving(hub) as api_url:
        yield Pull(hub, api_url, root, mergegate)


@pytest.fixture(scope="session")
def first_topic(_fresh: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("topic") / "repo"
    return cloned(Path(shutil.copytree(_fresh, root, symlinks=True))).root


@pytest.fixture
def topic(tmp_path: Path, first_topic: Path) -> Clone:
    """A change that is clean, of the same commits in every test."""
    return Clone(Path(shutil.copytree(first_topic, tmp_path / "repo", symlinks=True)))


@pytest.fixture
def merge_request(mergegate: Mergegate, topic: Clone) -> Iterator[MergeRequest]:
    with merge_request_of(topic, mergegate) as found:
        yield found


@pytest.fixture
def pull_request(mergegate: Mergegate, topic: Clone) -> Iterator[PullRequest]:
    with pull_request_of(topic, mergegate) as found:
        yield found
