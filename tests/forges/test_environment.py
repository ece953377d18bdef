"""Jobs of GitLab, Bitbucket and Jenkins are read from their variables, which may hold anything."""

import base64
import urllib.parse
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import UsageError
from mergegate.forges.context import CiContext
from mergegate.forges.environment import detect, origin, owner_at_github
from mergegate.forges.variables import is_address, is_repository
from mergegate.sandbox.git.names import is_branch, is_commit
from mergegate.sandbox.git.repository import Repository
from tests.forges.jobs import (
    BASE,
    BITBUCKET,
    BITBUCKET_REQUEST,
    GITLAB,
    GITLAB_BRANCH,
    GITLAB_MERGED,
    GITLAB_REQUEST,
    HEAD,
    JENKINS,
    JENKINS_REQUEST,
    MERGE,
    github,
    pull_request,
)
from tests.sandbox.git.origins import grow
from tests.sandbox.git.test_repository import git, root

__all__ = ["root"]


def test_a_merge_request_of_gitlab(tmp_path: Path) -> None:
    found = detect(GITLAB_REQUEST)
    assert found.change == Change(
        provider=Provider.GITLAB,
        repository="group/sub/shop",
        trigger=Trigger.CHANGE,
        head=HEAD,
        base=BASE,
        base_branch="main",
        branch="feat(api)/größe",
        number=7,
        sequence=1200,
        run_url="https://gitlab.example.org/group/sub/shop/-/jobs/900",
    )
    assert found.api_url == "https://gitlab.example.org/api/v4"
    assert found.clone_url == "https://gitlab.example.org/group/sub/shop.git"
    assert found.token_names[-1] == "CI_JOB_TOKEN"
    assert found.workspace == Path("/builds/group/sub/shop")


def test_a_merged_result_is_answered_on_the_branch_of_the_change() -> None:
    found = detect(GITLAB_MERGED)
    assert (found.change.head, found.change.base, found.test_merge) == (HEAD, BASE, MERGE)


def test_a_merge_train_is_a_queue() -> None:
    found = detect(GITLAB_MERGED | {"CI_MERGE_REQUEST_EVENT_TYPE": "merge_train"})
    assert (found.change.trigger, found.change.number) == (Trigger.QUEUE, 7)


def test_a_pipeline_in_a_fork_speaks_of_the_project_it_wants_into() -> None:
    fork = {
        "CI_PROJECT_PATH": "mallory/shop",
        "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": "mallory/shop",
    }
    change = detect(GITLAB_REQUEST | fork).change
    assert (change.repository, change.from_fork) == ("group/sub/shop", True)


def test_a_child_pipeline_belongs_to_its_merge_request() -> None:
    found = detect(GITLAB_REQUEST | {"CI_PIPELINE_SOURCE": "parent_pipeline"})
    assert found.change.trigger is Trigger.CHANGE


@pytest.mark.parametrize(
    ("more", "trigger", "base"),
    [
        ({"CI_COMMIT_BEFORE_SHA": BASE}, Trigger.PUSH, "main"),
        ({}, Trigger.PUSH, "main"),
        ({"CI_COMMIT_BRANCH": "main"}, Trigger.PUSH, None),
        ({"CI_COMMIT_BRANCH": "", "CI_COMMIT_TAG": "v1"}, Trigger.PUSH, None),
        ({"CI_PIPELINE_SOURCE": "schedule"}, Trigger.SCHEDULE, None),
        ({"CI_PIPELINE_SOURCE": "web"}, Trigger.MANUAL, None),
        ({"CI_PIPELINE_SOURCE": "api"}, Trigger.MANUAL, None),
        ({"CI_PIPELINE_SOURCE": "trigger"}, Trigger.MANUAL, None),
    ],
)
def test_branches_of_gitlab(more: dict[str, str], trigger: Trigger, base: str | None) -> None:
    change = detect(GITLAB_BRANCH | more).change
    assert (change.trigger, change.head, change.base) == (trigger, HEAD, base)


def test_a_link_to_elsewhere_is_no_link_to_the_job() -> None:
    found = detect(GITLAB | {"CI_JOB_URL": "https://example.org/phish"})
    assert found.change.run_url == ""


def test_a_pull_request_of_bitbucket_has_short_commits(root: Path) -> None:
    found = detect(BITBUCKET_REQUEST)
    assert found.change == Change(
        provider=Provider.BITBUCKET,
        repository="team/shop",
        trigger=Trigger.CHANGE,
        base="main",
        base_branch="main",
        branch="topic",
        number=7,
        sequence=42,
        run_url="https://bitbucket.org/team/shop/pipelines/results/42/steps/"
        "%7Bfe99db34-e979-40be-b383-c1a7738b52f7%7D",
    )
    assert found.short_head == HEAD[:12]
    head = git(root, "rev-parse", "HEAD")
    there = detect(BITBUCKET_REQUEST | {"BITBUCKET_COMMIT": head[:12]})
    assert there.completed(Repository(root)).head == head
    assert found.completed(Repository(root)).head is None
    grow(root, "a.py", 1)
    git(root, "branch", head[:12])
    assert there.completed(Repository(root)).head == head


