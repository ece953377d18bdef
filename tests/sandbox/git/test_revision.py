"""A name that a person gives stands for one commit, whatever others have pushed."""

from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.git.revision import BRANCHES, find, resolve
from tests.sandbox.git.test_repository import commit, git, root

__all__ = ["root"]


@pytest.fixture
def two(root: Path) -> tuple[Repository, str, str]:
    """A repository whose branches are at the first of its commits, and HEAD at the second."""
    first = git(root, "rev-parse", "HEAD")
    git(root, "remote", "add", "origin", "https://example.org/team/shop.git")
    git(root, "update-ref", "refs/remotes/origin/next", first)
    git(root, "checkout", "-q", "--detach")
    (root / "a.py").write_text("two\n")
    return Repository(root), first, commit(root, "second")


@pytest.mark.parametrize(
    ("tag", "ref"),
    [
        ("main", "main"),
        ("origin/next", "origin/next"),
        ("next", "next"),
        ("main", "main~0"),
        ("heads/main", "heads/main"),
        ("refs/heads/main", "refs/heads/main"),
        ("remotes/origin/next", "remotes/origin/next"),
    ],
)
def test_a_branch_comes_before_a_tag(two: tuple[Repository, str, str], tag: str, ref: str) -> None:
    repository, first, second = two
    git(repository.root, "update-ref", f"refs/tags/{tag}", second)
    assert resolve(repository, ref) == first
    assert resolve(repository, f"refs/tags/{tag}") == second


@pytest.mark.parametrize("ref", ["refs/heads/gone", "origin/gone", "refs/remotes/origin/gone"])
def test_a_tag_is_no_branch_that_is_not_here(two: tuple[Repository, str, str], ref: str) -> None:
    repository, _, second = two
    git(repository.root, "update-ref", f"refs/tags/{ref}", second)
    with pytest.raises(UsageError, match="is not in this repository"):
        resolve(repository, ref)
    assert repository.commit(ref) is None


def test_a_tag_is_found_by_its_name_where_tags_are_asked(two: tuple[Repository, str, str]) -> None:
    repository, first, _ = two
    git(repository.root, "-c", "tag.gpgSign=false", "tag", "-am", "one", "v1", first)
    assert resolve(repository, "v1") == first
    assert find(repository, "v1", BRANCHES) is None


def test_a_name_of_two_branches_is_refused_with_both(two: tuple[Repository, str, str]) -> None:
    repository, _, second = two
    git(repository.root, "update-ref", "refs/heads/origin/next", second)
    with pytest.raises(UsageError, match="two commits") as refused:
        resolve(repository, "origin/next")
    assert "`refs/heads/origin/next` or `refs/remotes/origin/next`" in refused.value.remedy


def test_a_tag_named_like_an_abbreviated_commit_is_refused(
    two: tuple[Repository, str, str],
) -> None:
    repository, first, second = two
    git(repository.root, "update-ref", f"refs/tags/{first[:8]}", second)
    with pytest.raises(UsageError, match="two commits"):
        resolve(repository, first[:8])
    assert resolve(repository, first) == repository.commit(first[:8]) == first


@pytest.mark.parametrize("ref", ["HEAD", "@", "HEAD~0", "main..HEAD"])
def test_what_git_itself_understands_is_understood(
    two: tuple[Repository, str, str], ref: str
) -> None:
    repository, _, second = two
    if ".." in ref:
        with pytest.raises(UsageError):
            resolve(repository, ref)
    else:
        assert resolve(repository, ref) == second
