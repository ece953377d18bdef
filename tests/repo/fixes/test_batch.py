"""Fixes of one file are proved together: what does not fit, or fails together, is left out."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from mergegate.core.finding import Edit, Finding
from mergegate.core.report import Fix
from mergegate.core.tree import Tree
from mergegate.repo.fixes.batch import mended
from mergegate.repo.fixes.proof import FixVerifier
from mergegate.sandbox.files.record import source_file
from tests.repo.fixes.test_proof import finding, read

TEXT = "bad1\nbad2\nbad3\n"


def rescan(tree: Tree) -> Sequence[Finding]:
    """A scanner that knows bad lines, and that two good lines beside one another are bad too."""
    found = []
    for file in tree.files:
        lines = file.location.read_text().split("\n")
        for number, line in enumerate(lines, start=1):
            if line.startswith("bad"):
                found.append(finding(file.path, number, "bad"))
            if line == lines[number - 2] == "odd":
                found.append(finding(file.path, number, "odd"))
    return found


def fix(line: int, *edits: Edit) -> Fix:
    return Fix(
        id=f"fix-{line}",
        finding_ids=(f"a.py-{line}-bad",),
        title="T",
        explanation="E",
        edits=edits,
        source="rule",
    )


def to(line: int, text: str) -> Edit:
    return Edit("a.py", line, line, text, old=TEXT.split("\n")[line - 1])


@pytest.mark.parametrize(
    ("fixes", "after"),
    [
        ([fix(1, to(1, "ok")), fix(2, to(2, "ok")), fix(3, to(3, "ok"))], "ok\nok\nok\n"),
        ([fix(1, to(1, "new\nok")), fix(2, to(1, "new\nok"), to(2, "ok"))], "new\nok\nok\nbad3\n"),
        ([fix(1, to(1, "ok")), fix(2, to(1, "no"), to(2, "ok"))], "ok\nbad2\nbad3\n"),
        (
            [
                fix(2, to(1, "bad1\nimport a"), to(2, "ok")),
                fix(3, to(1, "bad1\nimport b"), to(3, "ok")),
            ],
            "bad1\nimport a\nimport b\nok\nok\n",
        ),
        (
            [
                fix(2, to(1, "import a\n\nbad1"), to(2, "ok")),
                fix(3, to(1, "import b\n\nbad1"), to(3, "ok")),
            ],
            "import a\nimport b\n\nbad1\nok\nok\n",
        ),
        (
            [fix(1, to(1, "ok")), fix(2, to(1, "bad1\nimport a"), to(2, "ok"))],
            "ok\nimport a\nok\nbad3\n",
        ),
        (
            [
                fix(2, to(1, "bad1\nimport a\nimport b"), to(2, "ok")),
                fix(3, to(1, "bad1\nimport b"), to(3, "ok")),
            ],
            "bad1\nimport a\nimport b\nok\nbad3\n",
        ),
        ([fix(1, to(1, "odd")), fix(2, to(2, "odd")), fix(3, to(3, "ok"))], "odd\nbad2\nok\n"),
        ([fix(1, to(1, "bad4"))], None),
    ],
    ids=[
        "fit",
        "alike",
        "overlap",
        "imports-below",
        "imports-above",
        "import-below-what-changes",
        "an-import-in-both",
        "fail-together",
        "fail-alone",
    ],
)
def test_what_holds_together(tmp_path: Path, fixes: list[Fix], after: str | None) -> None:
    location = tmp_path / "original"
    location.write_text(TEXT)
    tree = Tree((source_file("a.py", location, TEXT.encode()),))
    (tmp_path / "bench").mkdir()
    verifier = FixVerifier(tmp_path / "bench", read, source_file, rescan)
    made = mended(fixes, rescan(tree), tree, verifier)
    assert [one.after for one in made] == ([] if after is None else [after])
