"""What was searched: the map is drawn from what engines report, and too little is no pass."""

from pathlib import Path
from typing import Any

import pytest

from mergegate.core.languages import language_of
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree
from mergegate.repo.coverage import unproved
from mergegate.repo.search_map import SearchMap, draw
from mergegate.sandbox.engines.runner import Gatherings, Search
from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit, git

ALL = frozenset(Aspect)
CODE = frozenset({Aspect.CODE})


def file(path: str, lines: int = 10) -> SourceFile:
    return SourceFile(
        path=path,
        location=Path(path),
        size=lines,
        digest=path,
        language=language_of(path),
        lines=lines,
    )


def drawn(tree: Tree, *searches: Search) -> SearchMap:
    return draw(tree, Gatherings(searches=searches), ALL)


def gaps(seen: SearchMap, search: Aspect = Aspect.CODE) -> dict[str, Reason]:
    return {gap.path: gap.cause for gap in seen.gaps if gap.search is search}


def test_a_file_counts_as_searched_where_an_engine_says_so_and_not_where_it_was_given() -> None:
    tree = Tree((file("a.py"), file("b.py"), file("c.swift")))
    seen = drawn(tree, Search("semgrep", CODE, frozenset({"a.py"})))
    assert seen.searched[Aspect.CODE] == {"a.py": ("semgrep",)}
    assert gaps(seen) == {"b.py": Reason.GIVE_UP, "c.swift": Reason.LANGUAGE}


def test_an_engine_that_answers_with_nothing_has_searched_nothing() -> None:
    seen = drawn(Tree((file("a.py"),)), Search("semgrep", CODE, frozenset()))
    assert seen.paths == frozenset()


def test_a_file_that_was_seen_in_part_is_a_gap() -> None:
    cut = Skipped("a.py", "a rule took too long", cause=Reason.GIVE_UP)
    seen = drawn(Tree((file("a.py"),)), Search("semgrep", CODE, frozenset({"a.py"}), (cut,)))
    assert gaps(seen) == {"a.py": Reason.GIVE_UP}
    assert not seen.searched[Aspect.CODE]


def test_what_was_left_out_is_a_gap_of_every_search_that_is_due() -> None:
    seen = drawn(Tree((), (Skipped("a.py", "larger than 5 MiB", 6 << 20, Reason.SIZE),)))
    assert gaps(seen) == gaps(seen, Aspect.SECRETS) == {"a.py": Reason.SIZE}
    assert seen.is_unseen("a.py")


def test_all_below_a_folder_that_was_not_entered_is_unseen() -> None:
    seen = drawn(Tree((), (Skipped("sub/", "another repository", cause=Reason.NOT_CHECKED_OUT),)))
    assert seen.is_unseen("sub/deep/a.py")
    assert not seen.is_unseen("subway.py")


def reasons(
    tree: Tree,
    *searched: str,
    accepted: tuple[str, ...] = (),
    change: dict[str, int] | None = None,
    asked: frozenset[Aspect] = frozenset(Aspect),
) -> list[str]:
    seen = drawn(
        tree,
        Search("semgrep", CODE, frozenset(searched)),
        Search("secrets", frozenset({Aspect.SECRETS}), tree.paths),
    )
    return [gap.reason for gap in unproved(seen, tree, asked, accepted, change)]


def test_nothing_searched_is_incomplete() -> None:
    (reason,) = reasons(Tree(()))
    assert reason.startswith("no file was searched")
    assert "see what `paths` in its policy leaves out" in reason


MIXED = Tree((file("a.py", 60), file("b.swift", 31)))


@pytest.mark.parametrize(
    ("tree", "accepted", "change", "complete"),
    [
        (Tree((file("a.py", 60), file("b.swift", 30))), (), None, True),
        (MIXED, (), None, False),
        (MIXED, ("swift",), None, True),
        (MIXED, ("*.swift",), None, True),
        (MIXED, ("perl",), None, False),
        (MIXED, (), {"a.py": 2, "b.swift": 1}, True),
        (MIXED, (), {"a.py": 1, "b.swift": 1}, False),
        (MIXED, (), {"a.py": 1}, True),
        (Tree((file("a.py"), file("data.json", 900))), (), None, True),
    ],
)
def test_more_than_a_third_without_rules_is_incomplete_unless_accepted(
    tree: Tree, accepted: tuple[str, ...], change: dict[str, int] | None, complete: bool
) -> None:
    assert (reasons(tree, "a.py", accepted=accepted, change=change) == []) is complete


def test_a_language_without_rules_is_no_gap_of_a_search_for_something_else() -> None:
    assert reasons(MIXED, "a.py", asked=frozenset({Aspect.IAC, Aspect.SECRETS})) == []


def test_the_message_prints_the_line_to_add() -> None:
    (said,) = reasons(MIXED, "a.py")
    assert "31 of 91 source lines are in languages without rules: swift (31)" in said
    assert said.endswith("add to .mergegate.yml: `accept-unsearched: [swift]`")


