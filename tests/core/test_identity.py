"""A finding stays the same one when lines move, or Git says that its file was renamed."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from mergegate.core import identity
from mergegate.core.finding import Finding, Place
from mergegate.core.identity import Excerpt, Scopes, compare, identified, keyed
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Tree
from mergegate.repo.excerpts import excerpts
from mergegate.sandbox.files.record import source_file

CODE = "import os\n\ndef handler(name):\n    if name:\n        os.system(name)\n"


def identify(findings: Iterable[tuple[Finding, Excerpt]]) -> tuple[Finding, ...]:
    return identified(keyed(findings))


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


def test_changed_layout_keeps_the_id(tmp_path: Path) -> None:
    tabs = CODE.replace("    ", "\t")
    assert ids(found(tmp_path, {"a.py": CODE})) == ids(found(tmp_path, {"a.py": tabs}))


def test_another_function_is_another_finding(tmp_path: Path) -> None:
    other = CODE.replace("handler", "worker")
    assert ids(found(tmp_path, {"a.py": CODE})) != ids(found(tmp_path, {"a.py": other}))


def test_equals_are_told_apart(tmp_path: Path) -> None:
    twice = CODE + "        os.system(name)\n"
    assert len(ids(found(tmp_path, {"a.py": twice, "b.py": CODE}))) == 3


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


DEAD = f"if False:\n{CODE.replace('import os', '').replace(chr(10), chr(10) + '    ')}"
TWICE = CODE + "        os.system(name)\n"
RENAMED = {"new.py": "old.py"}


@pytest.mark.parametrize(
    ("before", "after", "renames", "new", "gone"),
    [
        pytest.param({"z.py": CODE}, {"a.py": CODE, "z.py": CODE}, {}, ["a.py"], [], id="copied"),
        pytest.param({"z.py": CODE}, {"z.py": TWICE}, {}, ["z.py"], [], id="copied below"),
        pytest.param({"old.py": CODE}, {"new.py": CODE}, RENAMED, [], [], id="renamed"),
        pytest.param({"old.py": CODE}, {"new.py": CODE}, {}, ["new.py"], ["old.py"], id="moved"),
        pytest.param({"a.py": DEAD}, {"a.py": CODE}, {}, ["a.py"], ["a.py"], id="comes alive"),
        pytest.param(
            {"a.py": CODE, "old.py": CODE},
            {"a.py": "", "new.py": TWICE},
            RENAMED,
            ["new.py"],
            ["a.py"],
            id="renamed and grown",
        ),
        pytest.param({"a.py": CODE, "b.py": CODE}, {"b.py": CODE}, {}, [], ["a.py"], id="fixed"),
        pytest.param({"a.py": TWICE}, {"a.py": CODE}, {}, [], ["a.py"], id="one of two fixed"),
    ],
)
def test_what_is_new_and_what_is_gone(
    tmp_path: Path,
    before: dict[str, str],
    after: dict[str, str],
    renames: dict[str, str],
    new: list[str],
    gone: list[str],
) -> None:
    base = found(tmp_path, before)
    marked, left = compare(found(tmp_path, after), base, renames)
    assert [one.place.file for one in marked if one.is_new] == new
    assert [one.place.file for one in left] == gone
    assert len(ids(marked)) == len(marked)
    assert {one.id for one in marked if one.is_new}.isdisjoint(ids(base))
    assert {one.id for one in marked if not one.is_new} <= ids(base)


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ([Severity.MEDIUM], [Severity.HIGH], [Severity.HIGH]),
        ([Severity.HIGH], [Severity.MEDIUM], []),
        ([Severity.INFO, Severity.HIGH], [Severity.HIGH, Severity.INFO], []),
        ([Severity.INFO, Severity.INFO], [Severity.INFO, Severity.HIGH], [Severity.HIGH]),
    ],
)
def test_what_became_worse_is_new(
    before: list[Severity], after: list[Severity], new: list[Severity]
) -> None:
    base, head = (
        identify(
            (replace(finding(Place("a.py", line, line)), severity=one), Excerpt("", "eval(x)"))
            for line, one in enumerate(severities, start=1)
        )
        for severities in (before, after)
    )
    marked, _ = compare(head, base)
    assert [one.severity for one in marked if one.is_new] == new
    assert {one.id for one in marked if one.is_new}.isdisjoint(ids(base))


def test_a_hint_that_becomes_sure_is_new() -> None:
    sure = finding(Place("a.py", 1, 1))
    base, head = (
        identify([(one, Excerpt("", "eval(x)"))])
        for one in (replace(sure, confidence=Confidence.LOW), sure)
    )
    assert [one.is_new for one in compare(head, base)[0]] == [True]


@pytest.mark.parametrize(
    ("before", "after", "renames", "new"),
    [
        (["a.lock"], ["b.lock"], {}, 0),
        (["a.lock"], ["a.lock", "b.lock"], {}, 1),
        (["a.lock", "b.lock"], ["c.lock"], {}, 0),
        (["old.lock"], ["new.lock"], {"new.lock": "old.lock"}, 0),
    ],
)
def test_what_is_the_same_anywhere_is_new_once_there_is_more_of_it(
    before: list[str], after: list[str], renames: dict[str, str], new: int
) -> None:
    base, head = (
        identify(
            (replace(finding(Place(path, 7, 7), "PyPI:six:CVE-1"), anywhere=True), Excerpt())
            for path in paths
        )
        for paths in (before, after)
    )
    assert sum(bool(one.is_new) for one in compare(head, base, renames)[0]) == new


@pytest.mark.parametrize(
    ("before", "after", "renames", "new"),
    [
        ("a.zip\nb.zip", "a.zip", {}, False),
        ("a.zip\nb.zip", "b.zip\na.zip", {}, False),
        ("a.zip", "a.zip\nb.zip", {}, True),
        ("a.zip\nb.zip", "a.zip\nc.zip", {}, True),
        ("a.zip\nb.zip", "a.zip\nz/b.zip", {"z/b.zip": "b.zip"}, False),
        ("b.zip", "z/b.zip", {"z/b.zip": "b.zip"}, False),
    ],
)
def test_a_list_is_new_once_something_is_added(
    before: str, after: str, renames: dict[str, str], new: bool
) -> None:
    base, head = (
        identify(
            [
                (
                    replace(finding(Place(lines.partition("\n")[0]), lines), anywhere=True),
                    Excerpt(),
                )
            ]
        )
        for lines in (before, "\n".join(sorted(after.split("\n"))))
    )
    assert [one.is_new for one in compare(head, base, renames)[0]] == [new]
