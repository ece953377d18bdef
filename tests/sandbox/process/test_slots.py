"""A child answers line by line, and nothing of it is left when it goes, however that comes."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from mergegate.core.errors import EngineFailed, EngineTimeout
from mergegate.sandbox.process import slots as module
from mergegate.sandbox.process.confinement import network_is_isolated
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.sandbox.process.slots import Child, Ended, Kind, Slots, remove, slots
from tests.sandbox.process.accounts import as_account, needs_our_interpreter, uid
from tests.sandbox.process.test_supervised import is_gone

__all__ = ["uid"]

ECHO = "import sys\nfor line in sys.stdin: print(line[::-1].strip(), flush=True)"
LOST = """
import os, subprocess, sys, time
from pathlib import Path
from mergegate.sandbox.process.run import Limits, start

def lose(seconds):
    "A grandchild as engines are started: in an environment and a session of its own."
    room = Path("room"); room.mkdir(exist_ok=True)
    null = open(os.devnull, "r+b")
    streams = (null, null, null)
    return start(["sleep", seconds], room.resolve(), Limits(), None, streams, network=True).pid

for line in sys.stdin:
    pid = lose("600")
    print(pid, flush=True)
    if line.strip() == "then hang":
        time.sleep(600)
"""
"""Answers with the number of a process that has nothing of ours but its folder."""


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-X", "utf8", "-c", code)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Slots]:
    with slots(tmp_path) as opened:
        yield opened


def parent_of(child: Child) -> int:
    """The program itself: the first that its supervisor started, before orphans came to that."""
    assert child._process
    return psutil.Process(child._process.pid).children()[0].pid


def until(condition: Callable[[], bool]) -> None:
    tick = threading.Event()
    while not condition():
        tick.wait(0.02)


def test_it_answers_each_line_it_is_sent(held: Slots) -> None:
    child = held.child(Kind(python(ECHO)))
    before = child.alive
    assert [child.ask(b"abc", 20), child.ask(b"de", 20)] == [b"cba", b"ed"]
    between = child.alive
    child.end()
    assert (before, between, child.alive) == (False, True, False)


def test_a_line_longer_than_a_pipe_holds_gets_its_answer(held: Slots) -> None:
    child = held.child(Kind(python(ECHO)))
    assert child.ask(b"x" * 3_000_000, 20) == b"x" * 3_000_000
    child.end()


def test_its_room_is_gone_when_it_is(held: Slots) -> None:
    child = held.child(Kind(python("import os; input(); print(os.getcwd(), flush=True); input()")))
    room = Path(os.fsdecode(child.ask(b"", 20)))
    (room / "deep").mkdir()
    (room / "deep" / "file").write_text("")
    (room / "deep").chmod(0o500)
    child.end()
    assert not room.exists()


def test_its_environment_holds_nothing_of_ours(
    held: Slots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MERGEGATE_SECRET_KEYS", "canary")
    code = "import os; input(); print(dict(os.environ), flush=True); input()"
    child = held.child(Kind(python(code), environment={"MERGEGATE_DATA_DIR": "/data"}))
    said = child.ask(b"", 20).decode()
    child.end()
    assert "canary" not in said
    assert "'MERGEGATE_DATA_DIR': '/data'" in said


@pytest.mark.skipif(not network_is_isolated(), reason="NOT CHECKED: no network can be taken here")
@pytest.mark.parametrize("network", [True, False])
def test_one_without_a_network_reaches_nobody(held: Slots, network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        to = server.getsockname()
        code = (
            "import socket\ninput()\n"
            f"try: socket.create_connection({to!r}, 5); print('reached', flush=True)\n"
            "except OSError: print('nobody', flush=True)\ninput()"
        )
        child = held.child(Kind(python(code), network=network))
        assert child.ask(b"", 20) == (b"reached" if network else b"nobody")
        child.end()


def test_a_sealed_room_is_read_and_not_written() -> None:
    with slots() as held:
        _check_sealed(held)


def _check_sealed(held: Slots) -> None:
    room = held.room()
    (room / "folder").mkdir()
    (room / "folder" / "file").write_text("here")
    (room / "out").symlink_to("/etc")
    held.seal(room)
    code = (
        f"import os; os.chdir({str(room)!r}); input()\n"
        "may = [os.access('folder/file', m) for m in (os.R_OK, os.W_OK)]\n"
        "print(may, os.access('folder', os.W_OK), flush=True); input()"
    )
    child = held.child(Kind(python(code)))
    assert child.ask(b"", 20) == b"[True, False] False"
    child.end()
    remove(room)
    assert not room.exists()
    assert Path("/etc").is_dir()


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("import sys; sys.exit(3)", {}, "exit code 3"),
        ("import os, signal; input(); os.kill(os.getpid(), signal.SIGKILL)", {}, "SIGKILL"),
        ("import os, time; os.close(1); time.sleep(600)", {}, "closed its answers"),
        (
            "import time; input(); x = bytearray(300 << 20); time.sleep(600)",
            {"limits": Limits(memory_bytes=100 * MEBIBYTE)},
            "more than 100 MiB",
        ),
        (
            "import os, time\ninput()\nfor _ in range(12): os.fork() or time.sleep(600)\ninput()",
            {"most_processes": 5},
            "more than 5 processes",
        ),
        ("input(); print('one\\ntwo', flush=True); input()", {}, "more than one line"),
        ("import sys\ninput()\nwhile True: sys.stdout.write('x' * 65536)", {}, "more than 1 MiB"),
    ],
)
def test_one_without_an_answer_is_an_error_that_says_why(
    held: Slots,
    code: str,
    kind: dict[str, object],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_LONGEST_ANSWER", MEBIBYTE)
    child = held.child(Kind(python(code), **kind))  # type: ignore[arg-type]
    with pytest.raises(EngineFailed, match=words):
        child.ask(b"", 20)
    assert not child.alive
    child.end()


def test_what_is_said_unasked_is_no_answer(held: Slots) -> None:
    """Else the order after it would get the answer of this one, and it may be somebody else's."""
    now = held.folder / "now"
    code = (
        "import os, time\nprint(input(), flush=True)\n"
        f"while not os.path.exists({str(now)!r}): time.sleep(0.01)\n"
        "print('mine', flush=True); input()"
    )
    child = held.child(Kind(python(code)))
    assert child.ask(b"first", 20) == b"first"
    now.touch()
    assert child._process
    until(lambda: module._has_spoken(child._process.stdout.fileno()))  # type: ignore[union-attr]
    with pytest.raises(EngineFailed, match="unasked"):
        child.ask(b"second", 20)
    child.end()


