"""A change is measured from the right commit, however little the job has cloned."""

from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import TargetError, UsageError
from mergegate.sandbox.git.ancestry import holds, measured_from
from mergegate.sandbox.git.origin import Origin
from mergegate.sandbox.git.repository import Repository
from tests.sandbox.git.origins import Home, clone, grow, home, served
from tests.sandbox.git.test_repository import commit, git, root

__all__ = ["root"]


@pytest.fixture
def there(tmp_path: Path) -> Home:
    return home(tmp_path / "there")


def pull_request(there: Home) -> Change:
    return Change(
        provider=Provider.GITHUB,
        repository="team/shop",
        trigger=Trigger.CHANGE,
        head=there.head,
        base=there.base,
        base_branch="main",
        branch="topic",
        number=7,
    )


def local(there: Home) -> Origin:
    return Origin(url=there.url, local=True)


def between(repository: Repository, base: str) -> set[str]:
    return set(git(repository.root, "log", "--format=%s", f"{base}..HEAD").splitlines())


def test_a_test_merge_is_measured_from_its_other_side(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, "refs/pull/7/merge"))
    base = measured_from(repository, pull_request(there), origin=local(there))
    assert base == there.base
    assert between(repository, there.base) >= {"b.py 0", "b.py 1"}
    assert len(between(repository, there.base)) == 3
    assert {one.raw_path for one in repository.brought(there.base)} == {b"b.py"}
    assert repository.merge_base(there.base) == there.base


def test_a_merge_that_was_made_the_other_way_round_is_too(tmp_path: Path, there: Home) -> None:
    folder = clone(tmp_path / "here", there, there.head, depth=None)
    git(folder, "fetch", "-q", "origin", "main")
    git(folder, "merge", "-q", "--no-edit", "FETCH_HEAD")
    assert measured_from(Repository(folder), pull_request(there)) == there.base


def test_the_change_itself_is_measured_from_where_it_left(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, there.head))
    assert measured_from(repository, pull_request(there), origin=local(there)) == there.fork
    assert between(repository, there.fork) == {"b.py 0", "b.py 1"}


def test_a_change_that_ends_in_a_merge_of_its_base_is_no_test_merge(
    tmp_path: Path, there: Home
) -> None:
    folder = clone(tmp_path / "here", there, there.head, depth=None)
    git(folder, "fetch", "-q", "origin", "main")
    git(folder, "merge", "-q", "--no-edit", "FETCH_HEAD")
    change = replace(pull_request(there), head=git(folder, "rev-parse", "HEAD"))
    assert measured_from(Repository(folder), change) == there.base


def test_a_long_history_is_deepened_in_steps(tmp_path: Path) -> None:
    there = home(tmp_path / "there", shared=500, main=60, topic=70)
    repository = Repository(clone(tmp_path / "here", there, "refs/pull/7/merge"))
    assert measured_from(repository, pull_request(there), origin=local(there)) == there.base
    assert len(between(repository, there.base)) == 71
    # Not more than was needed: the beginning is still missing.
    assert (repository.root / ".git" / "shallow").exists()


def test_a_clone_with_all_that_is_needed_asks_nobody(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, "refs/pull/7/merge", depth=None))
    nobody = Origin(url="http://127.0.0.1:1/none.git")
    assert measured_from(repository, pull_request(there), origin=nobody) == there.base


def test_a_shallow_clone_without_an_origin_says_how_to_clone(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, "refs/pull/7/merge"))
    with pytest.raises(UsageError, match="not in the clone") as refused:
        measured_from(repository, pull_request(there))
    assert "fetch-depth: 0" in refused.value.remedy


def test_a_shallow_clone_whose_origin_is_away_says_so(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, "refs/pull/7/merge"))
    nobody = Origin(url="http://127.0.0.1:1/none.git")
    with pytest.raises(UsageError, match="cannot be reached"):
        measured_from(repository, pull_request(there), origin=nobody)


def test_a_base_that_was_pushed_over_gives_way_to_its_branch(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, there.head))
    change = replace(pull_request(there), base="1" * 40)
    assert measured_from(repository, change, origin=local(there)) == there.fork


