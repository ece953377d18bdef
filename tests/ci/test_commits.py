"""What is committed, and what is not: policies, paths, lines, and who proved the fix."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.ci import commits
from mergegate.ci.checkout import Checkout
from mergegate.ci.commits import InPlace, Ordered, Uncommitted, permitted
from mergegate.ci.options import Job, job, usual
from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.finding import Edit
from mergegate.core.report import Fix
from mergegate.forges.branches import Committed, Source
from mergegate.forges.context import CiContext
from mergegate.forges.ports import Forge
from mergegate.repo.fixes import gates
from mergegate.repo.settings import FixPolicy
from mergegate.sandbox.git.repository import Repository
from tests.forges.git_store import GitStore
from tests.forges.github.clock import Clock
from tests.forges.github.conftest import PUSH, Site
from tests.forges.github.contract import kept
from tests.forges.github.hub import Hub
from tests.forges.github.server import serving
from tests.repo.report import samples
from tests.sandbox.git.test_repository import commit, git

REPORT = samples.failed()
FINDING = replace(REPORT.issues[0], id="0123456789abcdef0123", rule_id="rule-a")
ALLOWED = "fixes: {commits: allow, upgrades: allow}\n"


def fix(*edits: Edit, **other: Any) -> Fix:
    plain = Fix(
        id="fix-1",
        finding_ids=(FINDING.id,),
        title="T",
        explanation="E",
        edits=edits,
        source="rule",
        verified=tuple(gates.NAMES),
    )
    return replace(plain, **other)


def settings(**values: str) -> Job:
    return job(usual() | values)


def checkout(root: Path) -> Checkout:
    repository = Repository(root)
    change = Change(
        provider=Provider.GITHUB,
        repository="acme/shop",
        trigger=Trigger.COMMENT,
        head=repository.head(),
        number=7,
    )
    return Checkout(CiContext(change=change, workspace=root), change, root, repository)


@contextmanager
def on_branch(root: Path, head: str | None = None) -> Iterator[tuple[Forge, Hub]]:
    """The forge, where ``topic`` is at ``head``, or at what is checked out in ``root``."""
    head = head or git(root, "rev-parse", "HEAD")
    clock = Clock()
    hub = Hub(now=clock.now, store=GitStore(root), head=head)
    with serving(hub) as api_url, kept(api_url) as requests:
        found = Site(hub, clock, api_url, requests).forge("ghs-resolver", PUSH)
        own = Source(branch="topic", is_own=True, into="main")
        yield replace(found, head=head, source=own), hub


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree with a plain file, a link, a file of other bytes, and folders."""
    root = tmp_path / "repo"
    (root / "below").mkdir(parents=True)
    git(root, "init", "-q", "-b", "topic")
    (root / "a.py").write_text("one\ntwo\nthree\n")
    (root / "below" / "b.py").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    (root / "latin.py").write_bytes(b"caf\xe9\n")
    (root / "link.py").symlink_to("a.py")
    commit(root, "first")
    return root


def attempt(root: Path, fixed: Fix, **other: Any) -> tuple[Any, Hub]:
    """What becomes of an order in ``root``, a folder of its repository."""
    plain = Ordered(
        fix=fixed,
        finding=FINDING,
        report=REPORT,
        here=checkout(root),
        base=None,
        account="erin",
        may_write=True,
        is_proved_here=True,
    )
    ordered = replace(plain, **other)
    with on_branch(root, ordered.here.change.head) as (forge, hub):
        return commits.committed(ordered, forge), hub


def test_the_lines_of_a_fix_change_and_no_other_byte(tree: Path) -> None:
    done, hub = attempt(tree / "below", fix(Edit("b.py", 2, 2, "TWO", old="two")))
    assert isinstance(done, Committed)
    store = GitStore(tree)
    assert store.content(hub.head, "below/b.py") == b"\xef\xbb\xbfone\r\nTWO\r\n"
    assert store.changed("HEAD", hub.head) == ["below/b.py"]


@pytest.mark.parametrize(
    "path",
    [
        "../a.py",
        "below/../a.py",
        "/a.py",
        "./a.py",
        "link.py",
        "below",
        "gone.py",
        ".git/config",
        ":(top)a.py",
        "a.p*",
        "",
    ],
)
def test_a_path_that_is_no_file_of_the_commit_is_not_written(tree: Path, path: str) -> None:
    done, hub = attempt(tree, fix(Edit(path, 1, 1, "ONE")))
    assert isinstance(done, Uncommitted)
    assert "another name" in done.reason
    assert not any("/git/" in line for line in hub.log)


@pytest.mark.parametrize(
    "edit",
    [
        Edit("a.py", 2, 2, "TWO", old="zwei"),
        Edit("a.py", 2, 3, "TWO", old="two"),
        Edit("a.py", 9, 9, "TWO"),
        Edit("a.py", 2, 2, "two"),
        Edit("latin.py", 1, 1, "x"),
    ],
    ids=["other lines", "fewer lines", "beyond the end", "no change", "no text"],
)
def test_lines_that_are_not_those_of_the_scan_are_not_changed(tree: Path, edit: Edit) -> None:
    done, hub = attempt(tree, fix(edit))
    assert isinstance(done, Uncommitted)
    assert not any("/git/" in line for line in hub.log)


