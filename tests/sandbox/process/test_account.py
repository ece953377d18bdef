"""While we are root, engines and Git are not: shown with real processes."""

import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.core.errors import EngineMissing, UsageError
from mergegate.core.tree import SourceFile
from mergegate.doctor import machine
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.git.repository import Repository
from mergegate.sandbox.process import account, confinement
from mergegate.sandbox.process.account import Account, account_for, engines_account, hand_over
from mergegate.sandbox.process.confinement import rights_are_given_up
from mergegate.sandbox.process.run import Limits, run
from tests.sandbox.git.test_repository import commit, git

NOBODY = 65534
RUNNER = 1001
as_root = pytest.mark.skipif(
    not account._may_become_others(), reason="needs root with the capabilities of a container"
)


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    """What is cached of this machine belongs to one test alone."""
    engines_account.cache_clear()
    yield
    engines_account.cache_clear()


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Account:
    """The machine's ``nobody`` stands for the image's own account, which can read us there."""
    monkeypatch.setattr(account, "_ours", lambda: ())
    monkeypatch.setenv(account.VARIABLE, "nobody")
    found = engines_account()
    assert found is not None
    return found


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter; pytest's own are for their owner alone."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder).resolve()


def shell(script: str, cwd: Path, *, network: bool = False, limits: Limits = Limits()) -> str:
    done = run(["/bin/sh", "-c", script], cwd=cwd, network=network, limits=limits)
    assert done.exit_code == 0, done.stderr
    return done.stdout.decode()


def listed(path: str, location: Path) -> SourceFile:
    return source_file(path, location, location.read_bytes())


