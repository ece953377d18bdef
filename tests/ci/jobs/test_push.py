"""A push is measured from what passed: a second push hides nothing that failed with the first."""

from pathlib import Path

import pytest

from tests.ci.jobs.clones import CLOSED, OPEN
from tests.ci.jobs.conftest import Pull
from tests.ci.jobs.gitlab_job import MergeRequest
from tests.ci.jobs.test_plain import Build, build
from tests.conftest import CLEAN, Run
from tests.forges.github.hub import REPOSITORY
from tests.forges.gitlab_stand_in import BOT_TOKEN
from tests.sandbox.git.test_repository import git

__all__ = ["build"]


def pushed(pull: Pull, files: dict[str, str], *arguments: str, token: str = "ghs-usual") -> Run:
    """The job of a push to the branch that is checked out."""
    branch, before = git(pull.root, "branch", "--show-current"), git(pull.root, "rev-parse", "HEAD")
    pull.push(files)
    repository = {"full_name": REPOSITORY, "default_branch": "main"}
    ref = f"refs/heads/{branch}"
    return pull.ci(
        *arguments, name="push", token=token, before=before, ref=ref, repository=repository
    )


def test_on_github_a_second_push_does_not_hide_the_first(pull: Pull) -> None:
    git(pull.root, "switch", "-q", "main")
    assert pushed(pull, {"one.yaml": CLOSED}).code == 0
    assert pushed(pull, {"app.yaml": OPEN}).code == 1
    again = pushed(pull, {"two.py": CLEAN})
    assert (again.code, "the last commit of main that passed" in again.err) == (1, True)
    assert pull.outputs["new-findings"] == "1"
    assert pushed(pull, {"app.yaml": CLOSED}).code == 0


def test_on_github_a_pass_of_a_request_is_none_of_the_branch(pull: Pull) -> None:
    """The request was measured from a main that failed; its commit is then pushed there."""
    pull.push({"old.yaml": OPEN})
    git(pull.root, "branch", "-f", "main")
    pull.push({"new.py": CLEAN})
    assert pull.ci().code == 0
    git(pull.root, "switch", "-q", "main")
    git(pull.root, "merge", "-q", "--ff-only", "topic")
    run = pushed(pull, {"newer.py": CLEAN}, "--fail-on", "new")
    assert (run.code, "all of main is judged" in run.err) == (1, True)


def test_a_push_beside_the_default_branch_is_measured_from_there(pull: Pull) -> None:
    git(pull.root, "update-ref", "refs/remotes/origin/main", "main")
    assert pushed(pull, {"app.yaml": OPEN}, token="ghs-fork").code == 1
    run = pushed(pull, {"two.py": CLEAN}, token="ghs-fork")
    assert (run.code, "where topic left main" in run.err) == (1, True)


def test_without_a_token_a_push_to_the_default_branch_is_judged_whole(pull: Pull) -> None:
    git(pull.root, "switch", "-q", "main")
    pushed(pull, {"app.yaml": OPEN}, token="")
    run = pushed(pull, {"two.py": CLEAN}, token="")
    assert (run.code, "all of main is judged" in run.err) == (1, True)
    assert "name a `base`" in run.err


def test_on_gitlab_a_second_push_does_not_hide_the_first(merge_request: MergeRequest) -> None:
    def push(files: dict[str, str], token: str = BOT_TOKEN) -> Run:
        before = merge_request.clone.main
        head = merge_request.clone.push_to_main(files)
        git(merge_request.clone.root, "switch", "-q", "--detach", head)
        return merge_request.ci(
            CI_MERGE_REQUEST_IID="",
            CI_COMMIT_BRANCH="main",
            CI_COMMIT_BEFORE_SHA=before,
            CI_PIPELINE_SOURCE="push",
            MERGEGATE_TOKEN=token,
        )

    assert push({"one.yaml": CLOSED}).code == 0
    assert push({"app.yaml": OPEN}).code == 1
    again = push({"two.py": CLEAN})
    assert (again.code, "the last commit of main that passed" in again.err) == (1, True)
    blind = push({"three.py": CLEAN}, token="")
    assert (blind.code, "all of main is judged" in blind.err) == (1, True)


def test_on_jenkins_the_last_build_is_not_the_last_that_passed(build: Build) -> None:
    branch = {"CHANGE_BRANCH": "", "CHANGE_ID": "", "CHANGE_TARGET": "", "BRANCH_NAME": "topic"}
    good = build.clone.head
    first = build.clone.push({"app.yaml": OPEN})
    build.clone.push({"new.py": CLEAN})
    passed = {"GIT_PREVIOUS_SUCCESSFUL_COMMIT": good, "GIT_PREVIOUS_COMMIT": first}
    assert build.ci(**branch, **passed).code == 1
    run = build.ci(**branch, GIT_PREVIOUS_SUCCESSFUL_COMMIT="", GIT_PREVIOUS_COMMIT=first)
    assert (run.code, "all of topic is judged" in run.err) == (1, True)


@pytest.mark.parametrize("event", ["push", "schedule"])
def test_a_base_that_does_not_exist_passes_nothing(pull: Pull, event: str) -> None:
    git(pull.root, "update-ref", "refs/remotes/origin/main", "main")
    pull.push({"app.yaml": OPEN})
    before = git(pull.root, "rev-parse", "HEAD~1")
    run = pull.ci("--base", "mian", name=event, before=before, ref="refs/heads/topic")
    assert run.code == 2
    assert "the base 'mian' is not in this repository" in run.err
    assert "Is it `main`" in run.err


def test_a_branch_that_is_its_own_base_is_judged_whole(pull: Pull, tmp_path: Path) -> None:
    pull.push({"app.yaml": OPEN})
    git(pull.root, "update-ref", "refs/remotes/origin/topic", "HEAD")
    pull.environment["GITHUB_REF"] = "refs/heads/topic"
    for name in ("topic", "origin/topic"):
        run = pull.ci("--base", name, name="schedule")
        assert (run.code, "is this branch itself" in run.err) == (1, True)
