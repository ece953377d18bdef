"""What each gate stops, tried with changes that a careless or hostile author might propose."""

from collections import Counter
from pathlib import Path

import pytest

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.repo.fixes import gates
from mergegate.repo.fixes.candidate import MODEL, RULE, Candidate
from mergegate.repo.fixes.edits import apply
from mergegate.repo.fixes.recipe import Asked, Recipe
from mergegate.sandbox.files.record import source_file

BEFORE = """\
import yaml

LIMIT = 3


def load(text, kind):
    data = yaml.load(text)
    return data[kind]


def other(text):
    return text
"""
SHAPE = r"\byaml\.safe_load\("
LINE = "    data = yaml.load(text)"


def candidate(
    tmp_path: Path,
    replacement: str,
    *,
    start: int = 7,
    end: int = 7,
    source: str = MODEL,
    recipe: Recipe | None = None,
    path: str = "a.py",
) -> Candidate:
    location = tmp_path / "a"
    location.write_text(BEFORE)
    finding = Finding(
        rule_id="load",
        title="T",
        message="M.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=Place("a.py", 7, 7, 12, 27),
    )
    return Candidate(
        finding,
        (Edit(path, start, end, replacement),),
        source_file("a.py", location, BEFORE.encode()),
        BEFORE,
        recipe or Recipe(rule="load", does="D.", asked=Asked(shape=SHAPE)),
        source,
    )


@pytest.mark.parametrize(
    ("replacement", "gate"),
    [
        ("    data = yaml.safe_load(text)", None),
        ("    data = yaml.safe_load(text)  # the safe one", None),
        ("    data = yaml.load(text)", "applies"),
        ("    data = yaml.safe_load(text", "parses"),
        ("    data = yaml.safe_load(text)  # noqa: S506", "nothing smuggled"),
        ("    data = yaml.safe_load(text)  # nosec", "nothing smuggled"),
        ("    data = yaml.safe_load(text)  # see https://example.org/x", "nothing smuggled"),
        ("    data = yaml.safe_load(text)  # a\u202eb", "nothing smuggled"),
        ("    import os\n    data = yaml.safe_load(text)", "nothing smuggled"),
        ("    data = getattr(yaml, 'lo' + 'ad')(yaml.safe_load(text))", "nothing smuggled"),
        ("    if False:\n        yaml.safe_load(text)\n    data = text", "nothing smuggled"),
        ("    def safe(a):\n        return a\n    data = yaml.safe_load(text)", "nothing smuggled"),
        ("    data = None  # yaml.safe_load(text)", "expected shape"),
        ("    data = 'yaml.safe_load(text)' + text", "expected shape"),
        ("    data = yaml.safe_load('')", "nothing else"),
        ("    return None", "nothing smuggled"),
        ("    pass", "expected shape"),
        ("    # yaml.safe_load(text)\n    data = {}", "expected shape"),
    ],
)
def test_what_a_model_writes(tmp_path: Path, replacement: str, gate: str | None) -> None:
    stopped = gates.refusal(candidate(tmp_path, replacement), gates.BEFORE)
    assert (stopped[0] if stopped else None) == gate


@pytest.mark.parametrize(
    ("start", "end", "replacement"),
    [
        (3, 3, "LIMIT = 30"),
        (12, 12, "    return yaml.safe_load(text)"),
        (3, 7, "LIMIT = 30\n\n\ndef load(text, kind):\n    data = yaml.safe_load(text)"),
        (1, 1, "import yaml\nimport os"),
    ],
)
def test_only_the_function_that_was_meant_may_change(
    tmp_path: Path, start: int, end: int, replacement: str
) -> None:
    one = candidate(tmp_path, replacement, start=start, end=end)
    assert gates.in_scope(one)


def test_other_files_stay(tmp_path: Path) -> None:
    assert gates.in_scope(candidate(tmp_path, "x", path=".github/workflows/ci.yml"))


def test_the_signature_stays(tmp_path: Path) -> None:
    one = candidate(
        tmp_path,
        "def load(text, kind, more=None):\n    data = yaml.safe_load(text)",
        start=6,
    )
    assert gates.refusal(one, gates.BEFORE) == (
        "nothing smuggled",
        "what others may call is not what it was",
    )


def test_imports_that_the_recipe_names_may_come(tmp_path: Path) -> None:
    recipe = Recipe(rule="load", does="D.", imports=("import ruamel",))
    text = "import yaml\nimport ruamel"
    wanted = candidate(tmp_path, text, start=1, end=1, source=RULE, recipe=recipe)
    assert gates.in_scope(wanted) == ""
    assert gates.nothing_smuggled(wanted) == ""
    other = candidate(tmp_path, f"{text}2", start=1, end=1, source=RULE, recipe=recipe)
    assert gates.in_scope(other)


def test_after_the_scan_the_finding_is_gone_and_nothing_came(tmp_path: Path) -> None:
    one = candidate(tmp_path, "    data = yaml.safe_load(text)")
    was = Counter({"load": 1, "eval": 1})
    for now, gate in (
        ({"eval": 1}, None),
        ({"load": 1, "eval": 1}, "finding gone"),
        ({"eval": 1, "not-searched": 1}, "finding gone"),
        ({"eval": 2}, "nothing new"),
        ({"eval": 1, "other": 1}, "nothing new"),
    ):
        told = Candidate(one.finding, one.edits, one.file, one.before, was=was, now=Counter(now))
        stopped = gates.refusal(told, gates.AFTER)
        assert (stopped[0] if stopped else None) == gate


def test_the_lines_are_those_of_the_example() -> None:
    assert BEFORE.split("\n")[6] == LINE
    assert apply(BEFORE, Edit("a.py", 7, 7, LINE)) == BEFORE


@pytest.mark.parametrize(
    ("declares", "source", "passes"),
    [(r"def safe \(a\) :", RULE, True), ("", RULE, False), (r"def safe \(a\) :", MODEL, False)],
)
def test_what_a_recipe_declares_may_come(
    tmp_path: Path, declares: str, source: str, passes: bool
) -> None:
    recipe = Recipe(rule="load", does="D.", declares=declares)
    text = "    def safe(a):\n        return a\n    data = yaml.safe_load(text)"
    one = candidate(tmp_path, text, source=source, recipe=recipe)
    told = "what others may call is not what it was"
    assert gates.nothing_smuggled(one) == ("" if passes else told)
