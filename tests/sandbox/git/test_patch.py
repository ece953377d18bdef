"""What a forge shows of a change, read from patches of hostile repositories."""

from pathlib import Path

import pytest

from mergegate.sandbox.git.patch import shown
from mergegate.sandbox.git.repository import Repository
from tests.sandbox.git.test_repository import canary, commit, git, root

__all__ = ["root"]


def lines(*numbers: int) -> str:
    return "".join(f"{number}\n" for number in numbers)


def test_three_lines_of_context_are_shown_around_each_change(root: Path) -> None:
    (root / "a.py").write_text(lines(*range(1, 41)))
    base = commit(root, "forty")
    (root / "a.py").write_text(lines(*range(1, 20), 999, *range(20, 41)))
    (root / "new.py").write_text(lines(1, 2))
    commit(root, "one more")
    assert Repository(root).shown_lines(base) == {"a.py": ((17, 23),), "new.py": ((1, 2),)}


def test_changes_far_apart_are_two_ranges_and_near_ones_are_one(root: Path) -> None:
    (root / "a.py").write_text(lines(*range(1, 41)))
    base = commit(root, "forty")
    (root / "a.py").write_text(lines(0, *range(2, 7), 0, *range(8, 30), 0, *range(31, 41)))
    commit(root, "three changes")
    assert Repository(root).shown_lines(base) == {"a.py": ((1, 10), (27, 33))}


def test_a_deleted_file_and_a_binary_one_show_no_lines(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD")
    (root / "a.py").unlink()
    (root / "b.bin").write_bytes(b"\0\1\2")
    commit(root, "gone")
    assert Repository(root).shown_lines(base) == {}


def test_of_a_renamed_file_the_changed_lines_are_shown_alone(root: Path) -> None:
    (root / "a.py").write_text(lines(*range(1, 41)))
    base = commit(root, "forty")
    git(root, "mv", "a.py", "b.py")
    (root / "b.py").write_text(lines(*range(1, 40), 0))
    commit(root, "renamed")
    assert Repository(root).shown_lines(base) == {"b.py": ((37, 40),)}


def test_lines_that_look_like_headers_are_content(root: Path) -> None:
    (root / "a.py").write_text("-- a/other.py\n")
    base = commit(root, "old")
    (root / "a.py").write_text("++ b/other.py\n@@ -1 +900,9 @@\nrename to x\n")
    commit(root, "new")
    assert Repository(root).shown_lines(base) == {"a.py": ((1, 3),)}


@pytest.mark.parametrize(
    ("name", "shown_as"),
    [
        (b"a b.py", "a b.py"),
        (b"tab\tb.py", "tab\\tb.py"),
        (b'quote".py', 'quote".py'),
        (b"back\\slash.py", "back\\slash.py"),
        (b"line\n+++ b/other.py", "line\\n+++ b/other.py"),
        (b"caf\xe9.py", "caf\\xe9.py"),
        ("größe.py".encode(), "größe.py"),
        (b"b/b.py", "b/b.py"),
    ],
)
def test_hostile_names_are_shown_as_everywhere_else(root: Path, name: bytes, shown_as: str) -> None:
    base = git(root, "rev-parse", "HEAD")
    place = bytes(root) + b"/" + name
    if b"/" in name:
        (root / "b").mkdir(exist_ok=True)
    if b"other" in name:
        (root / "line\n+++ b").mkdir()
    with open(place, "wb") as file:
        file.write(b"x\n")
    commit(root, "odd")
    repository = Repository(root)
    assert repository.shown_lines(base) == {shown_as: ((1, 1),)}
    assert [one.raw_path for one in repository.brought(base)] == [name]


def test_paths_are_relative_to_the_folder_that_is_scanned(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD")
    (root / "package").mkdir()
    (root / "package" / "b.py").write_text("x\n")
    (root / "c.py").write_text("x\n")
    commit(root, "two")
    assert Repository(root / "package").shown_lines(base) == {"b.py": ((1, 1),)}


def test_the_repository_cannot_change_what_a_patch_looks_like(root: Path) -> None:
    (root / "a.py").write_text(lines(*range(1, 41)))
    base = commit(root, "forty")
    settings = {
        "diff.context": "0",
        "diff.interHunkContext": "99",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "color.ui": "always",
        "diff.external": str(canary(root)),
        "diff.evil.command": str(canary(root)),
        "diff.evil.textconv": str(canary(root)),
    }
    for key, value in settings.items():
        git(root, "config", key, value)
    (root / ".gitattributes").write_text("*.py diff=evil\n")
    (root / "a.py").write_text(lines(0, *range(2, 40), 0))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")
    (root.parent / "ran").unlink(missing_ok=True)
    assert Repository(root).shown_lines(base)["a.py"] == ((1, 4), (37, 40))
    assert not (root.parent / "ran").exists()


def test_the_lines_of_a_test_merge_are_found_again_in_the_change(root: Path) -> None:
    (root / "a.py").write_text(lines(*range(1, 21)))
    (root / "same.py").write_text(lines(1, 2))
    commit(root, "twenty")
    git(root, "checkout", "-q", "-b", "topic")
    (root / "a.py").write_text(lines(*range(1, 21), 21))
    head = commit(root, "topic")
    git(root, "checkout", "-q", "main")
    (root / "a.py").write_text(lines(-1, 0, *range(1, 6), *range(7, 21)))
    commit(root, "two lines before, the sixth gone")
    git(root, "merge", "-q", "--no-edit", "topic")
    places = Repository(root).renumbering(head)
    assert places
    assert places.place("a.py", 22) == ("a.py", 21)
    assert places.place("a.py", 3) == ("a.py", 1)
    assert places.place("a.py", 7) == ("a.py", 5)
    assert places.place("a.py", 8) == ("a.py", 7)
    assert places.place("a.py", 1) is None
    assert places.place("same.py", 2) == ("same.py", 2)


def test_a_file_that_the_base_renamed_is_found_under_its_old_name(root: Path) -> None:
    (root / "a.py").write_text(lines(*range(1, 21)))
    commit(root, "twenty")
    git(root, "checkout", "-q", "-b", "topic")
    (root / "a.py").write_text(lines(0, *range(2, 21)))
    head = commit(root, "topic")
    git(root, "checkout", "-q", "main")
    git(root, "mv", "a.py", "b.py")
    commit(root, "renamed")
    git(root, "merge", "-q", "--no-edit", "topic")
    places = Repository(root).renumbering(head)
    assert places and places.place("b.py", 1) == ("a.py", 1)


def test_the_shown_lines_of_the_change_itself_have_its_own_numbers(root: Path) -> None:
    (root / "a.py").write_text(lines(*range(1, 41)))
    commit(root, "forty")
    git(root, "checkout", "-q", "-b", "topic")
    (root / "a.py").write_text(lines(*range(1, 40), 0))
    head = commit(root, "topic")
    git(root, "checkout", "-q", "main")
    (root / "a.py").write_text(lines(-1, 0, *range(1, 41)))
    base = commit(root, "two lines before")
    git(root, "merge", "-q", "--no-edit", "topic")
    repository = Repository(root)
    assert repository.shown_lines(base, head) == {"a.py": ((37, 40),)}
    assert repository.shown_lines(base) == {"a.py": ((39, 42),)}


def test_an_empty_patch_shows_nothing() -> None:
    assert shown(b"") == {}