def test_a_folder_that_cannot_be_made_is_an_error_that_says_why(
    held: Slots, tmp_path: Path
) -> None:
    with pytest.raises(EngineFailed, match="no folder"), slots(tmp_path / "gone"):
        pass
    remove(held.folder)
    with pytest.raises(EngineFailed, match="no folder"):
        held.child(Kind(python(ECHO)))


def test_one_that_takes_too_long_is_ended(held: Slots) -> None:
    child = held.child(Kind(python("import time; time.sleep(600)")))
    with pytest.raises(EngineTimeout):
        child.ask(b"", 0.3)
    assert not child.alive
    child.end()


def test_one_that_was_ended_is_not_started_again(held: Slots) -> None:
    child = held.child(Kind(python(ECHO)))
    child.end()
    with pytest.raises(Ended):
        child.ask(b"", 20)


def asked_meanwhile(child: Child) -> tuple[threading.Thread, list[str]]:
    told: list[str] = []

    def ask() -> None:
        try:
            told.append(child.ask(b"", 600).decode())
        except EngineFailed as error:
            told.append(error.what)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, told


def test_who_waits_for_an_answer_is_told_that_it_was_ended(held: Slots) -> None:
    child = held.child(Kind(python("import time; time.sleep(600)")))
    thread, told = asked_meanwhile(child)
    until(lambda: child.alive)
    child.end()
    thread.join()
    assert told == ["it was ended"]


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: environments are read from /proc")
def test_a_grandchild_without_a_parent_ends_with_the_child(held: Slots) -> None:
    child = held.child(Kind(python(LOST)))
    lost = int(child.ask(b"", 20))
    assert not is_gone(lost)
    child.end()
    assert is_gone(lost)


PARENT = f"""
import sys, time
from pathlib import Path
from mergegate.sandbox.process.slots import Kind, slots
with slots(Path(sys.argv[1])) as held:
    child = held.child(Kind((sys.executable, "-I", "-c", {LOST!r})))
    print(child.ask(b"then hang", 20).decode(), child._process.pid, flush=True)
    time.sleep(600)
"""


