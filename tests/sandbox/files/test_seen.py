"""A second look at a folder reads what changed, and tells what a first look would."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mergegate.sandbox.files.altered import altered
from mergegate.sandbox.files.checkout import Bounds, read_tree
from mergegate.sandbox.files.seen import Seen
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.repository import Repository
from tests.sandbox.git.test_repository import commit

PAGE = "<script>\nfetch(location.hash)\n</script>\n"
MOST = Bounds().file_bytes


@pytest.fixture
def settled(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository whose files changed some time ago, by the clock that is looked at."""
    (repo / "page.html").write_text(PAGE)
    (repo / "logo.png").write_bytes(b"\x89PNG\0")
    (repo / "app.py").write_text("x = 1\n")
    commit(repo, "files")
    later = time.time_ns() + 10**10
    monkeypatch.setattr("mergegate.sandbox.files.seen.time.time_ns", lambda: later)
    found = Repository.around(repo)
    assert found
    return found


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read."""
    names: list[str] = []

    def noted(path: Path, most: int) -> bytes:
        names.append(path.name)
        return read_regular(path, most)

    monkeypatch.setattr("mergegate.sandbox.files.checkout.read_regular", noted)
    return names


def _rewrite(file: Path) -> None:
    file.write_text("y = 1\n")


def _rewrite_and_set_back(file: Path) -> None:
    was = file.stat()
    file.write_text("y = 1\n")
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))


def _replace(file: Path) -> None:
    other = file.with_name("other")
    other.write_text("y = 1\n")
    os.utime(other, ns=(0, file.stat().st_mtime_ns))
    other.replace(file)


def _remove(file: Path) -> None:
    file.unlink()


def _link(file: Path) -> None:
    file.unlink()
    file.symlink_to("clean.py")


@pytest.mark.parametrize("edit", [_rewrite, _rewrite_and_set_back, _replace, _remove, _link])
def test_what_changed_is_told_as_by_a_first_look(
    edit: Callable[[Path], None], settled: Repository, tmp_path: Path
) -> None:
    seen, root, commit = Seen(), settled.root, settled.head()
    assert commit
    places = (tmp_path / "first", tmp_path / "second")
    for place in places:
        place.mkdir()
    tree = read_tree(root, repository=settled, readings=places[0], seen=seen)
    assert altered(settled, commit, tree, MOST, seen) == ()
    edit(root / "app.py")
    again = read_tree(root, repository=settled, readings=places[1], seen=seen)
    assert again == read_tree(root, repository=settled, readings=places[1])
    assert altered(settled, commit, again, MOST, seen) == altered(settled, commit, again, MOST)
    assert altered(settled, commit, again, MOST, seen) in {("app.py",), ()}


def test_only_what_changed_is_read(settled: Repository, read: list[str]) -> None:
    seen = Seen()
    tree = read_tree(settled.root, repository=settled, seen=seen)
    read.clear()
    assert read_tree(settled.root, repository=settled, seen=seen) == tree
    assert read == []
    (settled.root / "app.py").write_text("y = 1\n")
    read_tree(settled.root, repository=settled, seen=seen)
    assert read == ["app.py"]


def test_what_changed_just_now_may_change_again_unseen(repo: Path, read: list[str]) -> None:
    (repo / "app.py").write_text("x = 1\n")
    seen = Seen()
    for _ in range(2):
        read_tree(repo, seen=seen)
    assert read.count("app.py") == 2


def test_what_is_written_elsewhere_is_read_again(
    settled: Repository, read: list[str], tmp_path: Path
) -> None:
    """The text of a page's script lies in a folder that is gone by then."""
    seen = Seen()
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        read.clear()
        tree = read_tree(settled.root, repository=settled, readings=tmp_path / name, seen=seen)
        (page,) = (one for one in tree.files if one.path == "page.html")
        assert [one.location.parent.name for one in page.programs] == [name]
    assert read == ["page.html"]