@pytest.mark.parametrize(
    ("said", "trigger"),
    [
        ("true", Trigger.SCHEDULE),
        ("True", Trigger.SCHEDULE),
        ("", Trigger.PUSH),
        ("1", Trigger.PUSH),
    ],
)
def test_a_pipeline_of_bitbucket_says_that_a_schedule_started_it(
    said: str, trigger: Trigger
) -> None:
    assert detect({**BITBUCKET, "MERGEGATE_SCHEDULED": said}).change.trigger is trigger
    request = detect({**BITBUCKET_REQUEST, "MERGEGATE_SCHEDULED": said})
    assert request.change.trigger is Trigger.CHANGE


def test_branches_of_bitbucket() -> None:
    change = detect(BITBUCKET).change
    assert (change.trigger, change.head, change.base) == (Trigger.PUSH, HEAD, None)
    custom = {name: BITBUCKET[name] for name in BITBUCKET if name != "BITBUCKET_BRANCH"}
    assert detect(custom).change.trigger is Trigger.MANUAL


def test_a_change_on_jenkins_is_measured_from_its_target() -> None:
    change = detect(JENKINS_REQUEST).change
    assert (change.provider, change.trigger, change.number) == (None, Trigger.CHANGE, 7)
    assert (change.base, change.branch) == ("main", "topic")
    push = detect(JENKINS).change
    assert (push.trigger, push.before, push.branch) == (Trigger.PUSH, BASE, "main")
    built = {"GIT_PREVIOUS_SUCCESSFUL_COMMIT": "", "GIT_PREVIOUS_COMMIT": BASE}
    assert detect(JENKINS | built).change.before is None


