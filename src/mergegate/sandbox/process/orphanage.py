"""A program, standard library alone: becomes the parent of all that a program leaves behind.

``orphanage.py PROGRAM …`` starts PROGRAM. Whatever loses its parents from then on is a child of
ours, whoever it pretends to be: so it is counted and ended with PROGRAM, whose end is ours too.
"""

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_BEHIND_OTHERS = 10
"""Nice: whoever watches gets his turn though a thousand want theirs, and callers get theirs."""


def main(argv: list[str]) -> None:
    """Never returns."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.nice(_BEHIND_OTHERS)
    program = os.fork()
    if not program:
        os.execvp(argv[0], argv)  # noqa: S606
    _let_go()
    status = _status_of(program)
    _end_the_others()
    _end(status)


def _let_go() -> None:
    """Of the pipes: they close when the program closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)


def _status_of(program: int) -> int:
    while True:
        ended, status = os.wait()
        if ended == program:
            return status


def _end_the_others() -> None:
    """Until none is left: children of those that end become ours."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in _children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os.wait()


def _children() -> list[int]:
    """Each thread has its own; we have one."""
    return list(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


def _end(status: int) -> None:
    """As the program ended."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with contextlib.suppress(OSError):  # SIGKILL has no other manner
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main(sys.argv[1:])