def test_a_masked_line_is_known_by_its_number_alone(tree: Path) -> None:
    done, _ = attempt(tree, fix(Edit("a.py", 2, 2, "TWO", old="t****")))
    assert isinstance(done, Committed)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"may_write": False}, "write access"),
        ({"is_proved_here": False}, "another machine"),
        ({"fix": fix(Edit("a.py", 1, 1, "x"), source="model")}, "language model"),
        ({"fix": fix(Edit("a.py", 1, 1, "x"), verified=("parses",))}, "every gate"),
    ],
)
def test_what_was_not_proved_here_for_somebody_who_may_is_only_shown(
    tree: Path, changed: dict[str, Any], why: str
) -> None:
    done, hub = attempt(tree, fix(Edit("a.py", 1, 1, "x")), **changed)
    assert isinstance(done, Uncommitted)
    assert why in done.reason
    assert hub.log == []


@pytest.mark.parametrize(("path", "is_same"), [("a.py", False), ("below/b.py", True)])
def test_of_a_test_merge_only_what_the_change_has_as_well_is_written(
    tree: Path, path: str, is_same: bool
) -> None:
    git(tree, "switch", "-q", "-c", "other")
    (tree / "a.py").write_text("zero\none\ntwo\nthree\n")
    commit(tree, "theirs")
    git(tree, "switch", "-q", "topic")
    (tree / "d.py").write_text("one\n")
    mine = commit(tree, "mine")
    git(tree, "merge", "-q", "--no-edit", "other")
    here = checkout(tree)
    of_change = replace(here, change=replace(here.change, head=mine))
    done, hub = attempt(tree, fix(Edit(path, 2, 2, "TWO")), here=of_change)
    if is_same:
        assert isinstance(done, Committed)
        assert GitStore(tree).parents(hub.head) == [mine]
    else:
        assert isinstance(done, Uncommitted)
        assert "not the one on the branch" in done.reason
        assert hub.head == mine


def test_a_file_that_a_step_of_the_job_changed_is_not_written(tree: Path) -> None:
    altered = replace(REPORT, target=replace(REPORT.target, altered=("a.py",)))
    done, _ = attempt(tree, fix(Edit("a.py", 1, 1, "x")), report=altered)
    assert isinstance(done, Uncommitted)
    assert "not the one on the branch" in done.reason


def test_the_message_has_no_line_that_who_orders_or_a_rule_could_write(tree: Path) -> None:
    hostile = "erin\nCo-authored-by: mallory <m@example.org>\n[skip ci]"
    finding = replace(FINDING, rule_id="a\nb", title="[skip ci]")
    done, hub = attempt(tree, fix(Edit("a.py", 1, 1, "x")), account=hostile, finding=finding)
    assert isinstance(done, Committed)
    message = GitStore(tree).message(hub.head)
    assert message.startswith("Fix a?b (0123456789)\n")
    assert [line for line in message.split("\n") if line.startswith("Mergegate-")] == [
        f"Mergegate-Finding: {FINDING.id}",
        "Mergegate-Rule: a?b",
        "Mergegate-Ordered-By: erin?Co-authored-by:?mallory??m@example.org??[skip?ci]",
    ]
    assert "\nCo-authored-by" not in message
    assert "[skip ci]" not in message


def test_the_same_fix_at_the_tip_is_in_place(tree: Path) -> None:
    fixed = fix(Edit("a.py", 1, 1, "ONE"))
    here = checkout(tree)
    (tree / "a.py").write_text("ONE\ntwo\nthree\n")
    commit(tree, "another job's")
    git(tree, "switch", "-q", "--detach", "HEAD~1")
    with on_branch(tree) as (forge, hub):
        hub.head = git(tree, "rev-parse", "topic")
        ordered = Ordered(
            fix=fixed,
            finding=FINDING,
            report=REPORT,
            here=replace(here, repository=Repository(tree)),
            base=None,
            account="erin",
            may_write=True,
            is_proved_here=True,
        )
        assert commits.committed(ordered, forge) == InPlace(hub.head)


def policy_at(root: Path, text: str) -> str:
    (root / ".mergegate.yml").write_text(text)
    return commit(root, "policy")


def test_the_policy_of_the_base_allows_and_nothing_else(tree: Path, tmp_path: Path) -> None:
    without = git(tree, "rev-parse", "HEAD")
    allowing = policy_at(tree, ALLOWED)
    broken = policy_at(tree, f"{ALLOWED}no-such: setting\n")
    denying = policy_at(tree, "version: 1\n")
    (tree / ".mergegate.yml").write_text(ALLOWED)
    here, both = checkout(tree), FixPolicy(commits="allow", upgrades="allow")
    assert permitted(settings(), here, allowing) == both
    for base in (None, without, broken, denying):
        assert permitted(settings(), here, base) == FixPolicy()
    elsewhere = tmp_path / "theirs.yml"
    elsewhere.write_text(ALLOWED)
    assert permitted(settings(policy=str(elsewhere)), here, denying) == both
    gone = settings(policy=str(tmp_path / "gone.yml"))
    assert permitted(gone, here, denying) == FixPolicy()


def test_a_commit_of_the_change_that_names_the_finding_has_fixed_it(tree: Path) -> None:
    base = git(tree, "rev-parse", "HEAD")
    (tree / "a.py").write_text("ONE\n")
    made = commit(tree, f"Fix\n\nMergegate-Finding: {FINDING.id}")
    here = checkout(tree)
    assert commits.landed(FINDING.id[:10], here, base) == made
    assert commits.landed("f" * 10, here, base) is None
    assert commits.landed(FINDING.id[:10], here, made) is None
    assert commits.landed(FINDING.id[:10], here, None) is None
