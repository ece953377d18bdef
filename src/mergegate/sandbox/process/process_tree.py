"""A process tree: all that a program started, and what that started in turn; read, frozen, ended.

This is also a program, of the standard library alone: ``process_tree.py LIFELINE PROGRAM …`` is a
supervisor. It starts PROGRAM and ends the tree once PROGRAM ends, or once its starter closes its
end of LIFELINE, dead or alive. As a subreaper (prctl(2)) it becomes the parent of all processes
that lose their own, so none leaves the tree by changing its session, folder or environment.
"""

import contextlib
import errno
import itertools
import math
import os
import resource
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial

if sys.platform != "linux":
    import psutil

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_HELD = (b"RssAnon:", b"RssShmem:")
"""Lines of /proc/PID/status: private memory, and memory shared with other processes, in kB."""
_STOPPED, _ENDED, _WAITS = b"TtZX", b"ZX", b"D"
"""States of threads (proc_pid_stat(5))."""
_STATE, _PARENT, _FLAGS = 0, 1, 6
"""Fields behind the name in /proc/PID/stat (proc_pid_stat(5))."""
_EXITING = 0x4
"""PF_EXITING of linux/sched.h: such a thread may wait for long, and forks no more."""
_NO_PROGRAM_YET = 0x40
"""PF_FORKNOEXEC of linux/sched.h: what was forked and did not call exec(2)."""
_TICK_S = 0.002


def supervisor(lifeline: int) -> tuple[str, ...]:
    """What stands before a program to supervise it.

    The supervisor inherits ``lifeline``, a socket or the reading end of a pipe. It starts the
    program once a byte comes, and exits as the program did, or with 0 when it was told to end it.
    """
    isolated = ("-I", "-S") if sys.platform == "linux" else ("-I",)
    return (sys.executable, *isolated, __file__, str(lifeline))


def descendants(pid: int) -> list[int]:
    """The children of ``pid``, theirs, and so on; empty when it is gone."""
    return list(_descendants(pid))


def has_more_descendants(pid: int, most: int) -> bool:
    """Whether there are more than ``most``; stops counting then."""
    return next(itertools.islice(_descendants(pid), most, None), None) is not None


def resident_bytes(pid: int) -> int:
    """Memory of the process and all its descendants; what has ended meanwhile counts nothing.

    On Linux without mapped files: the kernel can drop those, and ten processes of one program
    would count it ten times.
    """
    return sum(map(_resident, (pid, *_descendants(pid))))


def has_ended(pid: int) -> bool:
    """Whether it is gone or a zombie; its first thread may end before the others do."""
    if sys.platform != "linux":
        with contextlib.suppress(psutil.Error):
            return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        return True
    return _are_all_threads(pid, lambda stat: stat[_STATE] in _ENDED)


def end_descendants(pid: int, until: float = math.inf) -> bool:
    """End all below ``pid``, which itself goes on; whether that was done by ``until``.

    All are frozen before any is killed: a tree that multiplies grows again while it is killed one
    by one. Times are monotonic, in seconds.
    """
    return _end(partial(_descendants, pid), until)


def end_strays(session: int, variable: str, until: float) -> bool:
    """End all of a session, and all whose environment has ``variable`` (``NAME=value``).

    What a supervisor leaves that was killed itself is found by these signs alone.
    """
    return _end(partial(_strays, session, os.fsencode(variable)), until)


def _end(look: Callable[[], Iterable[int]], until: float) -> bool:
    living: set[int] = set()
    with contextlib.suppress(TimeoutError):
        while living := {one for one in living | _frozen(look, until) if not has_ended(one)}:
            for one in living:
                _signal(one, signal.SIGKILL)
            time.sleep(_TICK_S)
        return True
    return False


def _frozen(look: Callable[[], Iterable[int]], until: float) -> frozenset[int]:
    """Stop all that ``look`` finds, until it finds no other. Raises TimeoutError.

    A process may finish a fork(2) after SIGSTOP was sent: only when all were seen to stand, and
    the next look finds the same ones, has none a child that was not seen.
    """
    known: frozenset[int] = frozenset()
    stood = False
    while True:
        found = frozenset(_halted(look(), known, until))
        if not found or (stood and found == known):
            return found
        stood = found == known and all(map(_stands, found))
        if found == known and not stood:
            time.sleep(_TICK_S)  # a process that is to stop needs its turn on a core
        known = found


def _halted(found: Iterable[int], known: frozenset[int], until: float) -> Iterator[int]:
    """Each of them, stopped as soon as it is found unless ``known``. Raises TimeoutError."""
    for pid in found:
        if time.monotonic() > until:
            raise TimeoutError
        if pid not in known:
            _halt(pid)
        yield pid


