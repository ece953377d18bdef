"""What a host is asked to scan is what was pushed, and nothing that it would not see."""

from pathlib import Path

import pytest

from mergegate.core.errors import TargetError, UsageError
from mergegate.remote.scan import asked
from tests.remote.conftest import called, head
from tests.sandbox.git.test_repository import canary, commit, git


def test_the_commit_is_named_as_the_provider_knows_it(clone: Path) -> None:
    assert asked(clone, None).order().body == {
        "provider": "github",
        "owner": "octo-org",
        "repo": "shop",
        "branch": "main",
        "commit": head(clone),
    }


def test_a_provider_of_another_name_is_left_to_the_host(clone: Path) -> None:
    called(clone, "git@git.example.org:group/sub/shop.git")
    body = asked(clone, None).order().body
    assert (body["owner"], body["repo"], "provider" in body) == ("group/sub", "shop", False)


def test_the_base_is_where_the_branch_left_it(clone: Path) -> None:
    base = head(clone)
    git(clone, "checkout", "-q", "-b", "topic")
    (clone / "b.py").write_text("two\n")
    commit(clone, "second")
    git(clone, "update-ref", "refs/remotes/origin/topic", "HEAD")
    found = asked(clone, "main")
    assert (found.base, found.commit, found.branch) == (base, head(clone), "topic")


def test_a_commit_that_was_not_pushed_is_refused(clone: Path) -> None:
    (clone / "b.py").write_text("two\n")
    commit(clone, "second")
    with pytest.raises(UsageError, match=rf"{head(clone)[:12]} is on no branch of origin.*Push"):
        asked(clone, None)


def test_a_base_that_was_not_pushed_is_refused(clone: Path) -> None:
    git(clone, "checkout", "-q", "-b", "topic")
    (clone / "b.py").write_text("two\n")
    commit(clone, "base")
    base = head(clone)
    (clone / "c.py").write_text("three\n")
    commit(clone, "third")
    git(clone, "update-ref", "refs/remotes/origin/other", "HEAD")
    git(clone, "update-ref", "refs/remotes/origin/main", "main")
    assert asked(clone, base).base == base, "what holds the head holds its ancestors"
    git(clone, "update-ref", "-d", "refs/remotes/origin/other")
    with pytest.raises(UsageError, match="on no branch of origin"):
        asked(clone, base)


def test_a_clone_that_knows_no_branch_of_origin_leaves_it_to_the_host(clone: Path) -> None:
    git(clone, "update-ref", "-d", "refs/remotes/origin/main")
    git(clone, "checkout", "-q", "--detach")
    found = asked(clone, None)
    assert (found.branch, found.commit) == (None, head(clone))


@pytest.mark.parametrize("name", ["a.py", "new.py", "odd\nname.py"])
def test_what_is_not_committed_is_named(clone: Path, name: str) -> None:
    (clone / name).write_text("changed\n")
    with pytest.raises(UsageError, match="not committed: " + name):
        asked(clone, None)


def test_many_that_are_not_committed_are_counted(clone: Path) -> None:
    for number in range(9):
        (clone / f"n{number}.py").write_text("")
    with pytest.raises(UsageError, match=r"n0.py, n1.py, n2.py, n3.py, n4.py and 4 more\."):
        asked(clone, None)


def test_what_is_staged_is_not_committed(clone: Path) -> None:
    (clone / "a.py").write_text("changed\n")
    git(clone, "add", "-A")
    with pytest.raises(UsageError, match=r"not committed: a\.py"):
        asked(clone, None)


def test_ignored_files_and_touched_ones_are_no_change(clone: Path) -> None:
    (clone / ".git" / "info" / "exclude").write_text("build/\n")
    (clone / "build").mkdir()
    (clone / "build" / "out.o").write_text("x")
    (clone / "a.py").touch()
    assert asked(clone, None).commit == head(clone)


def test_a_folder_of_the_repository_is_refused(clone: Path) -> None:
    (clone / "src").mkdir()
    with pytest.raises(UsageError, match="a folder of the repository"):
        asked(clone / "src", None)


def test_no_work_tree_no_origin_no_commit_are_refused(tmp_path: Path, clone: Path) -> None:
    with pytest.raises(TargetError, match="not inside a Git work tree"):
        asked(tmp_path, None)
    git(clone, "remote", "remove", "origin")
    with pytest.raises(UsageError, match="no remote `origin`"):
        asked(clone, None)
    git(tmp_path, "init", "-q", "empty")
    git(tmp_path / "empty", "remote", "add", "origin", "https://github.com/octo-org/shop")
    with pytest.raises(UsageError, match="no commit yet"):
        asked(tmp_path / "empty", None)


@pytest.mark.parametrize("variable", ["clean", "process"])
@pytest.mark.parametrize("included", [False, True])
def test_filters_of_the_clone_never_run(clone: Path, variable: str, included: bool) -> None:
    (clone / ".gitattributes").write_text("*.py filter=e=vil\n")
    commit(clone, "attributes")
    git(clone, "update-ref", "refs/remotes/origin/main", "HEAD")
    program = canary(clone)
    file = clone / ".git" / ("more" if included else "config")
    git(clone, "config", "include.path", "more")
    git(clone, "config", f"--file={file}", f"filter.e=vil.{variable}", str(program))
    git(clone, "config", f"--file={file}", "filter.e=vil.required", "true")
    (clone / "a.py").touch()
    assert asked(clone, None).commit == head(clone)
    assert not (clone.parent / "ran").exists()
