"""Commits and one change of ours, by the same words on all three forges, over real Git objects."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.change import Trigger
from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.branches import (
    BranchMoved,
    ChangedFile,
    Committed,
    Memory,
    NewCommit,
    recall,
    remember,
)
from mergegate.forges.marker import Hiding
from tests.forges.bitbucket.case import CHANGE as AT_BITBUCKET
from tests.forges.bitbucket.case import connected
from tests.forges.bitbucket.server import running as bitbucket_running
from tests.forges.branch_places import (
    ODD,
    OURS,
    PLACES,
    Place,
    made,
    on_github_itself,
)
from tests.forges.github.hub import Answer
from tests.forges.gitlab_case import on, prepared
from tests.forges.gitlab_repository import Repository
from tests.sandbox.git.test_repository import git


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with PLACES[request.param](tmp_path) as found:
        yield found


CHANGED = (
    ChangedFile(path="a b/ü.txt", content=b"one\r\nTWO\r\n"),
    ChangedFile(path="b.sh", content=b"#!/bin/sh\necho\n", executable=True),
)


def new(place: Place, **other: object) -> NewCommit:
    plain = NewCommit(
        branch="topic",
        expected=place.first,
        parent=place.first,
        message="Fix it\n\nWith a body: ü\n",
        files=CHANGED,
    )
    return replace(plain, **other)  # type: ignore[arg-type]


def test_a_commit_has_the_files_their_modes_and_its_message(place: Place) -> None:
    done = place.branches.commit(new(place))
    assert place.tips() == {"main": place.first, "topic": done.commit}
    store = place.store
    assert store.parents(done.commit) == [place.first]
    assert store.content(done.commit, "a b/ü.txt") == b"one\r\nTWO\r\n"
    assert [store.mode(done.commit, one.path) for one in CHANGED] == ["100644", "100755"]
    assert store.message(done.commit) == "Fix it\n\nWith a body: ü"
    assert done.commit in done.url
    assert not done.remark
    assert place.branches.holds(done.commit, CHANGED)
    assert not place.branches.holds(place.first, CHANGED)
    gone = ChangedFile(path="gone.txt", content=b"")
    assert not place.branches.holds(done.commit, (gone,))


@pytest.mark.parametrize("to", ["later", "gone"])
def test_a_branch_that_is_elsewhere_stays_there(place: Place, to: str) -> None:
    tip = place.later() if to == "later" else None
    place.lead("topic", tip)
    with pytest.raises(BranchMoved):
        place.branches.commit(new(place))
    assert place.tips().get("topic") == tip


def test_a_push_while_the_commit_is_made_is_not_lost(place: Place) -> None:
    tip = place.later()
    place.before_commit(lambda: place.lead("topic", tip))
    with pytest.raises(BranchMoved):
        place.branches.commit(new(place))
    assert place.tips()["topic"] == tip


def test_a_branch_is_found_whatever_it_is_called(place: Place) -> None:
    place.lead(ODD, place.first)
    found = place.branches.find(ODD)
    assert found is not None
    assert (found.tip, found.is_default, found.is_protected) == (place.first, False, False)
    done = place.branches.commit(new(place, branch=ODD))
    assert place.tips()[ODD] == done.commit
    assert place.branches.find("nobody/made-it") is None


def test_the_default_branch_and_a_protected_one_are_told(place: Place) -> None:
    place.protect("topic")
    default, protected = (place.branches.find(one) for one in ("main", "topic"))
    assert default is not None
    assert protected is not None
    assert (default.is_default, default.is_protected) == (True, False)
    assert (protected.is_default, protected.is_protected) == (False, True)


def test_a_token_that_may_not_write_is_told_what_it_lacks(place: Place) -> None:
    branches = place.forge("reader").branches
    assert branches is not None
    with pytest.raises(NotAllowed) as caught:
        branches.commit(new(place))
    assert any(one in caught.value.remedy for one in ("contents: write", "scope", "api"))
    assert place.tips()["topic"] == place.first


def upgraded(place: Place, expected: str | None, parent: str, content: bytes) -> Committed:
    restored = ChangedFile(path="b.sh", content=b"#!/bin/sh\n", executable=True)
    return place.branches.commit(
        new(
            place,
            branch=OURS,
            expected=expected,
            parent=parent,
            files=(ChangedFile(path="a b/ü.txt", content=content),),
            restored=(restored,) if expected else (),
        )
    )


def test_a_branch_of_ours_is_made_renewed_and_removed(place: Place) -> None:
    one = place.branches.commit(new(place, branch=OURS, expected=None))
    assert place.tips()[OURS] == one.commit
    parent = place.later()
    place.lead("main", parent)
    two = upgraded(place, one.commit, parent, b"one\r\nthree\r\n")
    assert place.tips()[OURS] == two.commit
    assert place.store.content(two.commit, "a b/ü.txt") == b"one\r\nthree\r\n"
    script = b"#!/bin/sh\n" if place.name == "bitbucket" else b"more\n"
    assert place.store.content(two.commit, "b.sh") == script
    on_top = place.name == "bitbucket"
    assert place.store.parents(two.commit) == [one.commit if on_top else parent]
    place.branches.remove(OURS, two.commit)
    assert OURS not in place.tips()


def test_what_somebody_pushed_to_our_branch_is_neither_replaced_nor_removed(place: Place) -> None:
    one = place.branches.commit(new(place, branch=OURS, expected=None))
    theirs = place.store.commit(place.store.tree_of(one.commit), [one.commit], "mine")
    place.lead(OURS, theirs)
    with pytest.raises(BranchMoved):
        upgraded(place, one.commit, place.first, b"x")
    with pytest.raises(BranchMoved):
        place.branches.remove(OURS, one.commit)
    assert place.tips()[OURS] == theirs


def test_our_change_is_opened_edited_and_closed(place: Place) -> None:
    tip = place.branches.commit(new(place, branch=OURS, expected=None)).commit
    memory = Memory(tip=tip, digest="d1", paths=("a b/ü.txt",))
    body = f"Rows\n\n{remember(memory, place.hiding)}"
    url = place.own_changes.open(OURS, "main", "Upgrade", body)
    [found] = place.own_changes.ours(OURS)
    assert (found.memory, found.is_open, found.url) == (memory, True, url)
    later = replace(memory, digest="d2")
    place.own_changes.edit(found, "Upgrade more", f"Rows\n\n{remember(later, place.hiding)}")
    [found] = place.own_changes.ours(OURS)
    assert found.memory == later
    place.own_changes.close(found)
    [found] = place.own_changes.ours(OURS)
    assert (found.is_open, found.is_merged) == (False, False)


def test_a_change_of_somebody_else_with_our_marker_is_not_ours(place: Place) -> None:
    memory = Memory(tip=place.first, digest="d")
    place.forge_pulls(f"Rows\n\n{remember(memory, place.hiding)}")
    assert list(place.own_changes.ours(OURS)) == []


@pytest.mark.parametrize("hiding", list(Hiding))
def test_a_memory_is_read_again_and_a_damaged_one_is_none(hiding: Hiding) -> None:
    memory = Memory(tip="a" * 40, digest="b" * 16, paths=("ü/x", "-->"))
    line = remember(memory, hiding)
    assert recall(f"text\n\n{line}") == memory
    assert recall(line[:-9] + line[-5:]) is None
    assert recall("text") is None
    assert recall("<!-- mergegate:upgrades eJwDAAAAAAE= -->") is None


def test_the_seal_of_a_token_that_may_not_ask_who_it_is_tells_our_change(tmp_path: Path) -> None:
    store, first = made(tmp_path)
    with bitbucket_running() as state:
        state.store, state.branches = store, {"main": first}
        change = replace(AT_BITBUCKET, number=None, trigger=Trigger.SCHEDULE)
        ours = connected(state, "token-secret", change=change).own_changes
        theirs = connected(state, "other-secret", change=change).own_changes
        assert ours is not None
        assert theirs is not None
        ours.open(OURS, "main", "x", remember(Memory(tip=first, digest="d"), Hiding.REFERENCE))
        assert len(ours.ours(OURS)) == 1
        assert list(theirs.ours(OURS)) == []


@pytest.mark.parametrize(("path", "is_made"), [("a b/ü.txt", False), ("b.sh", True)])
def test_gitlab_makes_no_commit_over_a_push_to_the_same_file(
    tmp_path: Path, path: str, is_made: bool
) -> None:
    store, first = made(tmp_path)
    oid = store.blob(b"theirs\n")
    tree = store.tree(store.tree_of(first), {path: ("100644", oid)})
    theirs = store.commit(tree, [first], "theirs")
    with prepared() as site:
        site.repository = repository = Repository(store, {"main": first, "topic": first})

        def meanwhile() -> None:
            repository.branches["topic"] = theirs

        site.before.append(("POST", "/repository/commits$", meanwhile))
        branches = on(site).branches
        assert branches is not None
        new = NewCommit(
            branch="topic", expected=first, parent=first, message="m", files=CHANGED[:1]
        )
        if is_made:
            done = branches.commit(new)
            assert store.parents(done.commit) == [theirs]
            assert "stands on what was pushed then" in done.remark
        else:
            with pytest.raises(BranchMoved):
                branches.commit(new)
            assert repository.branches["topic"] == theirs


@pytest.mark.parametrize(("branch", "is_protected"), [("release/1", True), ("topic", False)])
def test_bitbucket_may_protect_a_branch_by_its_use(
    tmp_path: Path, branch: str, is_protected: bool
) -> None:
    store, first = made(tmp_path)
    with bitbucket_running() as state:
        state.store, state.branches = store, {"main": first, branch: first}
        rule = {"type": "branchrestriction", "kind": "push", "branch_match_kind": "branching_model"}
        others = {"type": "branchrestriction", "kind": "push", "branch_match_kind": "glob"}
        state.restrictions = [
            *({**others, "pattern": f"other-{number}"} for number in range(120)),
            rule | {"branch_type": "release", "pattern": ""},
            rule | {"branch_type": "development", "pattern": ""},
        ]
        found = connected(state).branches
        assert found is not None
        one, main = found.find(branch), found.find("main")
        assert one is not None
        assert main is not None
        assert (one.is_protected, main.is_protected) == (is_protected, True)


def test_bitbucket_takes_no_path_that_would_break_its_form(tmp_path: Path) -> None:
    store, first = made(tmp_path)
    with bitbucket_running() as state:
        state.store, state.branches = store, {"main": first, "topic": first}
        found = connected(state).branches
        assert found is not None
        for path in ('a"; name="branch', "a\r\nb", "a\\b"):
            hostile = ChangedFile(path=path, content=b"x")
            with pytest.raises(ForgeError, match="cannot be sent"):
                found.commit(
                    NewCommit(
                        branch="topic", expected=first, parent=first, message="m", files=(hostile,)
                    )
                )
        assert state.branches["topic"] == first


@pytest.mark.parametrize("kind", [None, "STALE_DATA", "FORBIDDEN"])
def test_whatever_github_says_of_a_branch_that_moved_it_is_looked_at(
    tmp_path: Path, kind: str | None
) -> None:
    with on_github_itself(tmp_path) as (hub, branches, first):
        place = hub.store
        assert place is not None
        tip = place.commit(place.tree_of(first), [first], "theirs")
        hub.interludes.append((r"^POST \S+/git/trees$", lambda: hub.lead("topic", tip)))
        error = {"message": "no", **({"type": kind} if kind else {})}
        said = Answer(200, {"data": None, "errors": [error]})
        hub.troubles += [(r"POST \S+/graphql", said)] * 4
        with pytest.raises(BranchMoved):
            branches.commit(
                NewCommit(branch="topic", expected=first, parent=first, message="m", files=CHANGED)
            )
        assert hub.head == tip


def test_an_answer_of_github_that_got_lost_is_no_failure(tmp_path: Path) -> None:
    with on_github_itself(tmp_path) as (hub, branches, first):

        def done() -> None:
            listed = git(tmp_path, "cat-file", "--batch-all-objects", "--batch-check")
            rows = [line.split() for line in listed.splitlines()]
            [made] = {oid for oid, kind, _ in rows if kind == "commit"} - {first}
            hub.lead("topic", made)

        hub.interludes.append((r"^POST \S+/graphql$", done))
        lost = Answer(403, {"message": "lost"})
        hub.troubles.append((r"POST \S+/graphql", lost))
        new = NewCommit(branch="topic", expected=first, parent=first, message="m", files=CHANGED)
        assert branches.commit(new).commit == hub.head
