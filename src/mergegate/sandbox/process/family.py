"""What a process has started, and what all of that holds: looked at from outside."""

import contextlib
import errno
import itertools
import os
import re
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Set
from pathlib import Path

import psutil

_HELD = re.compile(r"^Rss(?:Anon|Shmem):\s+(\d+) kB$", re.MULTILINE)
"""In /proc/PID/status: memory of its own, and memory shared with other processes."""
_BREATH_S = 0.001


def resident_bytes(pid: int) -> int:
    """What the process and all its descendants hold; what has ended meanwhile counts nothing.

    On Linux without mapped files: the kernel can drop those, and ten processes of one program
    would count it ten times.
    """
    return sum(_resident(member) for member in (pid, *descendants(pid)))


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        if held := _HELD.findall(status):  # other kernels than Linux itself may not say
            return 1024 * sum(map(int, held))
    with contextlib.suppress(psutil.Error, OSError):
        return int(psutil.Process(pid).memory_info().rss)
    return 0


def descendants(pid: int) -> list[int]:
    """The children of ``pid``, theirs, and so on; empty when it is gone."""
    return list(_offspring(pid))


def has_more_descendants(pid: int, most: int) -> bool:
    """Than ``most``; looks no further then: what multiplies leaves us little time to look."""
    return next(itertools.islice(_offspring(pid), most, None), None) is not None


def _offspring(pid: int) -> Iterator[int]:
    """The oldest first: they have the most children, so a few looks find many."""
    pending = deque([pid])
    while pending:
        children = _children(pending.popleft())
        pending += children
        yield from children


def stop_family(pid: int, until: float) -> bool:
    """Have ``pid`` and its descendants stand still; whether all do by ``until`` (monotonic time).

    Only who stands already, and is looked at again, has no child that nobody has seen.
    """
    known: frozenset[int] = frozenset()
    stood = False
    while time.monotonic() < until:
        found = frozenset(_halted(pid, known, until))
        if stood and found == known:
            return True
        stood = found == known and all(map(_stands, found))
        if found == known and not stood:
            time.sleep(_BREATH_S)  # whoever is to stop needs his turn
        known = found
    return False


def _halted(pid: int, known: Set[int], until: float) -> Iterator[int]:
    """All of a family, each stopped when it is found, if it is not ``known``; the youngest first.

    An orphan that ``pid`` has just been given may be about to leave another, and go.
    """
    pending = deque([pid])
    while pending and time.monotonic() < until:
        one = pending.popleft()
        if one not in known:
            _halt(one)
        yield one
        pending += reversed(_children(one))


def _halt(pid: int) -> None:
    """It stands still, and never multiplies again, whoever wakes it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "linux":
            resource.prlimit(pid, resource.RLIMIT_NPROC, (0, 0))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGSTOP)


def _stands(pid: int) -> bool:
    """Whether none of its threads runs; elsewhere than on Linux nobody tells."""
    return sys.platform != "linux" or _all_are(pid, b"TtZX")


def has_ended(pid: int) -> bool:
    """Whether it is gone or awaits its burial; its first thread may end before the others do."""
    return _all_are(pid, b"ZX") if sys.platform == "linux" else _is_dead(pid)


def bears(pid: int, name: str, value: str) -> bool:
    """Whether it was started with that variable; raises OSError where that is not ours to read."""
    given = _environment(pid) if sys.platform == "linux" else _environment_elsewhere(pid)
    return os.fsencode(f"{name}={value}") in given


def _environment(pid: int) -> list[bytes]:
    return _read(f"/proc/{pid}/environ").split(b"\0")


def _environment_elsewhere(pid: int) -> list[bytes]:
    try:
        found = psutil.Process(pid).environ()
    except psutil.Error as error:
        raise PermissionError(pid) from error
    return [os.fsencode(f"{name}={value}") for name, value in found.items()]


def _is_dead(pid: int) -> bool:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    return True


def _all_are(pid: int, states: bytes) -> bool:
    """Whether each thread's state is one of ``states`` (proc_pid_stat(5))."""
    try:
        return all(
            _read(f"/proc/{pid}/task/{task}/stat").rpartition(b") ")[2][:1] in states
            for task in _tasks(pid)
        )
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ESRCH)


def _children(pid: int) -> list[int]:
    """The oldest first. Linux keeps a list; elsewhere psutil looks through every process."""
    try:
        lists = [_read(f"/proc/{pid}/task/{task}/children") for task in _tasks(pid)]
        return [int(child) for one in lists for child in one.split()]
    except OSError:
        with contextlib.suppress(psutil.Error, OSError):  # too many files are open just now
            return [child.pid for child in psutil.Process(pid).children()]
        return []


def _tasks(pid: int) -> list[str]:
    return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - as in _read


def _read(path: str) -> bytes:
    """Without a Path: a look at thousands must be over before they are more."""
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        return file.readall()


def tasks_of(uid: int) -> int:
    """Processes and threads of an account, as far as they can be seen from here."""
    found = 0
    for one in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if one.name.isdecimal() and one.stat().st_uid == uid:
                found += (one / "task").stat().st_nlink - 2
    return found
