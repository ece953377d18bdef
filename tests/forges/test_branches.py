"""Commits and one change of ours, by the same words on all three forges, over real Git objects."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import pytest

from mergegate.core.change import Trigger
from mergegate.core.errors import ForgeError, NotAllowed
from mergegate.forges.branches import (
    Branches,
    BranchMoved,
    ChangedFile,
    Committed,
    Memory,
    NewCommit,
    OwnChanges,
    recall,
    remember,
)
from mergegate.forges.marker import Hiding
from mergegate.forges.ports import Forge
from tests.forges.bitbucket.case import CHANGE as AT_BITBUCKET
from tests.forges.bitbucket.case import connected
from tests.forges.bitbucket.contract import mistakes
from tests.forges.bitbucket.server import running as bitbucket_running
from tests.forges.bitbucket.stand_in import OTHER_TOKEN
from tests.forges.git_store import GitStore
from tests.forges.github.clock import Clock
from tests.forges.github.conftest import PUSH, Site
from tests.forges.github.contract import kept
from tests.forges.github.hub import PERSON, Answer, Hub
from tests.forges.github.server import serving
from tests.forges.gitlab_case import on, prepared
from tests.forges.gitlab_repository import Repository
from tests.forges.gitlab_stand_in import BOT_TOKEN, EVE, READ_TOKEN, GitLab
from tests.sandbox.git.test_repository import commit, git

OURS = "mergegate/upgrades"
ODD = "feat/ü#1%2f?x=&y"


@dataclass
class Place:
    """One forge, whose repository has ``main`` and ``topic``, both at one commit."""

    name: str
    store: GitStore
    first: str
    hiding: Hiding
    forge: Callable[[str], Forge]
    """What a token allows: ``writer`` or ``reader``."""
    tips: Callable[[], dict[str, str]]
    lead: Callable[[str, str | None], None]
    protect: Callable[[str], None]
    before_commit: Callable[[Callable[[], None]], None]
    """Have something happen while a commit is made."""
    forge_pulls: Callable[[str], None]
    """Somebody else opens a pull request from our branch, with this text."""

    @property
    def branches(self) -> Branches:
        found = self.forge("writer").branches
        assert found is not None
        return found

    @property
    def own_changes(self) -> OwnChanges:
        found = self.forge("writer").own_changes
        assert found is not None
        return found

    def later(self, text: str = "more\n") -> str:
        """A commit of somebody else after the first."""
        oid = self.store.blob(text.encode())
        tree = self.store.tree(self.store.tree_of(self.first), {"b.sh": ("100755", oid)})
        return self.store.commit(tree, [self.first], "more")


def made(root: Path) -> tuple[GitStore, str]:
    git(root, "init", "-q", "-b", "main")
    (root / "a b").mkdir()
    (root / "a b" / "ü.txt").write_bytes(b"one\r\ntwo\r\n")
    (root / "b.sh").write_text("#!/bin/sh\n")
    (root / "b.sh").chmod(0o755)
    return GitStore(root), commit(root, "first")


@contextmanager
def on_github(root: Path) -> Iterator[Place]:
    store, first = made(root)
    clock = Clock()
    hub = Hub(now=clock.now, store=store, base=first, head=first)
    tokens = {"writer": "ghs-resolver", "reader": "ghs-usual"}

    def others(body: str) -> None:
        row = {"number": 9, "state": "open", "body": body, "user": PERSON.said, "commits": []}
        home = {"repo": {"full_name": "acme/shop"}}
        url = "https://github.example.org/acme/shop/pull/9"
        hub.pulls.append(row | {"head": {"ref": OURS, **home}, "html_url": url})

    def meanwhile(act: Callable[[], None]) -> None:
        hub.interludes.append((r"^POST \S+/git/trees$", act))

    with serving(hub) as api_url, kept(api_url) as requests:
        site = Site(hub, clock, api_url, requests)
        yield Place(
            name="github",
            store=store,
            first=first,
            hiding=Hiding.HTML,
            forge=lambda who: site.forge(tokens[who], PUSH),
            tips=hub.tips,
            lead=hub.lead,
            protect=hub.protected.add,
            before_commit=meanwhile,
            forge_pulls=others,
        )


@contextmanager
def on_gitlab(root: Path) -> Iterator[Place]:
    store, first = made(root)
    with prepared() as site:
        repository = Repository(store, {"main": first, "topic": first})
        site.repository = repository
        tokens = {"writer": BOT_TOKEN, "reader": READ_TOKEN}

        def lead(name: str, tip: str | None) -> None:
            repository.branches.pop(name, None)
            repository.branches |= {name: tip} if tip else {}

        def others(body: str) -> None:
            texts = {"title": "x", "description": body, "target_branch": "main"}
            repository.open(EVE, texts | {"source_branch": OURS})

        yield Place(
            name="gitlab",
            store=store,
            first=first,
            hiding=Hiding.HTML,
            forge=lambda who: on(site, tokens[who], number=None, trigger=Trigger.SCHEDULE),
            tips=lambda: repository.branches,
            lead=lead,
            protect=repository.protected.add,
            before_commit=lambda act: _before(site, act),
            forge_pulls=others,
        )


def _before(site: GitLab, act: Callable[[], None]) -> None:
    site.before.append(("GET", r"/repository/branches/", act))


@contextmanager
def on_bitbucket(root: Path) -> Iterator[Place]:
    store, first = made(root)
    with bitbucket_running() as state:
        state.store, state.branches = store, {"main": first, "topic": first}
        tokens = {"writer": "bot-secret", "reader": "reader-secret"}
        change = replace(AT_BITBUCKET, number=None, trigger=Trigger.SCHEDULE)

        def lead(name: str, tip: str | None) -> None:
            state.branches.pop(name, None)
            state.branches |= {name: tip} if tip else {}

        def protect(name: str) -> None:
            rule = {"type": "branchrestriction", "kind": "push", "pattern": f"{name[:2]}*"}
            state.restrictions.append(rule | {"branch_match_kind": "glob"})

        def others(body: str) -> None:
            lies = {"type": "repository", "full_name": "example/shop"}
            home = {"branch": {"name": OURS}, "repository": lies}
            row = {"id": 900, "state": "OPEN", "description": body, "author": OTHER_TOKEN.shape}
            ends = {"source": home, "destination": {"branch": {"name": "main"}}}
            state.pulls.append({"type": "pullrequest", **row, **ends})

        yield Place(
            name="bitbucket",
            store=store,
            first=first,
            hiding=Hiding.REFERENCE,
            forge=lambda who: connected(state, tokens[who], change=change),
            tips=lambda: state.branches,
            lead=lead,
            protect=protect,
            before_commit=lambda act: state.before.append((r"^POST \S+/src$", act)),
            forge_pulls=others,
        )
    assert [one for exchange in state.exchanges for one in mistakes(exchange)] == []


class Setting(Protocol):
    def __call__(self, root: Path) -> AbstractContextManager[Place]: ...


PLACES: dict[str, Setting] = {
    "github": on_github,
    "gitlab": on_gitlab,
    "bitbucket": on_bitbucket,
}


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


@contextmanager
def on_github_itself(root: Path) -> Iterator[tuple[Hub, Branches, str]]:
    store, first = made(root)
    clock = Clock()
    hub = Hub(now=clock.now, store=store, base=first, head=first)
    with serving(hub) as api_url, kept(api_url) as requests:
        branches = Site(hub, clock, api_url, requests).forge("ghs-resolver", PUSH).branches
        assert branches is not None
        yield hub, branches, first
