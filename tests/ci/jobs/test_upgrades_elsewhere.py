"""The pull request with upgrades on GitLab and Bitbucket, by real jobs of their schedules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.ci.jobs.bitbucket_job import PullRequest
from tests.ci.jobs.clones import Clone
from tests.ci.jobs.gitlab_job import MergeRequest
from tests.ci.jobs.test_upgrades import ALLOWED, OURS, lock, manifest, publish
from tests.conftest import Run
from tests.forges.git_store import GitStore
from tests.forges.gitlab_repository import Repository
from tests.sandbox.git.test_repository import git

DEPENDENCIES = ("--only", "dependencies")
FILES = {
    ".mergegate.yml": ALLOWED,
    "package.json": manifest(qs="^6.5.0"),
    "package-lock.json": lock(qs="6.7.0"),
}


@dataclass
class Schedule:
    """The default branch of one forge, and the job that looks at it."""

    clone: Clone
    run: Callable[[Mapping[str, str]], Run]
    tips: dict[str, str]
    texts: Callable[[], list[tuple[str, str, str]]]
    """Of every pull request of ours its state, title and text."""
    runs: int = 0

    @property
    def known(self) -> Path:
        return self.clone.outside / "known"

    def push(self, files: Mapping[str, str]) -> None:
        self.tips["main"] = self.clone.push_to_main(files)

    def look(self) -> Run:
        self.runs += 1
        git(self.clone.root, "switch", "-q", "--detach", "main")
        data = str(self.clone.outside / f"data-{self.runs}")
        told = {"MERGEGATE_ADVISORIES": str(self.known), "MERGEGATE_DATA_DIR": data}
        return self.run(told)


@pytest.fixture
def on_gitlab(merge_request: MergeRequest) -> Schedule:
    clone = merge_request.clone
    repository = Repository(GitStore(clone.root), {"main": clone.main})
    merge_request.site.repository = repository

    def run(told: Mapping[str, str]) -> Run:
        branch = {"CI_PIPELINE_SOURCE": "schedule", "CI_COMMIT_BRANCH": "main"}
        branch |= {"CI_COMMIT_SHA": clone.main, "CI_MERGE_REQUEST_IID": ""}
        return merge_request.ci(*DEPENDENCIES, **branch, **told)

    def texts() -> list[tuple[str, str, str]]:
        return [(one["state"], one["title"], one["description"]) for one in repository.requests]

    return Schedule(clone, run, repository.branches, texts)


@pytest.fixture
def on_bitbucket(pull_request: PullRequest) -> Schedule:
    clone, site = pull_request.clone, pull_request.site
    site.store, site.branches = GitStore(clone.root), {"main": clone.main}

    def run(told: Mapping[str, str]) -> Run:
        branch = {"BITBUCKET_BRANCH": "main", "BITBUCKET_COMMIT": clone.main}
        none = {"BITBUCKET_PR_ID": "", "BITBUCKET_PR_DESTINATION_BRANCH": ""}
        none["BITBUCKET_PR_DESTINATION_COMMIT"] = ""
        scheduled = {"MERGEGATE_SCHEDULED": "true"}
        return pull_request.ci(*DEPENDENCIES, **branch, **none, **scheduled, **told)

    def texts() -> list[tuple[str, str, str]]:
        words = {"OPEN": "opened", "DECLINED": "closed"}
        return [(words[one["state"]], one["title"], one["description"]) for one in site.pulls]

    return Schedule(clone, run, site.branches, texts)


@pytest.fixture(params=["on_gitlab", "on_bitbucket"])
def schedule(request: pytest.FixtureRequest) -> Schedule:
    found: Any = request.getfixturevalue(request.param)
    assert isinstance(found, Schedule)
    found.push(FILES)
    publish(found.known, "qs", "6.7.3", "GHSA-qs-1")
    return found


def test_it_is_opened_once_renewed_and_closed(schedule: Schedule) -> None:
    store = GitStore(schedule.clone.root)
    first = schedule.look()
    assert "upgrades: https://" in first.err
    [(state, title, text)] = schedule.texts()
    assert (state, title) == ("opened", "Upgrade a dependency with known vulnerabilities")
    assert "| `qs` | `6.7.0` | `6.7.3` | `GHSA-qs-1` | `package.json` |" in text
    tip = schedule.tips[OURS]
    assert store.parents(tip) == [schedule.tips["main"]]
    assert store.content(tip, "package.json") == manifest(qs="^6.7.3").encode()
    schedule.look()
    assert (schedule.tips[OURS], len(schedule.texts())) == (tip, 1)
    publish(schedule.known, "qs", "6.9.7", "GHSA-qs-2")
    schedule.look()
    [(state, _, text)] = schedule.texts()
    assert "GHSA-qs-2" in text
    assert store.content(schedule.tips[OURS], "package.json") == manifest(qs="^6.9.7").encode()
    schedule.push({"package.json": manifest(qs="^6.9.7"), "package-lock.json": lock(qs="6.9.7")})
    last = schedule.look()
    assert "is closed" in last.err
    [(state, _, _)] = schedule.texts()
    assert (state, OURS in schedule.tips) == ("closed", False)


def test_more_upgrades_than_a_text_holds_are_counted(schedule: Schedule) -> None:
    names = [f"a-package-with-a-name-that-is-rather-long-{number}" for number in range(70)]
    for name in names:
        for fixed in ("1.0.1", "1.0.2", "1.0.3"):
            publish(schedule.known, name, fixed, f"GHSA-{fixed}-of-{name}")
    schedule.push(
        {
            "package.json": manifest(**dict.fromkeys(names, "^1.0.0")),
            "package-lock.json": lock(**dict.fromkeys(names, "1.0.0")),
        }
    )
    schedule.look()
    [(_, title, text)] = schedule.texts()
    assert title == "Upgrade 70 dependencies with known vulnerabilities"
    rows = text.count("\n| `a-package")
    assert 10 < rows <= 50
    assert f"And {70 - rows} more." in text
    assert len(text) < 32_768
    after = GitStore(schedule.clone.root).content(schedule.tips[OURS], "package.json")
    assert after == manifest(**dict.fromkeys(names, "^1.0.3")).encode()


def test_a_commit_of_somebody_else_stays(schedule: Schedule) -> None:
    schedule.look()
    store, tip = GitStore(schedule.clone.root), schedule.tips[OURS]
    schedule.tips[OURS] = theirs = store.commit(store.tree_of(tip), [tip], "theirs")
    publish(schedule.known, "qs", "6.9.7", "GHSA-qs-2")
    assert "somebody else has committed" in schedule.look().err
    assert schedule.tips[OURS] == theirs


def test_a_pipeline_of_bitbucket_that_does_not_say_so_is_no_schedule(
    on_bitbucket: Schedule, pull_request: PullRequest
) -> None:
    on_bitbucket.push(FILES)
    publish(on_bitbucket.known, "qs", "6.7.3", "GHSA-qs-1")
    pull_request.ci(
        *DEPENDENCIES,
        BITBUCKET_COMMIT=on_bitbucket.clone.main,
        BITBUCKET_BRANCH="main",
        BITBUCKET_PR_ID="",
        MERGEGATE_ADVISORIES=str(on_bitbucket.known),
    )
    assert on_bitbucket.texts() == []