def _halt(pid: int) -> None:
    """Stop it, and let it fork no more when something wakes it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "linux":
            resource.prlimit(pid, resource.RLIMIT_NPROC, (0, 0))
    _signal(pid, signal.SIGSTOP)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _stands(pid: int) -> bool:
    """Whether none of its threads runs; only Linux tells.

    What a crash handler looks at cannot end before the handler does, nor stop: it is on its way.
    Nor can who called vfork(2) before the child calls exec(2), which a stopped child never does.
    """
    if sys.platform != "linux" or _are_all_threads(pid, _stands_still):
        return True
    return _are_all_threads(pid, _stands_still_or_waits) and any(map(_stands_early, _children(pid)))


def _stands_still(stat: Sequence[bytes]) -> bool:
    return stat[_STATE] in _STOPPED or bool(int(stat[_FLAGS]) & _EXITING)


def _stands_still_or_waits(stat: Sequence[bytes]) -> bool:
    return stat[_STATE] == _WAITS or _stands_still(stat)


def _stands_early(pid: int) -> bool:
    """Whether it was stopped before it became a program of its own."""
    return _are_all_threads(
        pid, lambda stat: _stands_still(stat) and bool(int(stat[_FLAGS]) & _NO_PROGRAM_YET)
    )


def _descendants(pid: int) -> Iterator[int]:
    """The youngest first: a child that was just handed on may be about to fork again, and exit."""
    pending = deque(reversed(_children(pid)))
    while pending:
        one = pending.popleft()
        yield one
        pending += reversed(_children(one))


def _children(pid: int) -> list[int]:
    """The oldest first; empty when ``pid`` is gone, or too many files are open to look."""
    if sys.platform != "linux":
        with contextlib.suppress(psutil.Error, OSError):
            return [child.pid for child in psutil.Process(pid).children()]
        return []
    with contextlib.suppress(OSError):
        if _children_are_listed():
            lists = [_read(f"/proc/{pid}/task/{thread}/children") for thread in _threads(pid)]
            return [int(child) for one in lists for child in one.split()]
        return [one for one in _processes() if _parent(one) == pid]
    return []


@cache
def _children_are_listed() -> bool:
    """Whether the kernel was built with CONFIG_PROC_CHILDREN."""
    return os.path.exists(f"/proc/self/task/{os.getpid()}/children")  # noqa: PTH110


def _strays(session: int, variable: bytes) -> Iterator[int]:
    for pid in _processes():
        # It has ended, or its environment is not ours to read.
        with contextlib.suppress(OSError):
            if os.getsid(pid) == session or variable in _environment(pid):
                yield pid


def _processes() -> list[int]:
    if sys.platform != "linux":
        return psutil.pids()
    return [int(one) for one in os.listdir("/proc") if one.isdecimal()]  # noqa: PTH208


def _environment(pid: int) -> list[bytes]:
    """The environment that the process was started with; raises OSError."""
    if sys.platform != "linux":
        try:
            found = psutil.Process(pid).environ()
        except psutil.Error as error:
            raise PermissionError(pid) from error
        return [os.fsencode(f"{name}={value}") for name, value in found.items()]
    return _read(f"/proc/{pid}/environ").split(b"\0")


def _resident(pid: int) -> int:
    if sys.platform != "linux":
        with contextlib.suppress(psutil.Error):
            return int(psutil.Process(pid).memory_info().rss)
        return 0
    with contextlib.suppress(OSError):
        lines = [line.split() for line in _read(f"/proc/{pid}/status").splitlines()]
        if held := [int(line[1]) for line in lines if line and line[0] in _HELD]:
            return 1024 * sum(held)
        # Systems that stand in for Linux may not tell what is mapped.
        return int(_read(f"/proc/{pid}/statm").split()[1]) * resource.getpagesize()
    return 0


def _are_all_threads(pid: int, are: Callable[[Sequence[bytes]], bool]) -> bool:
    """Whether each thread is so, by its ``stat``; also when the process is gone."""
    try:
        return all(are(_stat(f"{pid}/task/{thread}")) for thread in _threads(pid))
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ESRCH)


def _parent(pid: int) -> int:
    with contextlib.suppress(OSError):
        return int(_stat(str(pid))[_PARENT])
    return 0


def _stat(process: str) -> list[bytes]:
    """The fields of /proc/…/stat behind the program's name, which may hold anything."""
    return _read(f"/proc/{process}/stat").rpartition(b") ")[2].split()


def _threads(pid: int) -> list[str]:
    return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208


def _read(path: str) -> bytes:
    """Without a Path: a look at thousands must be over before they are more."""
    with open(path, "rb", buffering=0) as file:  # noqa: PTH123
        return file.readall()


def main(lifeline: int, argv: list[str]) -> None:
    """Supervise ``argv``; never returns."""
    _become_subreaper()
    woken = _woken_by_children()
    for one in map(int, os.listdir("/dev/fd")):  # noqa: PTH208
        with contextlib.suppress(OSError):  # that of the listing is closed
            os.set_inheritable(one, one <= 2)
    if not os.read(lifeline, 1):
        os._exit(0)
    # A group of its own: scripts that end their group (kill 0) end no supervisor.
    program = os.posix_spawnp(argv[0], argv, os.environ, setpgroup=0, setsigdef=_IGNORED_BY_PYTHON)
    _release_pipes()
    status = _status(program, lifeline, woken)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # from now on the kernel reaps
    end_descendants(os.getpid())
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    _exit_as(status)


def _become_subreaper() -> None:
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - only the supervisor needs it

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _woken_by_children() -> int:
    """A pipe that can be read whenever a child has ended."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return woken


def _release_pipes() -> None:
    """They close when the program closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)


def _status(program: int, lifeline: int, woken: int) -> int:
    """How the program ended (wait(2)); 0 when the starter let go of the lifeline first."""
    events = select.poll()  # which, unlike select, takes any file descriptor
    for one in (lifeline, woken):
        events.register(one, select.POLLIN)
    while lifeline not in (ready := dict(events.poll())):
        if woken in ready:
            os.read(woken, select.PIPE_BUF)
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                return ended[1]
    return 0


def _exit_as(status: int) -> None:
    """End as the program did."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no handler
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