RUNAWAYS = """
import os, sys

def run_away():
    "Without parent, session, folder or environment, as whoever broke into an engine would."
    reading, writing = os.pipe()
    if not os.fork():
        os.setsid()
        if pid := os.fork():
            os.write(writing, b"%d " % pid)
            os._exit(0)
        os.chdir("/")
        os.execve("/bin/sleep", ["sleep", "600"], {})
    os.wait()
    return os.read(reading, 20).decode()

for line in sys.stdin:
    numbers = "".join(run_away() for _ in range(int(line)))
    if int(line) < 100:
        print(numbers, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: Linux alone hands on orphans")
def test_who_hides_every_trace_ends_with_the_child(held: Slots) -> None:
    child = held.child(Kind(python(RUNAWAYS)))
    runaways = list(map(int, child.ask(b"3", 20).split()))
    assert len(runaways) == 3
    assert not any(map(is_gone, runaways))
    child.end()
    assert all(map(is_gone, runaways))


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: Linux alone hands on orphans")
def test_who_hides_every_trace_is_counted(held: Slots) -> None:
    child = held.child(Kind(python(RUNAWAYS), most_processes=20))
    with pytest.raises(EngineFailed, match="more than 20 processes"):
        child.ask(b"101", 20)


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: Linux alone hands on orphans")
def test_who_hides_every_trace_ends_when_the_child_ends_by_itself(held: Slots) -> None:
    child = held.child(Kind(python(RUNAWAYS)))
    runaways = list(map(int, child.ask(b"2", 20).split()))
    os.kill(parent_of(child), signal.SIGKILL)
    until(lambda: all(map(is_gone, runaways)))
    with pytest.raises(EngineFailed, match="SIGKILL"):
        child.ask(b"1", 20)


MULTIPLYING = """
import os, sys, time
from contextlib import suppress
from pathlib import Path
from mergegate.core.errors import EngineFailed
from mergegate.sandbox.process.process_tree import has_ended
from mergegate.sandbox.process.run import Limits
from mergegate.sandbox.process.slots import Kind, slots

BREAK_OUT = (
    "import os, resource, sys, time; input()\\n"
    "assert os.getuid() and resource.getrlimit(resource.RLIMIT_NPROC)[1] < 1000\\n"
    "if not os.fork():\\n"
    " os.setsid(); os.chdir('/')\\n"
    " os.execve(sys.executable, ['python', '-I', '-S', '-c', {!r}], {{}})\\n"
    "time.sleep({}); print('done', flush=True); time.sleep(600)"
)
HAND_ON = "import os\\nwhile not os.fork(): os.setsid()\\nos._exit(0)"
DOUBLE = (
    "import os\\nwhile True:\\n try: os.fork() or os.setsid()\\n except OSError: pass"
)

def scan(held, multiply, answers_after_s):
    argv = (sys.executable, "-I", "-c", BREAK_OUT.format(multiply, answers_after_s))
    child = held.child(Kind(argv, limits=Limits(tasks=60), most_processes=30))
    try:
        print(child.ask(b"", 30).decode())
    except EngineFailed as error:
        print(error.what)
    child.end()

def living():
    return {int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal() and lives(one)}

def lives(one):
    try:
        return one.stat().st_uid == os.getuid() and not has_ended(int(one.name))
    except OSError:
        return False

def counted():
    # As the kernel does: whoever awaits burial too.
    found = set()
    for one in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            if f"\\nUid:\\t{os.getuid()}\\t" in one.read_text():
                found.add(one.parent.name)
    return found

def await_burial(known):
    until = time.monotonic() + 30
    while counted() - known and time.monotonic() < until:
        time.sleep(0.02)

with slots() as held:
    before, known = living(), counted()
    scan(held, HAND_ON, 0.2)
    await_burial(known)  # else the next one may not even begin to multiply
    scan(held, DOUBLE, 600)
    print(set().union(*(living() for _ in range(20))) - before)
"""
"""Somebody breaks out twice, hides, and multiplies: handing on to another, and doubling."""


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT CHECKED: root alone can be another account")
@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: Linux alone hands on orphans")
def test_who_multiplies_without_a_trace_ends_with_the_child(uid: int) -> None:
    """As an account whose processes the kernel counts."""
    needs_our_interpreter(uid)
    told = subprocess.check_output(as_account(uid, MULTIPLYING), cwd="/", text=True)
    assert told.splitlines() == ["done", "it started more than 30 processes", "set()"]


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: environments are read from /proc")
def test_nothing_is_left_of_a_parent_that_was_killed(tmp_path: Path) -> None:
    parent = subprocess.Popen((*python(PARENT), str(tmp_path)), stdout=subprocess.PIPE)
    assert parent.stdout
    family = [int(number) for number in parent.stdout.readline().split()]
    assert len(family) == 2
    assert not any(map(is_gone, family))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    until(lambda: all(map(is_gone, family)))
    until(lambda: not list(tmp_path.iterdir()))


def test_a_tree_deeper_than_any_path_is_removed(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    here = os.open(top, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    remove(top)
    assert not top.exists()


def test_many_are_asked_at_once(held: Slots) -> None:
    children = [held.child(Kind(python(ECHO))) for _ in range(4)]
    threads = [asked_meanwhile(child) for child in children]
    for thread, _ in threads:
        thread.join()
    assert [told for _, told in threads] == [[""]] * 4
    for child in children:
        child.end()
