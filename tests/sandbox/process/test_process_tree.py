"""A process tree is read, frozen and ended, wherever its members went and however they multiply."""

import errno
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent

import psutil
import pytest

from mergegate.sandbox.process import process_tree
from mergegate.sandbox.process.process_tree import descendants, end_descendants, has_ended
from tests.sandbox.process.accounts import as_account, uid

__all__ = ["uid"]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="NOT CHECKED: process trees are read from /proc"
)
FAMILY = "import os, time\nfor _ in range(3): os.fork() or os.setsid()\ntime.sleep(600)"
"""One with seven descendants, each in a session of its own."""


@contextmanager
def running(code: str) -> Iterator["subprocess.Popen[bytes]"]:
    argv = [sys.executable, "-I", "-S", "-c", code]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as held:
        yield held
        held.kill()


def test_where_no_file_can_be_opened_a_look_finds_nothing_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    for name in ("_read", "_threads"):
        monkeypatch.setattr(process_tree, name, refuse)
    assert process_tree.resident_bytes(os.getpid()) == 0
    assert descendants(os.getpid()) == []
    assert not has_ended(os.getpid())


@pytest.mark.parametrize("listed", [True, False])
def test_a_tree_is_frozen_as_a_whole_before_any_of_it_is_killed(
    monkeypatch: pytest.MonkeyPatch, listed: bool
) -> None:
    monkeypatch.setattr(process_tree, "_children_are_listed", lambda: listed)
    seen: list[tuple[str, object]] = []
    signalled = process_tree._signal

    def noted(pid: int, number: signal.Signals) -> None:
        if number == signal.SIGKILL:
            limit = 0, 0
            if sys.platform == "linux":  # nothing limits another process elsewhere
                limit = resource.prlimit(pid, resource.RLIMIT_NPROC)
            seen.append((psutil.Process(pid).status(), limit))
        signalled(pid, number)

    monkeypatch.setattr(process_tree, "_signal", noted)
    with running(FAMILY) as held:
        while len(members := descendants(held.pid)) < 7:
            pass
        assert process_tree.has_more_descendants(held.pid, 6)
        assert not process_tree.has_more_descendants(held.pid, 7)
        assert end_descendants(held.pid)
        assert held.poll() is None
    assert seen[:7] == [(psutil.STATUS_STOPPED, (0, 0))] * 7
    assert all(map(has_ended, members))


def test_a_tree_that_does_not_stand_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "_halt", lambda _: None)
    with running("import os; os.fork(); input()") as held:
        while not descendants(held.pid):
            pass
        assert not end_descendants(held.pid, time.monotonic() + 0.05)
        assert held.poll() is None
        os.kill(descendants(held.pid)[0], signal.SIGKILL)


VFORK = """
import ctypes, signal
libc = ctypes.CDLL(None)
stack = ctypes.create_string_buffer(1 << 16)
top = ctypes.c_void_p((ctypes.addressof(stack) + (1 << 16)) & ~15)
# CLONE_VM and CLONE_VFORK of linux/sched.h: all of vfork(2), but that the child waits.
print(flush=True)
libc.clone(ctypes.cast(libc.pause, ctypes.c_void_p), top, 0x100 | 0x4000 | signal.SIGCHLD, None)
"""


def test_who_waits_for_a_child_to_become_a_program_is_ended_with_it() -> None:
    """It can neither run nor be stopped until a child goes on that was stopped."""
    with running(f"import os\nif os.fork() == 0:\n{indent(VFORK, ' ')}\ninput()") as held:
        assert held.stdout
        held.stdout.readline()
        while len(members := descendants(held.pid)) < 2:
            pass
        assert end_descendants(held.pid, time.monotonic() + 20)
        assert held.poll() is None
    assert all(map(has_ended, members))


@pytest.mark.parametrize(("code", "ended"), [("raise SystemExit(7)", 7), ("os.abort()", -6)])
def test_a_supervisor_ends_as_its_program_did(code: str, ended: int) -> None:
    with supervising([sys.executable, "-I", "-S", "-c", f"import os; {code}"]) as held:
        assert held.wait() == ended


