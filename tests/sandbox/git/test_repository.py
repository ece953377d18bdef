"""A hostile repository is read, never run."""

import subprocess
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.sandbox.git.brought import Brought
from mergegate.sandbox.git.repository import Repository, is_tracked
from mergegate.sandbox.git.revision import resolve


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=0")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "a.py").write_text("one\n")
    commit(root, "first")
    return root


def commit(root: Path, message: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")


def canary(root: Path) -> Path:
    """A program that leaves a trace when anything runs it."""
    script = root.parent / "canary.sh"
    script.write_text(f"#!/bin/sh\ntouch {root.parent}/ran\n")
    script.chmod(0o755)
    return script


def test_tracked_and_untracked_files_are_listed_ignored_ones_are_not(root: Path) -> None:
    (root / ".gitignore").write_text("ignored.py\n")
    (root / "ignored.py").write_text("")
    (root / "new.py").write_text("")
    assert Repository(root).listed() == [b".gitignore", b"a.py", b"new.py"]


@pytest.mark.parametrize(
    "setting", ["core.fsmonitor", "core.pager", "diff.external", "gpg.program", "core.hooksPath"]
)
def test_programs_named_by_the_repository_never_run(root: Path, setting: str) -> None:
    git(root, "config", setting, str(canary(root)))
    git(root, "config", "log.showSignature", "true")
    git(root, "config", "filter.evil.clean", str(canary(root)))
    git(root, "config", "diff.evil.textconv", str(canary(root)))
    (root / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    base = git(root, "-c", f"{setting}=", "rev-parse", "HEAD")
    (root / "b.py").write_text("two\n")
    git(root, "-c", "filter.evil.clean=", "-c", "core.fsmonitor=", "-c", f"{setting}=", "add", "-A")
    git(root, "-c", f"{setting}=", "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "two")
    (root.parent / "ran").unlink(missing_ok=True)
    repository = Repository(root)
    repository.listed()
    assert b"b.py" in {one.raw_path for one in repository.brought(base)}
    list(repository.blobs(repository.entries(base)))
    assert repository.head() and repository.branch() == "main"
    assert not (root.parent / "ran").exists()


@pytest.mark.parametrize("ref", ["--upload-pack=x", "-h", "", "$(id)", "main\nmain", "nowhere"])
def test_a_hostile_or_unknown_revision_is_refused(root: Path, ref: str) -> None:
    with pytest.raises(UsageError):
        resolve(Repository(root), ref)


def test_the_merge_base_is_where_the_branch_left(root: Path) -> None:
    left = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "-q", "-b", "topic")
    (root / "b.py").write_text("topic\n")
    commit(root, "topic")
    git(root, "checkout", "-q", "main")
    (root / "a.py").write_text("main\n")
    commit(root, "main")
    git(root, "checkout", "-q", "topic")
    assert Repository(root).merge_base("main") == left


def test_blobs_come_back_byte_for_byte(root: Path) -> None:
    (root / "empty").write_bytes(b"")
    (root / "odd\nname").write_bytes(b"a\n\nblob 7\n\0")
    head = commit(root, "odd")
    repository = Repository(root)
    found = {
        entry.raw_path: content for entry, content in repository.blobs(repository.entries(head))
    }
    assert found == {b"a.py": b"one\n", b"empty": b"", b"odd\nname": b"a\n\nblob 7\n\0"}


def test_what_each_commit_brought_is_told_with_what_was_there_before(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD")
    was = git(root, "rev-parse", "HEAD:a.py")
    (root / "a.py").write_text("one\ntwo\n")
    second = commit(root, "more")
    now = git(root, "rev-parse", "HEAD:a.py")
    (root / "a.py").unlink()
    third = commit(root, "less")
    assert list(Repository(root).brought(base)) == [
        Brought(second, b"a.py", "100644", now, (was,)),
        Brought(third, b"a.py", "000000", "", (now,)),
    ]


def test_of_a_merge_what_no_parent_has_was_brought(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "-q", "-b", "side")
    (root / "side.py").write_text("side\n")
    commit(root, "side")
    git(root, "checkout", "-q", "main")
    (root / "main.py").write_text("main\n")
    commit(root, "main")
    git(root, "merge", "-q", "--no-commit", "side")
    (root / "evil.py").write_text("evil\n")
    merge = commit(root, "merge")
    brought = [one.raw_path for one in Repository(root).brought(base) if one.commit == merge]
    assert brought == [b"evil.py"]


def test_messages_come_without_their_headers(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD")
    (root / "a.py").write_text("two\n")
    second = commit(root, "title\n\nbody")
    assert list(Repository(root).messages(base)) == [(second, b"title\n\nbody\n")]


def test_sizes_are_told_of_what_the_clone_holds(root: Path) -> None:
    known = git(root, "rev-parse", "HEAD:a.py")
    assert Repository(root).sizes([known, "a" * 40]) == {known: 4}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/octo/shop.git", ("github", "octo", "shop")),
        ("git@gitlab.com:group/sub/shop.git", ("gitlab", "group/sub", "shop")),
        ("https://user:secret@bitbucket.org/team/shop", ("bitbucket", "team", "shop")),
        ("ssh://git@git.example.org:2222/team/shop.git", (None, "team", "shop")),
    ],
)
def test_the_origin_is_told_without_credentials(
    root: Path, url: str, expected: tuple[str | None, str, str]
) -> None:
    git(root, "remote", "add", "origin", url)
    assert Repository(root).origin() == expected


@pytest.mark.parametrize(
    ("url", "owner"),
    [
        ("https://github.com/Octo/shop.git", "Octo"),
        ("ssh://git@ssh.github.com:443/octo/shop.git", "octo"),
        ("https://github.example.org/octo/shop", ""),
        ("https://gitlab.com/octo/shop", ""),
        ("", ""),
    ],
)
def test_the_owner_at_github_is_known_of_a_clone_from_there(
    root: Path, url: str, owner: str
) -> None:
    if url:
        git(root, "remote", "add", "origin", url)
    assert Repository(root).owner_at_github() == owner


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://user:secret@Git.Example.org/team/shop", "git.example.org"),
        ("ssh://git@ssh.github.com:443/octo/shop.git", "github.com"),
        ("git@github-work:octo/shop.git", "github-work"),
        ("/srv/shop.git", ""),
    ],
)
def test_host_of_the_origin_is_where_people_read(root: Path, url: str, host: str) -> None:
    git(root, "remote", "add", "origin", url)
    assert Repository(root).host() == host


