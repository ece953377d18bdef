"""A supervised process is watched while it works, and nothing of it is left when it goes."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.sandbox.process import supervised as module
from mergegate.sandbox.process.process_tree import descendants
from mergegate.sandbox.process.run import MEBIBYTE, Limits, start
from mergegate.sandbox.process.supervised import SupervisedProcess, supervised

RUNAWAY = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("pid", "w").write(str(os.getpid()))
        os.rename("pid", "runaway")
        time.sleep(600)
    os._exit(0)
os.wait()
print("ready", flush=True)
time.sleep(600)
"""


@contextlib.contextmanager
def python(code: str, cwd: Path, limits: Limits = Limits()) -> Iterator[SupervisedProcess]:
    with supervised([sys.executable, "-I", "-c", code], cwd=cwd, limits=limits) as held:
        yield held


def until_it_ends(held: SupervisedProcess) -> None:
    tick = threading.Event()
    while held.alive:
        tick.wait(0.02)


def is_gone(pid: int) -> bool:
    """A zombie that nobody has buried is gone too."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def the_runaway(folder: Path) -> int:
    tick, patience_s = threading.Event(), time.monotonic() + 60
    while not (folder / "runaway").is_file():
        assert time.monotonic() < patience_s, "it was ended before it could run away"
        tick.wait(0.02)
    return int((folder / "runaway").read_text())


def test_it_answers_what_it_is_asked(tmp_path: Path) -> None:
    with python("print(input()[::-1], flush=True)", tmp_path) as held:
        held.stdin.write(b"abc\n")
        assert held.stdout.readline() == b"cba\n"


def test_one_that_is_left_has_no_fault(tmp_path: Path) -> None:
    with python("import time; time.sleep(600)", tmp_path) as held:
        assert (held.alive, held.fault) == (True, "")
    assert (held.alive, held.fault) == (False, "")
    assert is_gone(held.pid)


def test_one_that_ends_says_how(tmp_path: Path) -> None:
    with python("import sys; sys.exit('no module')", tmp_path) as held:
        until_it_ends(held)
        assert held.fault == "it ended on its own with exit code 1"
        assert held.complaints() == "no module\n"
    assert held.fault == "it ended on its own with exit code 1"


def test_one_that_is_killed_says_by_what(tmp_path: Path) -> None:
    with python("import os; os.abort()", tmp_path) as held:
        until_it_ends(held)
        assert held.fault == "it was ended by SIGABRT"


def test_one_that_eats_memory_is_ended_and_says_why(tmp_path: Path) -> None:
    code = "import time; x = bytearray(300 << 20); time.sleep(600)"
    with python(code, tmp_path, Limits(memory_bytes=100 * MEBIBYTE)) as held:
        until_it_ends(held)
        held.end()
        assert held.fault == "it used more than 100 MiB of memory"


def test_mapped_files_are_not_its_memory(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (64 << 20))
    code = (
        "import mmap, time\n"
        "file = open('large', 'rb')\n"
        "held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)\n"
        "print(sum(held[i] for i in range(0, len(held), 4096)), flush=True); time.sleep(600)"
    )
    with python(code, tmp_path) as held:
        assert held.stdout.readline() == b"%d\n" % (ord("x") * (64 << 20) // 4096)
        assert 0 < held.resident_bytes() < 48 * MEBIBYTE


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: environments are read from /proc")
def test_a_child_that_left_the_session_and_its_parent_is_ended_too(tmp_path: Path) -> None:
    with python(RUNAWAY, tmp_path) as held:
        runaway = the_runaway(tmp_path)
        assert not is_gone(runaway)
        assert os.getsid(runaway) != held.pid
    assert is_gone(runaway)


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: environments are read from /proc")
def test_what_a_crashed_one_leaves_is_ended_at_once(tmp_path: Path) -> None:
    with python(RUNAWAY, tmp_path) as held:
        runaway = the_runaway(tmp_path)
        os.kill(held.pid, signal.SIGKILL)
        psutil.wait_procs([psutil.Process(runaway)], timeout=10)
        assert is_gone(runaway)
        assert held.fault == "it was ended by SIGKILL"


def test_the_first_reason_for_an_end_is_the_one_told(tmp_path: Path) -> None:
    with python("import time; time.sleep(600)", tmp_path) as held:
        held.end("it took too long")
        held.end("another")
        assert held.fault == "it took too long"


def test_it_may_be_ended_from_two_sides_at_once(tmp_path: Path) -> None:
    with python(RUNAWAY, tmp_path) as held:
        runaway = the_runaway(tmp_path)
        sides = [threading.Thread(target=held.end) for _ in range(4)]
        for side in sides:
            side.start()
        for side in sides:
            side.join()
        assert is_gone(runaway)


def test_two_in_one_folder_do_not_end_each_other(tmp_path: Path) -> None:
    code = "print(input(), flush=True)"
    with python(code, tmp_path) as one:
        with python(code, tmp_path) as other:
            assert other.alive
        one.stdin.write(b"still here\n")
        assert one.stdout.readline() == b"still here\n"


def test_it_sees_none_of_our_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "canary")
    with python("import os; print(sorted(os.environ), flush=True)", tmp_path) as held:
        told = held.stdout.readline().decode()
    assert "GITHUB_TOKEN" not in told
    assert "HOME" in told


def test_only_the_end_of_its_complaints_is_kept(tmp_path: Path) -> None:
    code = "import sys; sys.stderr.write('x' * 100_000 + 'end'); sys.exit(1)"
    with python(code, tmp_path) as held:
        until_it_ends(held)
        assert len(held.complaints()) == 4096
        assert held.complaints().endswith("xend")


def test_endless_complaints_fill_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_COMPLAINTS", 100_000)
    code = (
        "import os, sys\nfor n in iter(int, 1):\n"
        " os.write(2, b'x' * 50_000 + b'end')\n if not n: print(flush=True); input()"
    )
    with python(code, tmp_path) as held:
        for _ in range(20):
            held.stdin.write(b"\n")
            held.stdout.readline()
        while os.fstat(held._complaints.fileno()).st_size > 100_000:
            time.sleep(0.01)
        assert held.alive
        while not held.complaints().endswith("xend"):  # it may have been cut to nothing just now
            held.stdin.write(b"\n")
            held.stdout.readline()


def test_what_nobody_reads_holds_it_up_not(tmp_path: Path) -> None:
    code = "print('x' * 300_000 + 'end', flush=True)"
    with supervised([sys.executable, "-I", "-c", code], cwd=tmp_path, answers=False) as held:
        until_it_ends(held)
        assert held.fault == "it ended on its own with exit code 0"
        assert held.complaints().endswith("xend\n")


def test_one_that_cannot_be_watched_over_is_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def noted(*arguments: Any, **named: Any) -> Any:
        started.append((process := start(*arguments, **named)).pid)
        return process

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(module, "start", noted)
    monkeypatch.setattr("mergegate.sandbox.process.supervised.threading.Thread.start", refuse)
    with (
        pytest.raises(EngineFailed, match="can't start new thread"),
        python("open('started', 'w')", tmp_path),
    ):
        pass
    assert [is_gone(one) for one in started] == [True]
    assert not (tmp_path / "started").exists()


def test_where_no_socket_is_to_be_had_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("mergegate.sandbox.process.supervised.socket.socketpair", refuse)
    with pytest.raises(EngineFailed, match="Too many open files"), python("", tmp_path):
        pass


FAMILY = "import os, time\nfor _ in range(3): os.fork() or os.setsid()\ntime.sleep(600)"
"""One with seven descendants, each in a session of its own."""


def test_one_that_starts_too_many_processes_is_ended_and_says_so(tmp_path: Path) -> None:
    argv = [sys.executable, "-I", "-c", FAMILY]
    with supervised(argv, cwd=tmp_path, most_processes=7) as held:
        until_it_ends(held)
        assert held.fault == "it started more than 7 processes"


def test_one_whose_first_thread_has_ended_is_not_taken_for_dead(tmp_path: Path) -> None:
    code = (
        "import ctypes, os, threading, time\n"
        "if not os.fork():\n"
        " os.setsid(); threading.Thread(target=time.sleep, args=(600,)).start()\n"
        " ctypes.CDLL(None).pthread_exit(None)\n"
        "time.sleep(600)"
    )
    with python(code, tmp_path) as held:
        while not (found := list(filter(is_gone, descendants(held.pid)))):
            time.sleep(0.01)
        threads = [int(one.name) for one in Path(f"/proc/{found[0]}/task").iterdir()]
    assert len(threads) == 2
    assert not Path(f"/proc/{found[0]}/task/{max(threads)}").exists()


STOPS_ITS_SUPERVISOR = """
import os, signal, time
supervisor = os.getppid()
if os.fork():
    while not os.path.exists("runaway"): time.sleep(0.01)
    os.kill(supervisor, signal.%s)
    os._exit(0)
