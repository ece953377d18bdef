"""What a stranger's repository brings is written and never run, and its token goes nowhere else."""

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from mergegate.core.errors import EngineFailed, TargetError, UsageError
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.git import command
from mergegate.sandbox.git.clone import (
    AccessRefused,
    CommitMissing,
    ProviderSilent,
    TokenRefused,
    TooLarge,
    Wanted,
    fetch,
)
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process.run import MEBIBYTE, Completed, run
from tests.forges.repositories.hosting import ALIVE, NOBODY, Hosting, hosting
from tests.sandbox.git.origins import grow
from tests.sandbox.git.test_repository import canary, commit, git


@dataclass(frozen=True)
class Case:
    """A repository before it is hosted, and what is fetched of it."""

    work: Path
    host: Hosting
    wanted: Wanted

    def push(self) -> str:
        """What lies in the work tree, hosted; the new commit, which is then wanted."""
        made = commit(self.work, "more")
        git(self.work, "push", "-q", "--force", str(self.host.folder / "octo" / "shop.git"), "main")
        return made

    def fetch(self, **changes: object) -> Path:
        fetch(replace(self.wanted, **changes))  # type: ignore[arg-type]
        return self.wanted.into

    def fetch_tip(self) -> Path:
        return self.fetch(commit=self.push())


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    work, into = tmp_path / "work", tmp_path / "into"
    for folder in (work, into):
        folder.mkdir()
    git(work, "init", "-q", "-b", "main")
    (work / "a.py").write_text("a = 1\n")
    tip = commit(work, "first")
    with hosting(tmp_path / "hosted", work) as host:
        policy = Policy(allowed=frozenset({("127.0.0.1", urlsplit(host.url).port or 0)}))
        with egress(policy) as way:
            wanted = Wanted(
                url=f"{host.url}/octo/shop.git",
                user="x-access-token",
                token=ALIVE,
                proxy=way.url,
                authorities=str(host.authorities),
                branch="main",
                commit=tip,
                into=into,
                most_bytes=8 * MEBIBYTE,
            )
            yield Case(work, host, wanted)


def test_the_files_of_the_commit_are_there_and_its_history_is_not(case: Case) -> None:
    (case.work / "a.py").write_text("a = 2\n")
    into = case.fetch_tip()
    assert (into / "a.py").read_text() == "a = 2\n"
    assert git(into, "rev-list", "--count", "HEAD") == "1"
    assert git(into, "status", "--porcelain") == ""
    assert git(into, "remote") == ""


def test_an_earlier_commit_is_fetched_by_its_name(case: Case) -> None:
    (case.work / "a.py").write_text("a = 2\n")
    case.push()
    assert (case.fetch() / "a.py").read_text() == "a = 1\n"


def test_a_server_that_hands_out_branches_alone_is_asked_for_the_branch(case: Case) -> None:
    case.host.modern = False
    (case.work / "a.py").write_text("a = 2\n")
    case.push()
    assert (case.fetch() / "a.py").read_text() == "a = 1\n"


def test_with_a_base_the_history_between_comes_along(case: Case) -> None:
    base = grow(case.work, "b.py", 2, 1)
    grow(case.work, "c.py", 60, 3)
    (case.work / "a.py").write_text("a = 2\n")
    into = case.fetch(commit=case.push(), base=base)
    assert Repository(into).merge_base(base) == base


def test_a_base_without_a_common_commit_is_missing(case: Case) -> None:
    git(case.work, "checkout", "-q", "--orphan", "other")
    other = commit(case.work, "other")
    git(case.work, "push", "-q", str(case.host.folder / "octo" / "shop.git"), "other")
    with pytest.raises(CommitMissing, match="no common commit"):
        case.fetch(base=other)


