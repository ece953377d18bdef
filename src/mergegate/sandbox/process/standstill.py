"""Nobody of an account runs for a moment: the one way to stop who multiplies faster than we look.

The kernel signals all that an account has in one step, into which no process is born; and whoever
stands still, unlike whoever was killed, goes on afterwards as if nothing had been.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from mergegate.core.errors import EngineError
from mergegate.sandbox.process.account import Account, engines_account
from mergegate.sandbox.process.confine import without_rights
from mergegate.sandbox.process.family import descendants, has_ended
from mergegate.sandbox.process.run import Limits, run

Standstill = Callable[[], AbstractContextManager[object]]
"""Entered, all but us stand still; left, those that live go on. Raises nothing.

Somebody else who has come to work as the account meanwhile stands for an instant at most.
"""
_EVERYBODY = -1
_LIMITS = Limits(timeout_s=30)
_TICK_S = 0.02
_one_at_a_time = threading.Lock()
"""Else whoever ends first would wake whom another has stopped."""


def standstill() -> Standstill:
    """Of the account that engines have here; nothing happens where that may not be stopped.

    It may where it is there for engines, or where nobody has it but us and what we started, as in
    a container: not where somebody works.
    """
    if sys.platform != "linux":
        return nullcontext
    account = engines_account()
    if account:
        uid = account.uid
        return lambda: _standing(uid, lambda: _stop_as(account), lambda: _wake_all(uid))
    ours = os.geteuid()
    if ours != 0 and _is_ours_alone(ours):
        stop, wake = partial(_signal, signal.SIGSTOP), partial(_signal, signal.SIGCONT)
        return lambda: _standing(ours, stop, wake)
    return nullcontext


@contextlib.contextmanager
def _standing(uid: int, stop: Callable[[], None], wake: Callable[[], None]) -> Iterator[None]:
    with _one_at_a_time:
        try:
            stop()
            with contextlib.suppress(OSError):  # too many files are open: they wait with the rest
                _wake(_strangers(uid))
            yield
        finally:
            wake()


def _signal(number: signal.Signals) -> None:
    """To all whose account is ours, but neither to us nor to a container's first process."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(_EVERYBODY, number)


def _stop_as(account: Account) -> None:
    """Never as root, who would stop everybody: without its prefix this does not start."""
    argv = (*without_rights(account), "sh", "-c", "kill -s STOP -- -1")
    with contextlib.suppress(EngineError, OSError):  # no process, or no file, is to be had
        run(argv, cwd=Path("/"), limits=_LIMITS, network=True, own_rights=True)


def _wake_all(uid: int) -> None:
    """By ourselves: there may still be no room for a process. Nobody else would ever do it."""
    while True:
        with contextlib.suppress(OSError):  # too many files are open, for a while
            return _wake(_processes_of(uid))
        time.sleep(_TICK_S)


def _wake(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGCONT)


def _strangers(uid: int) -> Iterator[int]:
    """Who works as the account and is nobody's child of ours, such as a host beside us.

    They may hold what we wait for: a lock on the database. Whoever has got away from a child of
    ours is none of them: it can gain no rights, and nothing takes that from it.
    """
    ours = frozenset(descendants(os.getpid()))
    return (pid for pid in _processes_of(uid) if pid not in ours and _may_gain_rights(pid))


def _may_gain_rights(pid: int) -> bool:
    with contextlib.suppress(OSError):  # it has ended
        return b"\nNoNewPrivs:\t0\n" in Path(f"/proc/{pid}/status").read_bytes()
    return False


def _is_ours_alone(uid: int) -> bool:
    ours = {1, os.getpid(), *descendants(os.getpid())}
    return all(pid in ours or has_ended(pid) for pid in _processes_of(uid))


def _processes_of(uid: int) -> Iterator[int]:
    for one in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if one.name.isdecimal() and one.stat().st_uid == uid:
                yield int(one.name)
