"""A place in the new file, as GitLab names it."""

import hashlib
from typing import Any

import pytest

from mergegate.forges.gitlab.discussions import File, Line, Version, file, lines, positions

DIFF = """@@ -1,4 +1,5 @@ class A
 one
-two
+TWO
+and a half
 three
 four
@@ -10 +11,0 @@
-gone
@@ -20,2 +20,2 @@
 twenty
+-- a comment of SQL
-@@ -1 +1 @@
\\ No newline at end of file
"""
NAME = hashlib.sha1(b"b.py").hexdigest()


def version(*files: File) -> Version:
    return Version(
        base="1" * 40, start="2" * 40, head="3" * 40, files={f.new_path: f for f in files}
    )


def entry(**changed: Any) -> dict[str, Any]:
    return {"old_path": "a.py", "new_path": "b.py", "diff": DIFF} | changed


def test_every_line_of_the_new_file_has_both_counts() -> None:
    assert list(lines(DIFF).values()) == [
        Line(1, 1, added=False),
        Line(3, 2, added=True),
        Line(3, 3, added=True),
        Line(3, 4, added=False),
        Line(4, 5, added=False),
        Line(20, 20, added=False),
        Line(21, 21, added=True),
    ]


def test_a_new_file_counts_from_nought() -> None:
    assert lines("@@ -0,0 +1,2 @@\n+a\n+b\n") == {1: Line(0, 1, True), 2: Line(0, 2, True)}


@pytest.mark.parametrize("diff", ["", "Binary files differ\n", "@@ nonsense @@\n+a\n", "+a\n"])
def test_what_is_no_diff_shows_no_line(diff: str) -> None:
    assert lines(diff) == {}


def test_an_added_line_is_named_by_its_new_number_alone() -> None:
    (place,) = positions(version(file(entry())), "b.py", 2, 2)
    assert place == {
        "position_type": "text",
        "base_sha": "1" * 40,
        "start_sha": "2" * 40,
        "head_sha": "3" * 40,
        "old_path": "a.py",
        "new_path": "b.py",
        "new_line": 2,
    }


def test_an_unchanged_line_is_named_by_both_numbers() -> None:
    (place,) = positions(version(file(entry())), "b.py", 4, 4)
    assert (place["old_line"], place["new_line"]) == (3, 4)


def test_a_range_comes_first_and_its_last_line_after_it() -> None:
    whole, last = positions(version(file(entry())), "b.py", 2, 4)
    assert whole["line_range"] == {
        "start": {"line_code": f"{NAME}_3_2", "type": "new", "old_line": None, "new_line": 2},
        "end": {"line_code": f"{NAME}_3_4", "type": None, "old_line": 3, "new_line": 4},
    }
    assert {**last, "line_range": whole["line_range"]} == whole


def test_a_range_that_begins_off_the_diff_has_its_last_line() -> None:
    (place,) = positions(version(file(entry())), "b.py", 12, 20)
    assert "line_range" not in place
    assert place["new_line"] == 20


@pytest.mark.parametrize(("path", "line"), [("b.py", 9), ("a.py", 2), ("c.py", 1)])
def test_what_the_diff_does_not_show_has_no_place(path: str, line: int) -> None:
    assert not list(positions(version(file(entry())), path, line, line))


@pytest.mark.parametrize("hidden", [{"collapsed": True}, {"too_large": True}])
def test_in_a_diff_too_large_to_show_a_line_is_taken_for_an_added_one(
    hidden: dict[str, bool],
) -> None:
    (place,) = positions(version(file(entry(diff="", **hidden))), "b.py", 2, 700)
    assert place["new_line"] == 700
    assert "old_line" not in place