def test_nothing_that_the_repository_names_is_run(case: Case, tmp_path: Path) -> None:
    script = canary(case.work)
    (case.work / ".gitattributes").write_text("*.py filter=evil diff=evil\n*.bin filter=lfs\n")
    (case.work / ".gitconfig").write_text(f'[filter "evil"]\nsmudge = {script}\n')
    (case.work / ".lfsconfig").write_text("[lfs]\nurl = https://127.0.0.1:1/\n")
    (case.work / "big.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    nested = case.work / "nested"
    (nested / "objects").mkdir(parents=True)
    (nested / "refs").mkdir()
    (nested / "HEAD").write_text("ref: refs/heads/main\n")
    (nested / "config").write_text(f"[core]\nbare = true\nfsmonitor = {script}\n")
    into = case.fetch_tip()
    assert (into / "big.bin").read_text().startswith("version https://git-lfs")
    assert (into / "nested" / "config").is_file()
    assert not (tmp_path / "ran").exists()
    assert "evil" not in (into / ".git" / "config").read_text()
    assert not list((into / ".git").glob("hooks/*"))


@pytest.mark.parametrize("url", ["ext::sh -c x", "https://127.0.0.1:1/x.git"])
def test_a_submodule_is_an_empty_folder(case: Case, url: str) -> None:
    (case.work / ".gitmodules").write_text(f'[submodule "sub\\r"]\npath = "sub\\r"\nurl = {url}\n')
    listed = f"160000 {case.wanted.commit}\tsub\r\0".encode()
    git(case.work, "add", ".gitmodules")
    subprocess.run(
        ["git", "update-index", "-z", "--index-info"], input=listed, cwd=case.work, check=True
    )
    git(case.work, "commit", "-q", "-m", "sub")
    made = git(case.work, "rev-parse", "HEAD")
    git(case.work, "push", "-q", str(case.host.folder / "octo" / "shop.git"), "main")
    into = case.fetch(commit=made)
    assert list((into / "sub\r").iterdir()) == []
    assert not (into / ".git" / "modules").exists()


def test_links_are_links_again_and_nothing_was_written_through_one(
    case: Case, tmp_path: Path
) -> None:
    (case.work / "out").symlink_to("/etc/passwd")
    (case.work / "loop").symlink_to("loop")
    (case.work / "deep").mkdir()
    (case.work / "deep" / "in").symlink_to("../a.py")
    into = case.fetch_tip()
    assert (into / "out").readlink() == Path("/etc/passwd")
    assert (into / "deep" / "in").readlink() == Path("../a.py")
    assert (into / "loop").is_symlink()


@pytest.mark.parametrize(
    ("said", "error"),
    [
        # Of Git 2.39, whose index-pack writes to a file system without room.
        (
            "fatal: cannot pwrite: No space left on device\nfatal: invalid index-pack output\n",
            EngineFailed,
        ),
        (
            "remote: No space left on device\nfatal: repository 'shop.git' not found\n",
            AccessRefused,
        ),
    ],
)
def test_a_full_disk_is_ours_alone(
    case: Case, monkeypatch: pytest.MonkeyPatch, said: str, error: type[Exception]
) -> None:
    real = run

    def full(argv: Sequence[str | Path], **more: Any) -> Completed:
        is_fetch = "fetch" in argv
        return Completed(128, b"", said.encode()) if is_fetch else real(argv, **more)

    monkeypatch.setattr(command, "run", full)
    with pytest.raises(error):
        case.fetch()


@pytest.mark.parametrize("target", [b"a\0b", b"", b"x" * 5000])
def test_a_link_to_where_nothing_can_be_stays_a_file(case: Case, target: bytes) -> None:
    done = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"],
        input=target,
        cwd=case.work,
        capture_output=True,
        check=True,
    )
    entry = f"120000,{done.stdout.decode().strip()},odd"
    git(case.work, "update-index", "--add", "--cacheinfo", entry)
    git(case.work, "commit", "-q", "-m", "odd")
    made = git(case.work, "rev-parse", "HEAD")
    git(case.work, "push", "-q", str(case.host.folder / "octo" / "shop.git"), "main")
    into = case.fetch(commit=made)
    assert (into / "odd").read_bytes() == target
    assert (into / "a.py").is_file()


def test_a_name_too_long_for_this_machine_spares_the_others(case: Case) -> None:
    oid = git(case.work, "rev-parse", "HEAD:a.py")
    deep = "/".join(["d" * 200] * 30)
    listed = f"100644 {oid}\t{deep}/f.py\0".encode()
    subprocess.run(
        ["git", "update-index", "-z", "--index-info"], input=listed, cwd=case.work, check=True
    )
    git(case.work, "commit", "-q", "-m", "deep")
    made = git(case.work, "rev-parse", "HEAD")
    git(case.work, "push", "-q", str(case.host.folder / "octo" / "shop.git"), "main")
    into = case.fetch(commit=made)
    assert (into / "a.py").is_file()
    assert any(b"f.py" in one for one in Repository(into).listed())


def test_a_repository_larger_than_allowed_is_not_fetched_to_its_end(case: Case) -> None:
    (case.work / "noise").write_bytes(os.urandom(10 * MEBIBYTE))
    with pytest.raises(TooLarge, match="larger than this host fetches"):
        case.fetch_tip()


def test_files_that_unpack_to_more_than_allowed_are_not_written(case: Case) -> None:
    (case.work / "zeros").write_bytes(bytes(20 * MEBIBYTE))
    with pytest.raises(TooLarge, match="files"):
        case.fetch_tip()
    assert not (case.wanted.into / "zeros").exists()