def test_a_base_that_is_nowhere_is_an_error(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, there.head))
    change = replace(pull_request(there), base="1" * 40, base_branch="gone")
    with pytest.raises(UsageError, match="not in the clone"):
        measured_from(repository, change, origin=local(there))


def test_an_older_server_is_asked_for_branches(tmp_path: Path) -> None:
    there = home(tmp_path / "there", main=60)
    repository = Repository(clone(tmp_path / "here", there, there.head))
    with served(there.folder.parent, modern=False) as (address, _):
        origin = Origin(url=f"{address}/home.git")
        change = replace(pull_request(there), base=there.fork)
        assert measured_from(repository, change, origin=origin) == there.fork


def test_a_base_that_the_job_fetched_alone_is_connected(tmp_path: Path, there: Home) -> None:
    """All of the change is here, and `git fetch --depth=1 origin main` brought its base."""
    folder = clone(tmp_path / "here", there, there.head, depth=None)
    git(folder, "fetch", "-q", "--depth=1", "origin", "+main:refs/remotes/origin/main")
    assert measured_from(Repository(folder), pull_request(there), origin=local(there)) == there.fork


def test_branches_that_merged_each_other_have_one_base(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "topic")
    topic = grow(root, "b.py", 1)
    git(root, "checkout", "-q", "main")
    main = grow(root, "a.py", 1, 5)
    git(root, "merge", "-q", "--no-edit", topic)
    base = grow(root, "a.py", 1, 6)
    git(root, "checkout", "-q", "topic")
    git(root, "merge", "-q", "--no-edit", main)
    head = grow(root, "b.py", 1, 6)
    change = Change(provider=None, repository="shop", trigger=Trigger.CHANGE, head=head, base=base)
    assert measured_from(Repository(root), change) in {topic, main}


def test_histories_that_share_nothing_are_an_error_for_a_change(tmp_path: Path) -> None:
    there = home(tmp_path / "there")
    work = tmp_path / "there" / "work"
    git(work, "checkout", "-q", "--orphan", "island")
    island = commit(work, "island")
    git(there.folder, "fetch", "-q", str(work), "+island:island")
    repository = Repository(clone(tmp_path / "here", there, island))
    change = replace(pull_request(there), head=island)
    with pytest.raises(UsageError, match="no common commit"):
        measured_from(repository, change, origin=local(there))
    pushed = replace(change, trigger=Trigger.PUSH, before=there.base)
    assert measured_from(repository, pushed, origin=local(there)) is None


def push_to_main(there: Home) -> Change:
    return Change(
        provider=Provider.GITHUB,
        repository="team/shop",
        trigger=Trigger.PUSH,
        before=there.fork,
        branch="main",
        base_branch="main",
    )


def test_a_push_is_measured_from_the_last_commit_that_passed(tmp_path: Path, there: Home) -> None:
    """The clone is of one commit alone: what it lacks of the branch is brought to ask about it."""
    first = git(there.folder, "rev-parse", f"{there.fork}^")
    parent = git(there.folder, "rev-parse", f"{there.base}^")
    push = replace(push_to_main(there), before=parent)

    def measured(name: str, *passed: str) -> str | None:
        here = Repository(clone(tmp_path / name, there, there.base))
        return measured_from(here, push, origin=local(there), has_passed=set(passed).__contains__)

    assert measured("previous", parent, first) == parent
    assert measured("twice", first) == first
    assert measured("never") is None
    assert measured("itself", there.base) is None


def test_a_branch_that_was_set_back_is_not_measured_from_what_it_held(
    tmp_path: Path, there: Home
) -> None:
    """The fix that passed is gone again, and with it the reason to believe HEAD."""
    here = Repository(clone(tmp_path / "here", there, there.fork))
    first = git(there.folder, "rev-parse", f"{there.fork}^")
    push = replace(push_to_main(there), before=there.base)
    passed = {there.base, first}.__contains__
    assert measured_from(here, push, origin=local(there), has_passed=passed) == first


def test_a_push_without_anything_known_has_no_base(tmp_path: Path, there: Home) -> None:
    here = Repository(clone(tmp_path / "here", there, there.base))
    push = push_to_main(there)
    assert measured_from(here, push, origin=local(there)) is None
    gone = replace(push, before="1" * 40)
    assert measured_from(here, gone, origin=local(there), has_passed=lambda _: True) is None
    assert measured_from(here, replace(push, before=None), origin=local(there)) is None


