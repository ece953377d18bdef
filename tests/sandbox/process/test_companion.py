"""A companion is watched while it works, and nothing of it is left when it goes."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.sandbox.process import companion as module
from mergegate.sandbox.process import kindred
from mergegate.sandbox.process.companion import Companion, Oversight, companion
from mergegate.sandbox.process.family import descendants, stop_family
from mergegate.sandbox.process.kindred import _kill_all as kill_all
from mergegate.sandbox.process.run import MEBIBYTE, Limits, start

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
def python(code: str, cwd: Path, limits: Limits = Limits()) -> Iterator[Companion]:
    with companion([sys.executable, "-I", "-c", code], cwd=cwd, limits=limits) as held:
        yield held


def until_it_ends(held: Companion) -> None:
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
    tick = threading.Event()
    while not (folder / "runaway").is_file():
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
        assert held.complaints().endswith("xend")


def test_what_nobody_reads_holds_it_up_not(tmp_path: Path) -> None:
    code = "print('x' * 300_000 + 'end', flush=True)"
    with companion([sys.executable, "-I", "-c", code], cwd=tmp_path, answers=False) as held:
        until_it_ends(held)
        assert held.fault == "it ended on its own with exit code 0"
        assert held.complaints().endswith("xend\n")


@pytest.mark.parametrize(
    ("part", "refusal"),
    [
        ("_guard", BlockingIOError(11, "Resource temporarily unavailable")),
        ("threading.Thread", RuntimeError("can't start new thread")),
    ],
)
def test_one_that_cannot_be_watched_over_is_not_left_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, refusal: Exception
) -> None:
    started: list[int] = []

    def noted(*arguments: Any, **named: Any) -> Any:
        started.append((process := start(*arguments, **named)).pid)
        return process

    def refuse(*_: object, **__: object) -> None:
        raise refusal

    monkeypatch.setattr(module, "start", noted)
    monkeypatch.setattr(f"mergegate.sandbox.process.companion.{part}", refuse)
    with (
        pytest.raises(EngineFailed, match=str(refusal.args[-1])),
        python("import time; time.sleep(600)", tmp_path),
    ):
        pass
    assert [is_gone(one) for one in started] == [True]


FAMILY = "import os, time\nfor _ in range(3): os.fork() or os.setsid()\ntime.sleep(600)"
"""One with seven descendants, each in a session of its own."""


def test_a_family_stands_still_before_anyone_of_it_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[str] = []

    def noted(found: Iterable[int]) -> None:
        members = list(found)
        states.extend(psutil.Process(pid).status() for pid in members)
        kill_all(members)

    monkeypatch.setattr(kindred, "_kill_all", noted)
    with python(FAMILY, tmp_path) as held:
        while len(family := descendants(held.pid)) < 7:
            time.sleep(0.01)
    assert states[:7] == [psutil.STATUS_STOPPED] * 7
    assert all(map(is_gone, family))


def test_one_that_multiplies_faster_than_we_look_is_ended_while_everybody_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    @contextlib.contextmanager
    def standstill() -> Iterator[None]:
        told.append("all stand")
        monkeypatch.setattr(kindred, "stop_family", stop_family)
        yield
        told.append("all go on")

    monkeypatch.setattr(kindred, "stop_family", lambda *_: False)
    argv = [sys.executable, "-I", "-c", FAMILY]
    with companion(argv, cwd=tmp_path, oversight=Oversight(standstill=standstill)) as held:
        while len(family := descendants(held.pid)) < 7:
            time.sleep(0.01)
    assert told == ["all stand", "all go on"]
    assert all(map(is_gone, family))


def test_one_that_starts_too_many_processes_is_ended_and_says_so(tmp_path: Path) -> None:
    argv = [sys.executable, "-I", "-c", FAMILY]
    with companion(argv, cwd=tmp_path, oversight=Oversight(most_processes=6)) as held:
        until_it_ends(held)
        assert held.fault == "it started more than 6 processes"


def test_one_whose_first_thread_has_ended_is_not_taken_for_dead(tmp_path: Path) -> None:
    code = (
        "import ctypes, os, threading, time\n"
        "if not os.fork():\n"
        " os.setsid(); threading.Thread(target=time.sleep, args=(600,)).start()\n"
        " ctypes.CDLL(None).pthread_exit(None)\n"
        "time.sleep(600)"
    )
    with python(code, tmp_path) as held:
        while not (family := descendants(held.pid)) or not is_gone(family[0]):
            time.sleep(0.01)
        threads = [int(one.name) for one in Path(f"/proc/{family[0]}/task").iterdir()]
    assert len(threads) == 2
    assert not Path(f"/proc/{family[0]}/task/{max(threads)}").exists()


def test_one_whose_family_cannot_be_looked_for_is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(module, "_PATIENCE_S", 0.1)
    monkeypatch.setattr(module, "_LAST_PATIENCE_S", 0.1)
    monkeypatch.setattr(kindred.Kindred, "_strays", refuse)
    with python("import time; time.sleep(600)", tmp_path) as held:
        pid = held.pid
    assert is_gone(pid)


def test_a_missing_program_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(EngineMissing), companion([tmp_path / "none"], cwd=tmp_path):
        pass


KILLED = """
import sys, time
from pathlib import Path
from mergegate.world.companion import companion
code = "import os, time; os.fork(); print(os.getpid(), flush=True); time.sleep(600)"
with companion([sys.executable, "-I", "-c", code], cwd=Path(sys.argv[1])) as held:
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