def test_a_tree_that_names_itself_without_end_is_not_listed(case: Case) -> None:
    """Ten levels of ten times the same: ten thousand million files in ten objects."""
    oid = git(case.work, "rev-parse", "HEAD:a.py")
    kind, entry = "100644 blob", oid
    for level in range(10):
        listing = "".join(f"{kind} {entry}\tname{'x' * 60}{number}\n" for number in range(10))
        done = subprocess.run(
            ["git", "mktree"],
            input=listing.encode(),
            cwd=case.work,
            capture_output=True,
            check=True,
        )
        kind, entry = "040000 tree", done.stdout.decode().strip()
        assert level < 10
    made = git(case.work, "commit-tree", "-m", "bomb", entry)
    bare = str(case.host.folder / "octo" / "shop.git")
    git(case.work, "push", "-q", "--force", bare, f"{made}:refs/heads/main")
    with pytest.raises(TooLarge):
        case.fetch(commit=made)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"commit": NOBODY}, CommitMissing),
        ({"base": NOBODY}, CommitMissing),
        ({"token": "tok-other"}, TokenRefused),
        ({"token": ""}, AccessRefused),
        ({"token": "két"}, TokenRefused),
        ({"proxy": "http://127.0.0.1:1"}, ProviderSilent),
        ({"authorities": ""}, ProviderSilent),
    ],
)
def test_each_way_to_fail_has_its_own_name(
    case: Case, changes: dict[str, str], error: type[TargetError], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(error) as caught:
        case.fetch(**changes)
    assert ALIVE not in str(caught.value)
    assert "tok-" not in capfd.readouterr().err


def test_a_repository_that_is_not_there_is_refused(case: Case) -> None:
    with pytest.raises(AccessRefused):
        case.fetch(url=case.wanted.url.replace("shop", "none"))


def test_redirects_are_not_followed(case: Case) -> None:
    case.host.elsewhere = case.host.url.replace("127.0.0.1", "127.0.0.2")
    with pytest.raises(ProviderSilent):
        case.fetch()


@pytest.mark.parametrize(
    "changes",
    [
        {"commit": "main"},
        {"commit": "--upload-pack=x"},
        {"branch": "--upload-pack=x"},
        {"branch": "a\nb"},
        {"base": "$(id)"},
        {"url": "http://example.org/a/b.git"},
        {"url": "https://u:p@example.org/a/b.git"},
        {"url": "ext::sh"},
    ],
)
def test_what_is_no_name_never_reaches_git(case: Case, changes: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        case.fetch(**changes)
    assert case.host.gits == []


def test_the_token_is_in_no_argument_and_no_variable_and_no_file(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Watched while Git waits for its answer, token already given."""
    rooms = tmp_path / "rooms"
    rooms.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(rooms))
    case.host.stalled.clear()
    thread = threading.Thread(target=case.fetch)
    thread.start()
    tick = threading.Event()
    while "x-access-token" not in case.host.gits:
        assert thread.is_alive()
        tick.wait(0.02)
    told, kept = list(_told_by_processes("git")), list(_kept_in(case.wanted.into, rooms))
    case.host.stalled.set()
    thread.join()
    kept += _kept_in(case.wanted.into, rooms)
    assert len(told) > 1
    assert len(kept) > 1
    assert not [one for one in (*told, *kept) if ALIVE.encode() in one]


def _told_by_processes(name: str) -> Iterator[bytes]:
    """Arguments and environment of every process of that program."""
    for process in (Path("/proc", one) for one in os.listdir("/proc") if one.isdecimal()):
        with contextlib.suppress(OSError):
            arguments = (process / "cmdline").read_bytes()
            if name.encode() in arguments.split(b"\0")[0]:
                yield arguments + (process / "environ").read_bytes()


def _kept_in(*folders: Path) -> Iterator[bytes]:
    """The bytes of every file."""
    for folder in folders:
        yield from (one.read_bytes() for one in folder.rglob("*") if one.is_file())


_CUT = b"error: RPC failed; curl 18 transfer closed\nfatal: early EOF\n"
_PACK = b"fatal: fetch-pack: invalid index-pack output\n"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (_CUT + _PACK, ProviderSilent),
        (b"remote: File too large, error: 401\nfatal: the remote end hung up\n", ProviderSilent),
        (b"remote: Not here.\nfatal: repository 'https://x/' not found\n", AccessRefused),
        (b"fatal: write error: No space left on device\n" + _PACK, EngineFailed),
    ],
)
def test_what_git_says_is_told_as_what_it_is(
    case: Case, monkeypatch: pytest.MonkeyPatch, said: bytes, kind: type[Exception]
) -> None:
    def refused(argv: Sequence[str], **more: Any) -> Completed:
        return Completed(128, b"", said) if "fetch" in argv else run(argv, **more)

    monkeypatch.setattr(command, "run", refused)
    with pytest.raises(kind):
        case.fetch()


def test_a_git_that_this_machine_ends_is_no_repository_that_is_too_large(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: Any, **__: Any) -> Completed:
        raise EngineFailed("it was ended by SIGKILL")

    monkeypatch.setattr(command, "run", ended)
    with pytest.raises(EngineFailed):
        case.fetch()