def test_without_any_platform_it_is_somebodys_order(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    found = detect({})
    assert found == CiContext(
        change=Change(provider=None, repository="repo", trigger=Trigger.MANUAL),
        clone_tokens=(("x-access-token", "MERGEGATE_TOKEN"),),
        workspace=root,
    )
    assert found.completed(Repository(root)).head == git(root, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("environment", "owner"),
    [
        ({"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "octo/shop"}, "octo"),
        (
            {
                "GITHUB_ACTIONS": "true",
                "GITHUB_REPOSITORY": "octo/shop",
                "GITHUB_SERVER_URL": "https://git.example.org",
            },
            "",
        ),
        ({"GITHUB_ACTIONS": "true"}, ""),
        ({"GITHUB_REPOSITORY": "octo/shop"}, None),
    ],
)
def test_a_job_of_github_says_who_owns_the_repository(
    environment: dict[str, str], owner: str | None
) -> None:
    assert owner_at_github(environment) == owner


def test_a_change_is_never_completed_from_what_happens_to_be_checked_out(
    root: Path, tmp_path: Path
) -> None:
    found = detect(github(tmp_path, "pull_request", pull_request()))
    assert found.completed(Repository(root)).head == HEAD


HOSTILE = (
    "--upload-pack=x",
    "$(id)",
    "main\nrefs/heads/x",
    "::error::x",
    "../../etc",
    "a/../b",
    "https://user:pass@example.org/",
    "javascript:alert(1)",
    "１２",
    "1_0",
    "-1",
    "\udcff",
    "\ud800",
    "\0",
    "/",
    "0" * 40,
    "9" * 5000,
    HEAD,
)
JOBS = (GITLAB_REQUEST, GITLAB_BRANCH, BITBUCKET_REQUEST, BITBUCKET, JENKINS_REQUEST, JENKINS)


def test_whatever_a_variable_holds_only_what_is_safe_comes_in() -> None:
    for job in JOBS:
        for name in set(job) - {"GITLAB_CI"}:
            for value in HOSTILE:
                is_safe_or_refused({**job, name: value})


@given(st.sampled_from(JOBS), st.data(), st.text(max_size=40))
@settings(deadline=None)
def test_whatever_text_a_variable_holds_nothing_breaks(
    job: Mapping[str, str], data: st.DataObject, text: str
) -> None:
    is_safe_or_refused({**job, data.draw(st.sampled_from(sorted(job))): text})


def is_safe_or_refused(job: Mapping[str, str]) -> None:
    try:
        found = detect(job)
    except UsageError:
        return
    change = found.change
    assert change.head is None or is_commit(change.head)
    assert change.base is None or is_commit(change.base) or is_branch(change.base)
    assert all(not one or is_branch(one) for one in (change.branch, change.base_branch))
    assert change.provider is None or is_repository(change.repository)
    links = (change.run_url, found.api_url, found.server_url)
    assert all(not one or is_address(one) for one in links)
    assert change.number is None or change.number > 0


def header(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def test_missing_history_comes_from_where_the_change_wants_into(root: Path, tmp_path: Path) -> None:
    job = github(tmp_path, "pull_request", pull_request(), GITHUB_TOKEN="hunter2")
    git(root, "remote", "add", "origin", "https://evil.example.org/team/shop.git")
    found = origin(detect(job), job, Repository(root))
    assert found and found.url == "https://github.com/team/shop.git"
    assert found.authorization == header("x-access-token", "hunter2")
    assert "hunter2" not in repr(found)


def test_gitlab_lets_its_job_token_read(root: Path) -> None:
    job = {**GITLAB_REQUEST, "CI_JOB_TOKEN": "job", "MERGEGATE_TOKEN": "bot"}
    found = origin(detect(job), job, Repository(root))
    assert found and found.authorization == header("gitlab-ci-token", "job")


def test_bitbucket_adds_the_credentials_on_the_way(root: Path) -> None:
    job = {**BITBUCKET_REQUEST, "MERGEGATE_TOKEN": "bot"}
    found = origin(detect(job), job, Repository(root))
    assert found and (found.proxy, found.authorization) == ("http://localhost:29418", "")
    assert found.url == "http://bitbucket.org/team/shop"


KEPT = f"AUTHORIZATION: {header('x-access-token', 'kept').replace('Basic', 'basic')}"


def test_what_the_checkout_left_is_used_without_a_token(root: Path, tmp_path: Path) -> None:
    job = github(tmp_path, "pull_request", pull_request())
    git(root, "config", "http.https://github.com/.extraheader", KEPT)
    found = origin(detect(job), job, Repository(root))
    assert found and found.authorization.casefold() == KEPT.partition(": ")[2].casefold()


def test_what_the_checkout_left_beside_the_clone_is_used_too(root: Path, tmp_path: Path) -> None:
    runner = tmp_path / "runner"
    runner.mkdir()
    job = github(tmp_path, "pull_request", pull_request(), RUNNER_TEMP=str(runner))
    kept = runner / "git-credentials-01234567-89ab-cdef-0123-456789abcdef.config"
    git(root, "config", f"--file={kept}", "http.https://github.com/.extraheader", KEPT)
    git(root, "config", f"includeIf.gitdir:{root}/.git.path", str(kept))
    found = origin(detect(job), job, Repository(root))
    assert found and found.authorization.casefold() == KEPT.partition(": ")[2].casefold()


@pytest.mark.parametrize("place", ["elsewhere", "link", "named otherwise"])
def test_a_file_that_the_clone_points_to_elsewhere_is_not_read(
    root: Path, tmp_path: Path, place: str
) -> None:
    runner, elsewhere = tmp_path / "runner", tmp_path / "elsewhere"
    runner.mkdir()
    elsewhere.mkdir()
    name = "git-credentials-01234567-89ab-cdef-0123-456789abcdef.config"
    job = github(tmp_path, "pull_request", pull_request(), RUNNER_TEMP=str(runner))
    kept = {
        "elsewhere": elsewhere / name,
        "link": elsewhere / name,
        "named otherwise": runner / "config",
    }[place]
    git(root, "config", f"--file={kept}", "http.https://github.com/.extraheader", KEPT)
    if place == "link":
        (runner / name).symlink_to(kept)
        kept = runner / name
    git(root, "config", f"includeIf.gitdir:{root}/.git.path", str(kept))
    found = origin(detect(job), job, Repository(root))
    assert found and found.authorization == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("http.https://evil.example.org/.extraheader", KEPT),
        ("http.extraheader", KEPT),
        ("http.https://github.com/.extraheader", "Cookie: a=b"),
        ("http.https://github.com/.extraheader", f"{KEPT}\nHost: evil.example.org"),
    ],
)
def test_a_header_for_another_host_or_of_another_kind_is_not_sent(
    root: Path, tmp_path: Path, key: str, value: str
) -> None:
    job = github(tmp_path, "pull_request", pull_request())
    git(root, "config", key, value)
    found = origin(detect(job), job, Repository(root))
    assert found and found.authorization == ""


@pytest.mark.parametrize(
    ("remote", "url", "authorization"),
    [
        ("https://git.example.org/a/b.git", "https://git.example.org/a/b.git", ""),
        (
            "https://bot:s%40crt@git.example.org/a/b.git",
            "https://git.example.org/a/b.git",
            header("bot", "s@crt"),
        ),
        ("git@git.example.org:a/b.git", None, ""),
        ("http://git.example.org/a/b.git", None, ""),
        ("ext::sh -c id", None, ""),
        ("https://[::1", None, ""),
    ],
)
def test_plain_git_asks_the_clones_own_origin(
    root: Path, remote: str, url: str | None, authorization: str
) -> None:
    git(root, "remote", "add", "origin", remote)
    found = origin(detect({}), {}, Repository(root))
    assert (found.url if found else None) == url
    assert (found.authorization if found else "") == authorization


def test_a_password_for_one_host_is_not_sent_to_another(root: Path) -> None:
    git(root, "remote", "add", "origin", "https://bot:secret@evil.example.org/a/b.git")
    found = origin(detect(GITLAB_REQUEST), GITLAB_REQUEST, Repository(root))
    assert found and urllib.parse.urlsplit(found.url).hostname == "gitlab.example.org"
    assert found.authorization == ""
