"""A program, standard library alone: ends what lives in a folder once whoever started it is gone.

``warden.py FOLDER`` waits for the end of its standard input, which its starter alone holds open;
then it kills every process whose home, temporary or working folder lies in FOLDER, and removes it.
A process that has lost its parents is found all the same: those folders are inherited.
"""

import contextlib
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_PROCESSES = Path("/proc")
_MARKS = (b"HOME", b"TMPDIR")
_TICK_S = 0.02
_PATIENCE_S = 10.0


def bury(folder: Path, patience_s: float = _PATIENCE_S) -> bool:
    """Kill all that live in ``folder``; whether none is left. Linux alone tells who does.

    All are stopped before any is killed: else they would multiply as fast as they go.
    """
    until = time.monotonic() + patience_s
    with contextlib.suppress(TimeoutError):
        while found := _stopped(folder, until):
            _signal(found, signal.SIGKILL)
            time.sleep(_TICK_S)
        return True
    return False


def _stopped(folder: Path, until: float) -> frozenset[int]:
    """Who was found, and none beside them on the last look; raises TimeoutError."""
    stopped: frozenset[int] = frozenset()
    while (found := _found(folder, until)) - stopped:
        _signal(found - stopped, signal.SIGSTOP)
        stopped = found
    return found


def _found(folder: Path, until: float) -> frozenset[int]:
    """Too many open files keep us from looking, for a while; raises TimeoutError."""
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            return frozenset(inhabitants(folder, until))
        time.sleep(_TICK_S)
    raise TimeoutError


def _signal(found: frozenset[int], number: signal.Signals) -> None:
    """Whoever wakes them, they multiply no more."""
    for pid in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_NPROC, (0, 0))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def inhabitants(folder: Path, until: float = math.inf) -> Iterator[int]:
    """Processes that live in ``folder``, ourselves and those that have ended left out.

    Raises TimeoutError when it is later than ``until`` (monotonic time).
    """
    home = os.fsencode(folder)
    numbers = (one.name for one in _PROCESSES.iterdir() if one.name.isdecimal())
    for pid in map(int, numbers):
        if time.monotonic() > until:
            raise TimeoutError
        # It ends while we look, or is not ours to look into.
        with contextlib.suppress(OSError):
            if pid != os.getpid() and _lives_in(_PROCESSES / str(pid), home):
                yield pid


def _lives_in(process: Path, home: bytes) -> bool:
    """What has ended, buried or not, has neither an environment nor a working folder."""
    variables = (process / "environ").read_bytes().split(b"\0")
    named = [
        value for name, _, value in (one.partition(b"=") for one in variables) if name in _MARKS
    ]
    place = os.fsencode((process / "cwd").readlink())
    return any(_is_in(one, home) for one in (*named, place))


def _is_in(place: bytes, home: bytes) -> bool:
    return place == home or place.startswith(home + b"/")


def main(folder: Path) -> None:
    """Wait, bury, and end as the program that removes the folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # our starter ends first, then we
    while os.read(0, 4096):
        pass
    if _PROCESSES.is_dir():
        bury(folder)
    os.execv("/bin/rm", ["rm", "-rf", "--one-file-system", "--", str(folder)])  # noqa: S606


if __name__ == "__main__":
    main(Path(sys.argv[1]))
