"""A finding stays the same one when lines move or the file is renamed."""

from pathlib import Path

import pytest

from mergegate.core import identity
from mergegate.core.finding import Finding, Place
from mergegate.core.identity import Excerpt, Scopes, compare, identify
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Tree
from mergegate.repo.excerpts import excerpts
from mergegate.sandbox.files.checkout import source_file

CODE = "import os\n\ndef handler(name):\n    if name:\n        os.system(name)\n"


def found(tmp_path: Path, files: dict[str, str], needle: str = "os.system") -> tuple[Finding, ...]:
    """Findings on every line with ``needle``, identified as a scan does."""
    sources, findings = [], []
    for path, text in files.items():
        location = tmp_path / path.replace("/", "-")
        location.write_text(text)
        sources.append(source_file(path, location, text.encode()))
        findings += [
            finding(Place(path, number, number, 1, 2))
            for number, line in enumerate(text.split("\n"), start=1)
            if needle in line
        ]
    return identify(excerpts(findings, Tree(tuple(sources))))


def finding(place: Place, evidence: str = "") -> Finding:
    return Finding(
        rule_id="rule",
        title="Title",
        message="Message.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=place,
        evidence=evidence,
    )


def ids(findings: tuple[Finding, ...]) -> set[str]:
    return {one.id for one in findings}


def test_moved_lines_keep_the_id(tmp_path: Path) -> None:
    moved = "import os\nimport sys\n\nX = 1\n\n" + CODE.removeprefix("import os\n")
    assert ids(found(tmp_path, {"a.py": CODE})) == ids(found(tmp_path, {"a.py": moved}))


def test_a_renamed_file_keeps_the_id(tmp_path: Path) -> None:
    assert ids(found(tmp_path, {"a.py": CODE})) == ids(found(tmp_path, {"lib/b.py": CODE}))


def test_changed_layout_keeps_the_id(tmp_path: Path) -> None:
    tabs = CODE.replace("    ", "\t")
    assert ids(found(tmp_path, {"a.py": CODE})) == ids(found(tmp_path, {"a.py": tabs}))


def test_another_function_is_another_finding(tmp_path: Path) -> None:
    other = CODE.replace("handler", "worker")
    assert ids(found(tmp_path, {"a.py": CODE})) != ids(found(tmp_path, {"a.py": other}))


def test_equals_are_told_apart(tmp_path: Path) -> None:
    twice = CODE + "        os.system(name)\n"
    assert len(ids(found(tmp_path, {"a.py": twice, "b.py": CODE}))) == 3


def test_given_evidence_is_all_that_counts() -> None:
    here, there = (
        identify([(finding(Place(path, 7, 7), "PyPI django GHSA-1"), Excerpt())])
        for path in ("a/requirements.txt", "b/poetry.lock")
    )
    assert ids(here) == ids(there)


def test_the_scope_is_the_chain_of_less_indented_lines() -> None:
    lines = ["class A:", "    x = 1", "    def f(self):", "        if x:", "            pass"]
    assert Scopes(lines).of(5).split("\n") == ["class A:", "    def f(self):", "        if x:"]


def test_a_blank_line_or_a_bracket_encloses_nothing() -> None:
    lines = ["def f(", "    x", ")", "", "    if x:", "", "  ", "        y", "z"]
    scopes = Scopes(lines)
    assert [scopes.of(line) for line in (9, 8, 5, 2)] == ["", "    if x:", "", "def f("]


def test_the_lines_of_a_file_are_looked_at_a_few_times_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0

    def counted(text: str) -> int:
        nonlocal looked
        looked += 1
        return len(text) - len(text.lstrip())

    monkeypatch.setattr(identity, "_indent", counted)
    lines = ["require (", *["\tx v1"] * 1_000]
    scopes = Scopes(lines)
    assert {scopes.of(line) for line in range(2, 1_001)} == {"require ("}
    assert looked < 10 * len(lines)


def test_only_what_the_change_adds_is_new(tmp_path: Path) -> None:
    base = found(tmp_path, {"z.py": CODE})
    head = found(tmp_path, {"a.py": CODE, "z.py": CODE})
    marked, gone = compare(head, base)
    assert {one.place.file: one.is_new for one in marked} == {"a.py": True, "z.py": False}
    assert gone == ()


def test_moved_code_is_not_new_and_not_fixed(tmp_path: Path) -> None:
    marked, gone = compare(found(tmp_path, {"new.py": CODE}), found(tmp_path, {"old.py": CODE}))
    assert [one.is_new for one in marked] == [False]
    assert gone == ()


def test_what_left_is_fixed(tmp_path: Path) -> None:
    both = found(tmp_path, {"a.py": CODE, "b.py": CODE})
    marked, gone = compare(found(tmp_path, {"b.py": CODE}), both)
    assert [one.is_new for one in marked] == [False]
    assert [one.place.file for one in gone] == ["a.py"]
