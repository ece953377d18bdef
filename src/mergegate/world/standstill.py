"""Nobody of an account runs for a moment: the one way to stop who multiplies faster than we look.

The kernel signals all that an account has in one step, into which no process is born; and whoever
stands still, unlike whoever was killed, goes on afterwards as if nothing had been.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from mergegate.errors import EngineError
from mergegate.world.account import Account, engines_account
from mergegate.world.confine import without_rights
from mergegate.world.family import descendants, has_ended
from mergegate.world.process import Limits, run

Standstill = Callable[[], AbstractContextManager[object]]
"""Entered, all but us stand still; left, those that live go on. Raises nothing."""
_EVERYBODY = -1
_LIMITS = Limits(timeout_s=30)
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
        return lambda: _standing(lambda: _stop_as(account), lambda: _wake(account))
    if os.geteuid() != 0 and _is_ours_alone(os.geteuid()):
        return lambda: _standing(lambda: _signal(signal.SIGSTOP), lambda: _signal(signal.SIGCONT))
    return nullcontext


@contextlib.contextmanager
def _standing(stop: Callable[[], None], wake: Callable[[], None]) -> Iterator[None]:
    with _one_at_a_time:
        try:
            stop()
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


def _wake(account: Account) -> None:
    """One by one, and by ourselves: there may still be no room for a process."""
    for pid in _processes_of(account.uid):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGCONT)


def _is_ours_alone(uid: int) -> bool:
    ours = {1, os.getpid(), *descendants(os.getpid())}
    return all(pid in ours or has_ended(pid) for pid in _processes_of(uid))


def _processes_of(uid: int) -> Iterator[int]:
    for one in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if one.name.isdecimal() and one.stat().st_uid == uid:
                yield int(one.name)
