"""A repository with two branches on each of the three forges, behind one set of words."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from mergegate.core.change import Trigger
from mergegate.forges.branches import (
    Branches,
    OwnChanges,
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
from tests.forges.github.hub import PERSON, Hub
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


@contextmanager
def on_github_itself(root: Path) -> Iterator[tuple[Hub, Branches, str]]:
    store, first = made(root)
    clock = Clock()
    hub = Hub(now=clock.now, store=store, base=first, head=first)
    with serving(hub) as api_url, kept(api_url) as requests:
        branches = Site(hub, clock, api_url, requests).forge("ghs-resolver", PUSH).branches
        assert branches is not None
        yield hub, branches, first