open("pid", "w").write(str(os.getpid()))
os.rename("pid", "runaway")
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: environments are read from /proc")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM", "SIGINT", "SIGSTOP"])
def test_what_kills_or_stops_its_supervisor_is_ended_all_the_same(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 1.0)
    argv = [sys.executable, "-I", "-c", STOPS_ITS_SUPERVISOR % how]
    with supervised(argv, cwd=tmp_path) as held:
        runaway = the_runaway(tmp_path)
    assert is_gone(runaway)
    assert is_gone(held.pid)


def test_a_script_that_ends_its_own_group_ends_no_supervisor(tmp_path: Path) -> None:
    script = "trap '' TERM; kill -s TERM 0; read -r _; exit 5"
    with supervised(["sh", "-c", script], cwd=tmp_path) as held:
        held.stdin.write(b"\n")
        until_it_ends(held)
        assert held.fault == "it ended on its own with exit code 5"


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: Linux alone hands on orphans")
def test_what_stops_its_supervisor_and_hides_every_trace_is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 1.0)
    code = (
        "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid(); open('pid', 'w').write(str(os.getpid())); os.rename('pid', 'runaway')\n"
        "os.chdir('/'); os.execve('/bin/sleep', ['sleep', '600'], {})"
    )
    with python(code, tmp_path):
        runaway = the_runaway(tmp_path)
        while b"sleep" not in Path(f"/proc/{runaway}/cmdline").read_bytes():
            time.sleep(0.01)
    assert is_gone(runaway)


