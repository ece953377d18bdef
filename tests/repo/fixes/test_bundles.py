"""Fixes of one rule and file are proved in one copy, and alone where that says too little."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.fixes.bundles import FEWEST, MOST, Bundle, bundled
from mergegate.repo.fixes.candidate import MODEL, Candidate
from mergegate.repo.fixes.proof import FixVerifier, verified_fixes
from mergegate.repo.fixes.proposals import Proposal, Read
from mergegate.repo.fixes.recipe import Recipe
from mergegate.sandbox.files.record import source_file
from tests.repo.fixes.test_proof import finding, read

PATH = "a.yaml"
RECIPE = Recipe(rule="bad", does="It is mended.")


def told(line: int, rule: str = "bad") -> Finding:
    return replace(finding(PATH, line, rule), kind=Kind.IAC)


def candidate(line: int, new: str = "good: 1", *, source: str = "rule") -> Candidate:
    file = SourceFile(path=PATH, location=Path(PATH), size=1, digest="0", language="yaml")
    edit = Edit(PATH, line, line, new, old="bad: 1")
    return Candidate(told(line), (edit,), file, "", RECIPE, source)


def test_what_touches_different_lines_is_one_bundle() -> None:
    [bundle] = bundled([candidate(1), candidate(2), candidate(5), candidate(7), candidate(2)])
    assert [one.finding.place.start_line for one in bundle.candidates] == [1, 2, 5, 7]
    assert len(bundle.edits) == 4


def test_two_that_put_lines_at_one_place_are_apart() -> None:
    lines = [*range(1, FEWEST), 9, 9]
    [bundle] = bundled(candidate(line, "bad: 1\ngood: 1") for line in lines)
    assert [one.finding.place.start_line for one in bundle.candidates] == [*range(1, FEWEST), 9]


@pytest.mark.parametrize(
    "candidates",
    [
        [candidate(line) for line in range(1, FEWEST)],
        [candidate(line, source=MODEL) for line in range(1, 9)],
        [replace(candidate(line), recipe=None) for line in range(1, 9)],
        [replace(candidate(line), finding=finding(PATH, line)) for line in range(1, 9)],
        [replace(candidate(line), finding=told(line, f"r{line}")) for line in range(1, 9)],
    ],
    ids=["few", "model", "engine", "code", "rules"],
)
def test_others_are_proved_alone(candidates: list[Candidate]) -> None:
    assert list(bundled(candidates)) == []


def test_a_bundle_is_no_larger_than_a_copy_is_worth() -> None:
    sizes = [len(one.candidates) for one in bundled(map(candidate, range(1, MOST + 5)))]
    assert sizes == [MOST, 4]


BUNDLE = Bundle((candidate(2, "good: 1\nmore: 1"), candidate(4, "bad: 1\ngood: 1")))
"""A line becomes two, and one is put below another."""
WAS = [told(2), told(4), told(3, "other"), told(6, "other")]


@pytest.mark.parametrize(
    ("now", "holds"),
    [
        ([], True),
        ([told(4, "other"), told(8, "other")], True),
        ([told(8, "other"), told(4, "other"), told(4, "other")], False),
        ([told(3, "other")], False),
        ([told(6, "other")], False),
        ([told(2)], False),
        ([told(5)], False),
        ([told(7)], False),
        ([told(0, "not-searched")], False),
    ],
    ids=[
        *("nothing", "moved", "more", "in a change", "in new lines"),
        *("left", "left below", "elsewhere", "not searched"),
    ],
)
def test_each_finding_is_gone_where_it_was_and_no_place_has_more(
    now: list[Finding], holds: bool
) -> None:
    assert BUNDLE.holds(WAS, now) is holds


class Scanner:
    """Knows what is bad and what is worse, and counts the copies that it is shown."""

    def __init__(self) -> None:
        self.copies: list[int] = []

    def __call__(self, tree: Tree) -> Sequence[Finding]:
        self.copies.append(len(tree.files))
        return [
            replace(told(number, line.removesuffix(": 1")), place=Place(file.path, number, number))
            for file in tree.files
            for number, line in enumerate(file.location.read_text().split("\n"), 1)
            if line in {"bad: 1", "worse: 1"}
        ]


def proved(tmp_path: Path, news: Sequence[str]) -> tuple[list[int], list[int]]:
    """The lines with a fix, and how many copies each scan had."""
    text = "\n".join(["bad: 1"] * len(news))
    location = tmp_path / "original"
    location.write_text(text)
    tree = Tree((source_file(PATH, location, text.encode()),))
    scanner = Scanner()
    found = [replace(told(n), id=str(n)) for n in range(1, len(news) + 1)]

    def propose(one: Finding, file: SourceFile, read: Read) -> Proposal | None:
        line = one.place.start_line
        edit = Edit(PATH, line, line, news[line - 1], old="bad: 1")
        return Proposal((edit,), RECIPE)

    bench = tmp_path / "bench"
    bench.mkdir()
    verifier = FixVerifier(bench, read, source_file, scanner)
    proofs = verified_fixes(found, found, tree, verifier, propose)
    return [int(one.finding_ids[0]) for one in proofs.fixes], scanner.copies


def test_what_holds_together_needs_one_copy(tmp_path: Path) -> None:
    assert proved(tmp_path, ["good: 1"] * 6) == ([1, 2, 3, 4, 5, 6], [1])


def test_what_does_not_hold_together_is_proved_alone(tmp_path: Path) -> None:
    news = ["good: 1", "good: 1", "worse: 1", "good: 1", "good: 1"]
    assert proved(tmp_path, news) == ([1, 2, 4, 5], [1, 5])