@contextmanager
def supervising(
    argv: list[str], *before: str, python: str = sys.executable
) -> Iterator["subprocess.Popen[bytes]"]:
    """Its standard input is the lifeline, too."""
    reading, writing = os.pipe()
    os.write(writing, b"\n")
    _, *options, file, lifeline = process_tree.supervisor(reading)
    # As text: whoever it becomes may not be let into the folder of the file.
    program = Path(file).read_text("utf-8")
    command = [*before, python, *options, "-c", program, lifeline, *argv]
    with subprocess.Popen(command, stdout=subprocess.PIPE, pass_fds=(reading,)) as held:
        os.close(reading)
        try:
            yield held
        finally:
            os.close(writing)


_PYTHON = "/usr/bin/python3"
"""Ours may lie below a folder that root alone may enter."""
HAND_ON = "while not os.fork(): os.setsid()\nos._exit(0)"
DOUBLE = "while True:\n try: os.fork() or os.setsid()\n except OSError: pass"
FLEE = "while True:\n if os.fork() and os.fork(): os._exit(0)\n os.setsid()"
IGNORE = (
    "import signal\nfor one in range(1, 65):\n"
    " try: signal.signal(one, signal.SIG_IGN)\n except (OSError, ValueError): pass\n"
    "os.fork(); os.setsid(); signal.pause()"
)
THREADS = "import threading, time\nfor _ in range(20): threading.Thread(target=work).start()"
THREADED = f"def work():\n while True:\n  os.fork() or os._exit(0)\n{THREADS}"


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT CHECKED: root alone can be another account")
@pytest.mark.parametrize("code", [HAND_ON, DOUBLE, FLEE, IGNORE, THREADED])
def test_nothing_is_left_of_a_tree_however_it_multiplies(uid: int, code: str) -> None:
    """As an account that shares its rights, and its limit, with somebody who lives on."""
    become = as_account(uid, "")[:5]
    bystander = [*become, _PYTHON, "-I", "-c", "print(input(), flush=True)"]
    with subprocess.Popen(bystander, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        hidden = f"import os; os.environ.clear(); os.chdir('/'); print(flush=True)\n{code}"
        argv = [_PYTHON, "-I", "-S", "-c", hidden]
        prefix = (*become, "prlimit", "--nproc=60:60")
        with supervising(argv, *prefix, python=_PYTHON) as held:
            assert held.stdout
            held.stdout.readline()
            select.select([], [], [], 0.2)
        assert held.returncode in (0, 1)
        assert [one for one in _living(uid) if one != other.pid] == []
        assert other.communicate(b"it lives\n")[0] == b"it lives\n"


def _living(uid: int) -> list[int]:
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            if one.stat().st_uid == uid and not has_ended(int(one.name)):
                found.append(int(one.name))
        except OSError:
            pass
    return found


FIRST = """
import os, sys, time
from pathlib import Path
from mergegate.sandbox.process.supervised import supervised

grandchildren = 'sh -c "sleep 100 & sleep 100 & echo; wait" & wait'
orphans = "sleep 100 & sleep 100 & echo"
for program in (grandchildren, orphans):
    with supervised(["sh", "-c", program], cwd=Path(sys.argv[1])) as held:
        held.stdout.readline()
        while program == orphans and held.alive:
            time.sleep(0.001)
print([one for one in os.listdir("/proc") if one.isdecimal()])
"""


@pytest.mark.skipif(
    os.geteuid() != 0, reason="NOT CHECKED: root alone can always be the first in a namespace"
)
def test_no_zombie_is_left_to_a_container_s_first_process(tmp_path: Path) -> None:
    """Else a host would be full of them some day: nothing else reaps."""
    becoming = ["unshare", "--pid", "--fork", "--mount-proc", "--"]
    argv = [*becoming, sys.executable, "-I", "-c", FIRST, str(tmp_path)]
    assert subprocess.check_output(argv, text=True) == "['1']\n"
