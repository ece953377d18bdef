"""What a process has started, and what all of that holds: looked at from outside."""

import contextlib
import itertools
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

_HELD = re.compile(r"^Rss(?:Anon|Shmem):\s+(\d+) kB$", re.MULTILINE)
"""In /proc/PID/status: memory of its own, and memory shared with other processes."""


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


def stop_family(pid: int) -> int:
    """Have ``pid`` and its descendants stand still; tells how many were found.

    Each is stopped before its children are asked for: so none is born behind our back.
    """
    return sum(1 for _ in _offspring(pid, before=_stop))


def _offspring(pid: int, before: Callable[[int], None] = lambda _: None) -> Iterator[int]:
    pending = [pid]
    while pending:
        parent = pending.pop()
        before(parent)
        with contextlib.suppress(psutil.Error):
            children = _children(parent)
            pending += children
            yield from children


def _stop(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGSTOP)


def _children(pid: int) -> list[int]:
    """Linux keeps a list; elsewhere psutil looks through every process of the machine."""
    try:
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        with contextlib.suppress(OSError):  # too many files are open just now
            return [child.pid for child in psutil.Process(pid).children()]
        return []


def tasks_of(uid: int) -> int:
    """Processes and threads of an account, as far as they can be seen from here."""
    found = 0
    for one in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if one.name.isdecimal() and one.stat().st_uid == uid:
                found += (one / "task").stat().st_nlink - 2
    return found