def test_a_new_branch_is_measured_from_where_it_left_the_default_one(
    tmp_path: Path, there: Home
) -> None:
    repository = Repository(clone(tmp_path / "here", there, there.head))
    push = Change(
        provider=Provider.GITLAB,
        repository="team/shop",
        trigger=Trigger.PUSH,
        base="main",
        branch="topic",
        base_branch="main",
    )
    assert measured_from(repository, push, origin=local(there)) == there.fork


def test_a_fork_that_calls_its_branch_like_the_base_is_not_measured_from_itself(
    tmp_path: Path, there: Home
) -> None:
    """The clone's own ``main``, local or of the fork, is the change."""
    folder = clone(tmp_path / "here", there, there.head)
    git(folder, "branch", "main", "HEAD")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    change = replace(pull_request(there), base="main", branch="main", from_fork=True)
    assert measured_from(Repository(folder), change, origin=local(there)) == there.fork
    with pytest.raises(UsageError):
        measured_from(Repository(clone(tmp_path / "other", there, there.head)), change)


def test_a_branch_named_like_the_base_commit_is_not_taken_for_it(
    tmp_path: Path, there: Home
) -> None:
    folder = clone(tmp_path / "here", there, there.head)
    git(folder, "update-ref", f"refs/heads/{there.base}", "HEAD")
    assert Repository(folder).commit(there.base) is None
    assert measured_from(Repository(folder), pull_request(there), origin=local(there)) == there.fork


@pytest.mark.parametrize("name", ["main", "origin/main"])
def test_a_tag_never_shadows_the_base(tmp_path: Path, there: Home, name: str) -> None:
    """Whoever may push can push a tag: of the clone's branches one has it, the other the origin."""
    order = replace(pull_request(there), trigger=Trigger.MANUAL, base=name)
    for number, known in enumerate((True, False)):
        folder = clone(tmp_path / f"{number}", there, there.head, depth=None)
        git(folder, "tag", name, "HEAD")
        if known:
            git(folder, "fetch", "-q", "origin", "main:refs/remotes/origin/main")
        assert measured_from(Repository(folder), order, origin=local(there)) == there.fork


def test_a_tag_of_the_origin_is_brought(tmp_path: Path, there: Home) -> None:
    git(there.folder, "-c", "tag.gpgSign=false", "tag", "-am", "one", "v1", there.fork)
    here = Repository(clone(tmp_path / "here", there, there.head))
    order = replace(pull_request(there), trigger=Trigger.MANUAL, base="v1")
    assert measured_from(here, order, origin=local(there)) == there.fork


def test_a_base_that_nobody_has_is_an_error_that_names_its_neighbours(
    tmp_path: Path, there: Home
) -> None:
    folder = clone(tmp_path / "here", there, there.base)
    git(folder, "tag", "v1.20")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    order = replace(push_to_main(there), trigger=Trigger.MANUAL, base="v1.2", before=None)
    with pytest.raises(UsageError, match=r"'v1\.2' is not in this repository") as refused:
        measured_from(Repository(folder), order, origin=local(there))
    assert refused.value.remedy == "Is it `v1.20`? Else fetch it first."