def test_signals_that_python_ignores_are_not_ignored_by_what_it_starts(tmp_path: Path) -> None:
    with supervised(["grep", "SigIgn", "/proc/self/status"], cwd=tmp_path) as held:
        assert int(held.stdout.readline().split()[1], 16) & 1 << signal.SIGPIPE - 1 == 0


def test_file_descriptors_that_are_inherited_stay_open_until_all_has_ended(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    argv = [sys.executable, "-I", "-c", "import os; print(os.listdir('/dev/fd')); input()"]
    with supervised(argv, cwd=tmp_path, inherited=(writing,)) as held:
        os.close(writing)
        assert len(held.stdout.readline().split()) == 4  # standard streams, and the listing
        os.set_blocking(reading, False)
        with pytest.raises(BlockingIOError):
            os.read(reading, 1)
    assert os.read(reading, 1) == b""
    os.close(reading)


def test_a_missing_program_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(EngineMissing), supervised([tmp_path / "none"], cwd=tmp_path):
        pass


KILLED = """
import sys, time
from pathlib import Path
from mergegate.sandbox.process.supervised import supervised
code = "import os, time; os.fork(); print(os.getpid(), flush=True); time.sleep(600)"
with supervised([sys.executable, "-I", "-c", code], cwd=Path(sys.argv[1])) as held:
    print(held.stdout.readline().decode(), held.stdout.readline().decode(), flush=True)
    time.sleep(600)
"""


def test_it_ends_with_us_even_when_we_are_killed(tmp_path: Path) -> None:
    ours = subprocess.Popen([sys.executable, "-c", KILLED, tmp_path], stdout=subprocess.PIPE)
    members = [int(_line(ours)), int(_line(ours))]
    ours.kill()
    ours.communicate()
    tick = threading.Event()
    while not all(map(is_gone, members)):
        tick.wait(0.02)
    assert len(members) == 2


def _line(process: subprocess.Popen[bytes]) -> str:
    """The next line that holds anything."""
    assert process.stdout
    return next(line for raw in process.stdout if (line := raw.decode()).strip())


def test_file_descriptors_beyond_those_of_select_do(tmp_path: Path) -> None:
    """A host has thousands open: a connection for each caller."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    taken = [os.open(os.devnull, os.O_RDONLY)]
    try:
        while taken[-1] < 1100:
            taken.append(os.dup(taken[0]))
        with python("print(input(), flush=True)", tmp_path) as held:
            held.stdin.write(b"here\n")
            assert held.stdout.readline() == b"here\n"
        assert is_gone(held.pid)
    finally:
        for one in taken:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