def test_without_an_origin_there_is_no_host(root: Path) -> None:
    assert Repository(root).host() == ""


def test_that_there_is_no_origin_is_asked_once(root: Path) -> None:
    looked = Repository(root)
    assert looked.origin() is None
    git(root, "remote", "add", "origin", "https://github.com/acme/shop")
    assert looked.origin() is None


def test_a_folder_without_git_has_no_repository(tmp_path: Path) -> None:
    assert Repository.around(tmp_path) is None


@pytest.mark.parametrize(
    ("tracked", "asked", "expected"),
    [
        ("svc/.kept/answers", "svc/.kept", True),
        ("svc/.Kept/answers", "svc/.kept", True),
        ("svc/.kept\u0065\u0301/answers", "svc/.kept\u00e9", True),
        ("svc/.kept", "svc/.kept/deep", True),
        ("svc/.kept/answers", "link/.kept", True),
        ("svc/.kept/answers", "nested/.kept", False),
        ("svc/.kepter", "svc/.kept", False),
        ("svc/b.py", ".kept", False),
    ],
)
def test_a_folder_is_tracked_however_it_is_spelled(
    root: Path, tracked: str, asked: str, expected: bool
) -> None:
    (root / tracked).parent.mkdir(parents=True)
    (root / tracked).touch()
    commit(root, "answers")
    git(root, "init", "-q", "nested")
    (root / "link").symlink_to("svc")
    assert is_tracked(root / asked) is expected


def test_what_a_submodule_tracks_or_stands_in_the_place_of_is_tracked(root: Path) -> None:
    inner = root / "inner"
    git(root, "init", "-q", "inner")
    (inner / "answers").touch()
    commit(inner, "answers")
    commit(root, "a submodule")
    assert is_tracked(inner / "elsewhere")
    (root / "inner" / ".git").rename(root / "moved")
    assert is_tracked(root / "inner")


def test_renames_are_told_as_git_reports_them(root: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(20))
    for name in ("old é.py", "kept.py", "gone.py"):
        (root / name).write_text(f"{name}\n{lines}")
    (root / "sub").mkdir()
    (root / "sub" / "x.py").write_text(f"x\n{lines}")
    base = commit(root, "base")
    git(root, "mv", "old é.py", "new\tname.py")
    (root / "new\tname.py").write_text(f"changed\n{lines}")
    git(root, "mv", "sub/x.py", "sub/y.py")
    (root / "copy.py").write_text((root / "kept.py").read_text())
    (root / "gone.py").unlink()
    commit(root, "head")
    assert Repository(root).renames(base) == {
        "new\\tname.py": "old é.py",
        "sub/y.py": "sub/x.py",
        "copy.py": "gone.py",
    }
    assert Repository(root / "sub").renames(base) == {"y.py": "x.py"}
