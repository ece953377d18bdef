"""Every path is listed, skipped with a reason, or limited by name."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from mergegate.core.errors import EngineFailed, TargetError
from mergegate.core.tree import Reason, Tree
from mergegate.sandbox.files.checkout import Bounds, base_tree, read_tree
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.git.repository import Repository
from tests.sandbox.git.test_repository import commit, git


def reasons(tree: Tree) -> dict[str, str]:
    return {one.path: one.reason for one in tree.skipped}


def test_links_are_recorded_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.py").write_text("x = 1\n")
    (tmp_path / "inside").symlink_to("real/a.py")
    (tmp_path / "outside").symlink_to("/etc/passwd")
    (tmp_path / "up").symlink_to("../../etc")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "real" / "round").symlink_to("..")
    tree = read_tree(tmp_path)
    assert [file.path for file in tree.files] == ["real/a.py"]
    assert {link.path: link.escapes for link in tree.links} == {
        "inside": False,
        "outside": True,
        "up": True,
        "loop": False,
        "real/round": False,
    }


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert reasons(read_tree(tmp_path)) == {"pipe.py": "not a regular file"}


def test_a_large_file_is_named_with_its_size(tmp_path: Path) -> None:
    with (tmp_path / "dump.sql").open("wb") as file:
        file.truncate(2 << 30)
    tree = read_tree(tmp_path)
    assert tree.files == ()
    assert (tree.skipped[0].reason, tree.skipped[0].size) == ("larger than 5 MiB", 2 << 30)


def test_hostile_names_are_shown_escaped_and_stay_readable(tmp_path: Path) -> None:
    for name in (b"bad\xff.py", b"new\nline.py", b"\xe2\x80\xaertl.py", b"::error::x"):
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_text("x = 1\n")
    tree = read_tree(tmp_path)
    assert [file.path for file in tree.files] == [
        "::error::x",
        "\\u202ertl.py",
        "bad\\xff.py",
        "new\\nline.py",
    ]
    with Stage() as stage:
        assert all(stage.put(file).read_text() == "x = 1\n" for file in tree.files)


def test_the_number_of_files_is_limited_by_name(tmp_path: Path) -> None:
    for name in ("0.txt", "1.txt", "2.txt", "y.py", "z.py"):
        (tmp_path / name).write_text("x")
    tree = read_tree(tmp_path, Bounds(files=3))
    assert tree.paths == {"y.py", "z.py", "0.txt"}
    assert tree.limits == ("only 3 files were scanned, and 2 were not",)
    assert {one.path: one.cause for one in tree.skipped} == dict.fromkeys(
        ("1.txt", "2.txt"), Reason.LIMIT
    )


def test_empty_files_cost_nothing(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.py").write_text("")
    (tmp_path / "z.py").write_text("x")
    tree = read_tree(tmp_path, Bounds(files=1))
    assert ("z.py" in tree.paths, tree.limits) == (True, ())


def test_source_code_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "video.ts").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "image.png").write_bytes(bytes(range(256)) * 9)
    tree = read_tree(tmp_path)
    assert tree.paths == {"image.png"}
    assert [(one.path, one.cause) for one in tree.skipped] == [("video.ts", Reason.ENCODING)]


def test_what_git_tracks_and_the_work_tree_lacks_is_named(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for path in ("a.py", "deep/er/b.py", "deep/c.py", "kept/d.py", "kept/e.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x\n")
    commit(tmp_path, "first")
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    (tmp_path / "module").mkdir()
    shutil.rmtree(tmp_path / "deep")
    (tmp_path / "kept" / "d.py").unlink()
    tree = read_tree(tmp_path, repository=Repository(tmp_path))
    assert tree.paths == {"a.py", "kept/e.py"}
    named = {one.path for one in tree.skipped if one.cause is Reason.NOT_CHECKED_OUT}
    assert named == {"deep/", "kept/d.py", "module/"}


def test_a_pointer_of_git_lfs_is_named_and_its_content_is_no_change(tmp_path: Path) -> None:
    root, content = tmp_path / "root", b"eval(x)\n"
    root.mkdir()
    git(root, "init", "-q")
    digest = hashlib.sha256(content).hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 8\n"
    (root / "a.py").write_text(pointer)
    commit(root, "first")
    repository = Repository(root)
    skipped = read_tree(root, repository=repository).skipped
    assert [one.cause for one in skipped] == [Reason.POINTER]
    (root / "a.py").write_bytes(content)
    head = read_tree(root, repository=repository)
    assert base_tree(repository, repository.head() or "", head, tmp_path).files == head.files


def test_folders_nested_without_end_are_limited_by_name(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(30):
        folder /= "d"
        folder.mkdir()
    (folder / "a.py").write_text("")
    tree = read_tree(tmp_path, Bounds(depth=10))
    assert tree.limits == ("folders deeper than 10 were not entered",)


def test_the_whole_scan_is_limited_in_bytes(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.py").write_text("x" * 100)
    tree = read_tree(tmp_path, Bounds(total_bytes=150))
    assert [file.path for file in tree.files] == ["0.py"]
    assert set(reasons(tree).values()) == {"beyond the limit of the whole scan"}


def test_a_repository_inside_is_named_and_not_entered(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("")
    commit(tmp_path, "outer")
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "b.py").write_text("")
    commit(inner, "inner")
    tree = read_tree(tmp_path, repository=Repository(tmp_path))
    assert [file.path for file in tree.files] == ["a.py"]
    assert reasons(tree) == {"inner/": "another repository inside this one"}


def test_an_ignored_folder_of_a_repository_is_still_scanned_when_asked_for(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("out/\n")
    commit(tmp_path, "ignore")
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.py").write_text("")
    tree = read_tree(out, repository=Repository(out))
    assert [file.path for file in tree.files] == ["a.py"]


def test_the_index_cannot_point_through_a_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "dir").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.py").write_text("x = 1\n")
    git(root, "init", "-q")
    (root / "dir" / "secret.py").write_text("")
    commit(root, "first")
    (root / "dir" / "secret.py").unlink()
    (root / "dir").rmdir()
    (root / "dir").symlink_to(outside)
    tree = read_tree(root, repository=Repository(root))
    assert tree.files == ()
    assert reasons(tree)["dir/secret.py"] == "lies behind a symbolic link"


def test_the_base_shares_what_the_change_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    (root / "same.py").write_text("same\n")
    (root / "edited.py").write_text("before\n")
    (root / "link").symlink_to("/etc")
    base = commit(root, "first")
    (root / "edited.py").write_text("after\n")
    repository = Repository(root)
    head = read_tree(root, repository=repository)
    folder = tmp_path / "base"
    folder.mkdir()
    before = base_tree(repository, base, head, folder)
    contents = {file.path: file.location.read_text() for file in before.files}
    assert contents == {"edited.py": "before\n", "same.py": "same\n"}
    assert [file.location.parent == folder for file in before.files] == [True, False]
    assert before.links == head.links


def test_a_file_that_changes_during_the_scan_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    tree = read_tree(tmp_path)
    (tmp_path / "a.py").write_text("x = 2\n")
    with Stage() as stage, pytest.raises(EngineFailed, match="changed during the scan"):
        stage.put(tree.files[0])


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TargetError):
        read_tree(tmp_path / "nowhere")
