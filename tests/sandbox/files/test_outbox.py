"""Report files stay inside the work tree and belong to its owner."""

import os
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.sandbox.files.outbox import outbox

RUNNER = 1001


def test_the_folder_is_made_with_all_above_it(tmp_path: Path) -> None:
    with outbox(tmp_path, Path("out/reports")) as folder:
        (folder / "report.json").write_text("{}")
    assert (tmp_path / "out" / "reports" / "report.json").read_text() == "{}"
    with outbox(tmp_path, Path("out/reports")) as again:
        assert (again / "report.json").exists()


@pytest.mark.parametrize("name", ["..", "../beside", ".", "a/../.."])
def test_a_folder_outside_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="below the work tree"), outbox(tmp_path, Path(name)):
        pytest.fail("entered")
    assert not list(tmp_path.iterdir())


def test_an_absolute_path_elsewhere_is_the_callers_own(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    with outbox(tree, tmp_path / "own" / "reports") as folder:
        (folder / "report.json").write_text("{}")
    assert (tmp_path / "own" / "reports" / "report.json").exists()


@pytest.mark.parametrize("place", ["reports", "reports/deep", "reports/report.json"])
def test_a_link_that_a_change_tracks_is_not_followed(tmp_path: Path, place: str) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    outside.mkdir()
    (tree / place).parent.mkdir(parents=True)
    (tree / place).symlink_to(outside)
    name = Path("reports/deep") if place == "reports/deep" else Path("reports")
    with pytest.raises(UsageError, match="link"), outbox(tree, name):
        pytest.fail("entered")
    assert not list(outside.iterdir())


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reports").touch()
    with pytest.raises(UsageError, match="a file"), outbox(tmp_path, Path("reports")):
        pytest.fail("entered")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_what_root_writes_belongs_to_the_owner_of_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "ours").mkdir(parents=True)
    os.chown(tree, RUNNER, RUNNER)
    with outbox(tree, Path("ours/out/reports")) as folder:
        (folder / "report.json").write_text("{}")
    made = [tree / "ours/out", tree / "ours/out/reports", tree / "ours/out/reports/report.json"]
    assert {(one.stat().st_uid, one.stat().st_gid) for one in made} == {(RUNNER, RUNNER)}
    assert (tree / "ours").stat().st_uid == 0, "what was there before is not ours to give"


def test_a_link_is_not_followed_where_the_tree_is_named_by_another(tmp_path: Path) -> None:
    tree, named, outside = (tmp_path / name for name in ("tree", "named", "outside"))
    for folder in (tree, outside):
        folder.mkdir()
    named.symlink_to(tree)
    (tree / "reports").symlink_to(outside)
    for workspace, name in ((named, named / "reports"), (named, tree / "reports")):
        with pytest.raises(UsageError, match="link"), outbox(workspace, name):
            pytest.fail("entered")