@pytest.mark.parametrize(
    ("skipped", "complete"),
    [
        (Skipped("big.py", "larger than 5 MiB", 6 << 20, Reason.SIZE), False),
        (Skipped("deploy.yaml", "unreadable", 1, Reason.UNREADABLE), False),
        (Skipped("big.py", "excluded", 1, Reason.POLICY), True),
        (Skipped("fixture.json", "larger than 5 MiB", 6 << 20, Reason.SIZE), True),
        (Skipped("logo.png", "larger than 5 MiB", 6 << 20, Reason.SIZE), True),
        (Skipped("sub/", "another repository", cause=Reason.NOT_CHECKED_OUT), True),
    ],
)
def test_a_touched_source_or_settings_file_has_to_be_searched(
    skipped: Skipped, complete: bool
) -> None:
    tree = Tree((file("a.py"),), (skipped,))
    assert (reasons(tree, "a.py", change={skipped.path: 0}) == []) is complete
    assert reasons(tree, "a.py", change={"a.py": 1}) == []
    assert reasons(tree, "a.py", change={skipped.path: 0}, accepted=(skipped.path,)) == []


def scanned(mergegate: Mergegate, repository: Path, base: str) -> tuple[int, dict[str, Any]]:
    options = ("--only", "code,secrets", "--base", base, "--format", "json")
    run = mergegate("scan", repository, *options)
    return run.code, run.json


FLAW = "import os\nfrom flask import request\n\nos.system(request.args['x'])\n"


def test_a_flaw_is_not_fixed_by_what_keeps_it_from_being_searched(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "a.py").write_text(FLAW)
    base = commit(repo, "a flaw")
    (repo / "a.py").write_text(FLAW + "# " + "x" * (6 << 20) + "\n")
    commit(repo, "hidden")
    code, report = scanned(mergegate, repo, base)
    assert code == 3
    assert (report["status"], report["error"]["code"]) == ("failed", "INCOMPLETE")
    assert report["comparison"]["fixed"] == []


def test_a_change_of_tests_alone_is_complete(mergegate: Mergegate, repo: Path) -> None:
    base = git(repo, "rev-parse", "HEAD")
    (repo / "tests").mkdir()
    (repo / "tests" / "test_a.py").write_text("def test_a():\n    assert True\n")
    commit(repo, "a test")
    code, report = scanned(mergegate, repo, base)
    assert (code, report["verdict"]["reasons"]) == (0, [])
    assert report["coverage"]["languages"][0]["searched"] == 2


def test_the_adopting_change_may_accept_and_a_later_one_may_not(
    mergegate: Mergegate, repo: Path
) -> None:
    base = git(repo, "rev-parse", "HEAD")
    (repo / "a.swift").write_text("let x = 1\n")
    commit(repo, "swift")
    assert scanned(mergegate, repo, base)[0] == 3
    (repo / ".mergegate.yml").write_text("accept-unsearched: [swift]\n")
    adopted = commit(repo, "accepted")
    assert scanned(mergegate, repo, base)[0] == 0
    (repo / ".mergegate.yml").write_text("accept-unsearched: [swift, lua]\n")
    (repo / "a.lua").write_text("x = 1\n")
    commit(repo, "lua")
    code, report = scanned(mergegate, repo, adopted)
    assert code == 3
    assert "lua (1)" in report["verdict"]["reasons"][0]


@pytest.mark.parametrize("folder", [".", "service"])
def test_what_a_change_brings_and_the_work_tree_lacks_is_incomplete(
    folder: str, mergegate: Mergegate, repo: Path
) -> None:
    base = git(repo, "rev-parse", "HEAD")
    (repo / folder).mkdir(exist_ok=True)
    (repo / folder / "a.py").write_text(FLAW)
    commit(repo, "a flaw")
    git(repo, "sparse-checkout", "set", "--no-cone", "/clean.py")
    code, report = scanned(mergegate, repo, base)
    assert code == 3
    assert "a.py, which this change touches" in report["verdict"]["reasons"][0]


def test_what_a_commit_brought_unsearched_and_a_later_one_took_away_is_incomplete(
    mergegate: Mergegate, repo: Path
) -> None:
    """It can still be fetched, so a secret in it is out."""
    base = git(repo, "rev-parse", "HEAD")
    (repo / "a.py").write_bytes(bytes(range(32)) * 9)
    commit(repo, "come")
    (repo / "a.py").unlink()
    commit(repo, "gone")
    code, report = scanned(mergegate, repo, base)
    assert code == 3
    assert "a.py, which this change touches: an earlier" in report["verdict"]["reasons"][0]


def test_code_in_another_language_does_not_make_a_script_searched(
    mergegate: Mergegate, repo: Path
) -> None:
    base = git(repo, "rev-parse", "HEAD")
    (repo / "run.sh").write_text(f"python3 - <<'END'\n{FLAW}END\nrm -rf $1\n")
    commit(repo, "a script")
    code, report = scanned(mergegate, repo, base)
    assert code == 3
    assert "bash (7)" in report["verdict"]["reasons"][0]
    (one,) = report["issues"]
    assert (one["severity"], one["file"], one["startLine"]) == ("critical", "run.sh", 5)
