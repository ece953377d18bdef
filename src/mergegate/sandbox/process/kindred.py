"""All that a program started, wherever it went: stopped, killed and buried from outside."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator

import psutil

from mergegate.sandbox.process.family import bears, descendants, has_ended, stop_family

_TICK_S = 0.02


class Kindred:
    """The family of ``leader``, which leads a session, and whoever bears its ``mark``.

    That is a variable and its value: by it a child is known that has left the session and lost its
    parents. First all are stopped: killed one by one they would multiply as fast as they go. The
    leader goes last: what loses its parents stays in the family for as long as there is one.
    """

    def __init__(self, leader: "subprocess.Popen[bytes]", mark: tuple[str, str]) -> None:
        self._leader = leader
        self._mark = mark
        self._met: set[int] = set()

    def stop(self, patience_s: float) -> bool:
        """Whether the leader and its family stand still within that time, or it has ended."""
        return not self._runs or stop_family(self._leader.pid, time.monotonic() + patience_s)

    def kill(self, patience_s: float) -> bool:
        """Kill all but the leader; whether none was left of them in time."""
        until = time.monotonic() + patience_s
        while True:
            _kill_all(self._descendants())  # at once: to find the others takes a while
            left, hidden = self._left(until)
            if not left and not hidden:
                return True
            if time.monotonic() > until:
                return False
            _kill_all(left)
            time.sleep(_TICK_S)
            self.stop(_TICK_S)  # whoever was being started meanwhile

    def end_leader(self) -> None:
        """Kill it, with whoever is left in its group, and wait until it has ended."""
        if self._runs:
            self._descendants()
            with contextlib.suppress(ProcessLookupError, PermissionError):  # the group has ended
                os.killpg(self._leader.pid, signal.SIGKILL)
            self._leader.wait()
        if os.getpid() == 1:
            _bury(self._met)

    @property
    def _runs(self) -> bool:
        return self._leader.poll() is None

    def _left(self, until: float) -> tuple[set[int], bool]:
        """Who lives, and whether not all could be looked at: too many files are open, or late."""
        try:
            family = {*self._descendants(), *self._strays(until)} - {os.getpid()}
        except OSError:
            return set(), True
        self._met |= family
        return {pid for pid in family if not has_ended(pid)}, False

    def _descendants(self) -> list[int]:
        """All are noted: also who has ended, or ends by our hand, may come to us to be buried."""
        found = descendants(self._leader.pid)
        self._met.update(found)
        return found

    def _strays(self, until: float) -> Iterator[int]:
        """Whoever is in its session or bears its mark; raises TimeoutError."""
        for pid in psutil.pids():
            if time.monotonic() > until:
                raise TimeoutError
            # Others' environments are not ours to read; what we started as them is a descendant.
            with contextlib.suppress(OSError):
                if pid != self._leader.pid and self._is_one(pid):
                    yield pid

    def _is_one(self, pid: int) -> bool:
        return os.getsid(pid) == self._leader.pid or bears(pid, *self._mark)


def _kill_all(found: Iterable[int]) -> None:
    for pid in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _bury(met: Iterable[int]) -> None:
    """Orphans become ours where we are a container's first process, and nobody else buries them."""
    for pid in met:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