def test_a_person_may_name_any_revision(root: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    grow(root, "a.py", 3)
    order = Change(provider=None, repository="shop", trigger=Trigger.MANUAL, base="HEAD~3")
    assert measured_from(Repository(root), order) == first
    git(root, "tag", "v1", first)
    assert measured_from(Repository(root), replace(order, base="v1")) == first
    with pytest.raises(UsageError):
        measured_from(Repository(root), replace(order, base="--output=x"))


def test_an_answer_never_stands_on_a_commit_that_was_not_scanned(
    tmp_path: Path, there: Home
) -> None:
    """On ``pull_request_target`` the base is checked out, where the change looks clean."""
    repository = Repository(clone(tmp_path / "here", there, there.base, depth=None))
    assert not holds(repository, pull_request(there))
    with pytest.raises(UsageError, match="checked out"):
        measured_from(repository, pull_request(there), origin=local(there))


def test_a_change_that_moved_on_is_not_held_by_its_older_merge(tmp_path: Path, there: Home) -> None:
    repository = Repository(clone(tmp_path / "here", there, "refs/pull/7/merge"))
    moved = replace(pull_request(there), head="2" * 40)
    assert not holds(repository, moved)
    assert holds(repository, pull_request(there))
    assert holds(repository, replace(moved, head=None))


def test_a_merge_that_the_platform_squashed_is_believed(tmp_path: Path, there: Home) -> None:
    """GitLab's merged result may have a squashed commit for its second parent."""
    repository = Repository(clone(tmp_path / "here", there, "refs/pull/7/merge"))
    squashed = replace(pull_request(there), head="2" * 40)
    found = measured_from(repository, squashed, origin=local(there), test_merge=there.merge)
    assert found == there.base


def test_a_commit_on_top_of_the_change_is_no_merge_of_it(tmp_path: Path, there: Home) -> None:
    folder = clone(tmp_path / "here", there, there.head)
    (folder / "generated.py").write_text("x = 1\n")
    commit(folder, "generated")
    assert not holds(Repository(folder), pull_request(there))


@pytest.fixture
def partial(tmp_path: Path, there: Home) -> Path:
    """A clone of ``topic`` that has the files of its last commit alone."""
    git(there.folder, "config", "uploadpack.allowFilter", "true")
    git(there.folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    folder = tmp_path / "here"
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--branch=topic", there.url, str(folder))
    return folder


def test_a_partial_clone_says_what_is_missing(partial: Path, there: Home) -> None:
    with pytest.raises(UsageError, match="partial clone") as refused:
        measured_from(Repository(partial), pull_request(there))
    remedy = refused.value.remedy.rsplit("`", 2)[1]
    git(partial, *remedy.removeprefix("git ").split())
    assert measured_from(Repository(partial), pull_request(there)) == there.fork


@pytest.mark.parametrize("filtered", ["blob:none", "tree:0"])
def test_what_a_partial_clone_lacks_is_brought(
    tmp_path: Path, there: Home, partial: Path, filtered: str
) -> None:
    folder = tmp_path / "other"
    git(tmp_path, "clone", "-q", f"--filter={filtered}", "-b", "topic", there.url, str(folder))
    git(folder, "-c", "user.name=A", "merge", "-q", "--no-edit", "origin/main")
    repository = Repository(folder)
    git(folder, "remote", "set-url", "origin", "file:///nowhere")
    assert measured_from(repository, pull_request(there), origin=local(there)) == there.base
    assert list(repository.blobs(repository.entries(there.base)))
    assert {one.raw_path for one in repository.brought(there.base)} == {b"b.py"}
    assert repository.shown_lines(there.base, there.head).keys() == {"b.py"}
    assert repository.renumbering(there.head)


def test_a_file_that_a_damaged_clone_lacks_is_named_and_never_a_traceback(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    blob = git(root, "rev-parse", "HEAD:a.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UsageError, match="lacks files"):
        Repository(root).entries(head)


def test_a_clone_whose_files_cannot_be_brought_is_told_in_our_words(
    tmp_path: Path, there: Home, partial: Path
) -> None:
    folder = tmp_path / "other"
    git(tmp_path, "clone", "-q", "--filter=tree:0", "--no-checkout", there.url, str(folder))
    git(folder, "remote", "set-url", "origin", "file:///nowhere")
    repository = Repository(folder)
    with pytest.raises(TargetError, match="lacks files of its commits, as a partial clone does"):
        repository.entries(git(folder, "rev-parse", "HEAD"))


@pytest.mark.parametrize(
    "branch", ["--upload-pack=x", "main\nrefs/heads/topic", "a:b", "a..b", "x.lock", "-", ""]
)
def test_a_hostile_branch_never_reaches_git(tmp_path: Path, there: Home, branch: str) -> None:
    repository = Repository(clone(tmp_path / "here", there, there.head))
    change = replace(pull_request(there), base=branch, base_branch=branch)
    with pytest.raises(UsageError, match="not in the clone"):
        measured_from(repository, change, origin=Origin(url="http://127.0.0.1:1/none.git"))