@as_root
@pytest.mark.parametrize("network", [False, True])
def test_an_engine_has_another_user_no_groups_and_no_capabilities(
    engines: Account, network: bool
) -> None:
    with Stage() as stage:
        said = shell("id -u; id -G; cat /proc/self/status", stage.room("engine"), network=network)
    user, groups, *status = said.splitlines()
    facts = dict(line.split(":\t", 1) for line in status if ":\t" in line)
    assert (user, groups) == (str(engines.uid), str(engines.gid))
    assert {facts[f"Cap{one}"] for one in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert facts["NoNewPrivs"] == "1"


@as_root
def test_an_engine_cannot_read_our_environment_or_what_is_ours(
    engines: Account, tmp_path: Path
) -> None:
    secret = tmp_path / "token"
    secret.write_text("canary")
    script = f"cat /proc/{os.getpid()}/environ {secret} || true; env"
    with Stage() as stage:
        said = shell(script, stage.room("engine"))
    assert "canary" not in said
    assert account.VARIABLE not in said


@as_root
def test_an_engine_reads_what_we_wrote_for_it_and_we_read_its_answer(engines: Account) -> None:
    before = os.umask(0o077)
    try:
        with Stage() as stage:
            room = stage.room("engine")
            (room / "deep").mkdir()
            (room / "deep" / "job").write_text("question")
            shell("cat deep/job > answer; chmod 600 answer", room)
            assert (room / "answer").read_text() == "question"
        assert not stage.root.exists()
    finally:
        os.umask(before)


@as_root
def test_an_engine_can_neither_change_nor_replace_the_copies_of_files(
    engines: Account, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with Stage() as stage:
        copy = stage.put(listed("a.py", tmp_path / "a.py"))
        script = f"cat {copy}; echo y > {copy}; rm -f {copy}; mv {copy.parent} /tmp/away; true"
        assert shell(script, stage.room("engine")) == "x = 1\n"
        assert copy.read_text() == "x = 1\n"


@as_root
def test_a_file_that_the_engines_may_not_read_is_copied_for_them(
    engines: Account, open_folder: Path
) -> None:
    for name, mode in (("open.py", 0o644), ("closed.py", 0o600)):
        (open_folder / name).write_text(f"# {name}\n")
        (open_folder / name).chmod(mode)
    with Stage() as stage:
        files = [listed(name, open_folder / name) for name in ("open.py", "closed.py")]
        places = [stage.readable(file) for file in files]
        room = stage.room("engine")
        assert [place == file.location for place, file in zip(places, files, strict=True)] == [
            True,
            False,
        ]
        assert shell(f"cat {places[0]} {places[1]}", room) == "# open.py\n# closed.py\n"


@as_root
def test_the_limit_on_files_holds_for_an_engine_of_another_user(engines: Account) -> None:
    limits = Limits(output_bytes=4096)
    with Stage() as stage:
        room = stage.room("engine")
        done = run(["/bin/sh", "-c", "head -c 100000 /dev/zero > big"], cwd=room, limits=limits)
        assert done.exit_code != 0
        assert (room / "big").stat().st_size == 4096


@as_root
def test_git_works_as_the_owner_of_the_repository(engines: Account, open_folder: Path) -> None:
    git(open_folder, "init", "-q")
    (open_folder / "a.py").write_text("x = 1\n")
    commit(open_folder, "first")
    subprocess.run(["chown", "-R", f"{RUNNER}:0", open_folder], check=True)
    said = shell("id -u; id -G; touch left-behind", open_folder)
    assert said.split() == [str(RUNNER), str(NOBODY)]
    assert (open_folder / "left-behind").stat().st_uid == RUNNER
    assert b"a.py" in Repository(open_folder).listed()


@as_root
def test_a_folder_that_git_may_not_open_is_named_as_skipped(
    engines: Account, open_folder: Path
) -> None:
    git(open_folder, "init", "-q")
    for name in ("it's shut", 'two\nlines"'):
        (open_folder / name).mkdir(mode=0o700)
        (open_folder / name / "a.py").write_text("x = 1\n")
    subprocess.run(["chown", str(RUNNER), open_folder], check=True)
    subprocess.run(["chown", "-R", str(RUNNER), open_folder / ".git"], check=True)
    tree = read_tree(open_folder, repository=Repository(open_folder))
    reason = "unreadable: Git could not open it"
    assert [(one.path, one.reason) for one in tree.skipped] == [
        ("it's shut/", reason),
        ('two\\nlines"/', reason),
    ]


@as_root
def test_without_an_account_for_engines_even_root_has_no_capabilities(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    status = shell("id -u; grep Cap /proc/self/status", tmp_path)
    assert status.splitlines()[0] == "0"
    assert "CapEff:\t0000000000000000" in status


@as_root
def test_an_engine_without_an_account_of_its_own_gets_one_that_owns_nothing(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account, "USUAL_NAME", "no-such-account")
    ours = (Path(account.__file__), open_folder / "answers.sqlite")
    ours[1].touch()
    with Stage() as stage:
        said = shell(
            f"id -u; for one in {ours[0]} {ours[1]}; do test -w $one || echo shut; done",
            stage.room("engine"),
        )
    uid, *shut = said.split()
    assert int(uid) in account._UNNAMED
    assert shut == ["shut", "shut"]


@as_root
def test_taken_and_unmapped_numbers_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = pwd.struct_passwd(("svc", "x", 65_533, 65_533, "", "/", "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwall", lambda: [taken])
    assert account._unnamed() == Account(65_532, 65_532)
    monkeypatch.setattr(account, "_is_mapped", lambda *_: False)
    assert account._unnamed() is None


@as_root
def test_an_account_that_cannot_read_us_is_let_read_or_not_started(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = open_folder / "shut" / "python"
    program.parent.mkdir(mode=0o700)
    program.touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    found = engines_account()
    assert found and found.reads_all
    with Stage() as stage:
        assert shell(f"test -x {program} && echo found", stage.room("engine")) == "found\n"
    engines_account.cache_clear()
    monkeypatch.setattr(account, "_READ_ALL", {"beyond all capabilities": 63})
    with pytest.raises(UsageError, match="never run as root") as caught:
        engines_account()
    assert "/usr/local" in str(caught.value.remedy)
    assert machine._account().alarming


@as_root
def test_a_folder_out_of_its_owners_reach_is_entered_by_ourselves(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    room = shut / "room"
    room.mkdir(parents=True)
    shut.chmod(0o700)
    os.chown(room, RUNNER, RUNNER)
    assert account_for(room) is None
    assert shell("id -u", room) == "0\n"


@as_root
@pytest.mark.parametrize("name", ["no-such-account", "root"])
def test_a_wrong_account_is_an_error_and_never_root(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(account.VARIABLE, name)
    with pytest.raises(UsageError, match=account.VARIABLE):
        engines_account()


def test_who_is_not_root_keeps_the_own_account(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    account._may_become_others.cache_clear()
    monkeypatch.setattr(os, "geteuid", lambda: RUNNER)
    try:
        assert engines_account() is None
        assert account_for(tmp_path) is None
        assert rights_are_given_up()
    finally:
        account._may_become_others.cache_clear()


@as_root
def test_links_and_shared_files_are_not_handed_over(tmp_path: Path) -> None:
    ours, room = tmp_path / "ours", tmp_path / "room"
    ours.write_text("ours")
    room.mkdir()
    (room / "link").symlink_to(ours)
    (room / "second-name").hardlink_to(ours)
    (room / "plain").write_text("plain")
    hand_over(room, Account(RUNNER, RUNNER))
    assert ours.stat().st_uid == 0
    assert (room / "plain").stat().st_uid == RUNNER


@pytest.mark.parametrize(
    ("mode", "uid", "gid", "readable"),
    [
        (0o644, 7, 7, True),
        (0o640, 7, 7, False),
        (0o640, 7, os.getgid(), True),
        (0o604, 7, os.getgid(), False),
        (0o044, os.getuid(), 7, False),
        (0o400, os.getuid(), 7, True),
    ],
)
def test_modes_decide_as_in_the_kernel(
    open_folder: Path, mode: int, uid: int, gid: int, readable: bool
) -> None:
    file = open_folder / "file"
    file.touch()
    file.chmod(mode)
    assert Account(uid, gid).can_read(file) is readable


def test_a_shut_folder_above_shuts_the_file(open_folder: Path) -> None:
    (open_folder / "shut").mkdir()
    file = open_folder / "shut" / "file"
    file.touch()
    file.chmod(0o644)
    assert Account(7, 7).can_read(file)
    (open_folder / "shut").chmod(0o750)
    assert not Account(7, 7).can_read(file)
    assert not Account(7, 7).can_read(open_folder / "no-such-file")


@as_root
def test_engines_do_not_start_as_root_where_rights_cannot_be_given_up(
    engines: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confinement, "_working", lambda way: None)
    confinement.confined.cache_clear()
    try:
        with Stage() as stage, pytest.raises(EngineMissing, match="setpriv"):
            shell("id", stage.room("engine"))
    finally:
        confinement.confined.cache_clear()
