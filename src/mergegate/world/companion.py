"""A program that stays: spoken to over pipes, watched, and ended with all that it started."""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil

from mergegate.world.process import MEBIBYTE, Limits, descendants, resident_bytes, start

_LOOK_EVERY_S = 0.25
_TAIL_BYTES = 4096
_PATIENCE_S = 5.0
_LIMITS = Limits()


class Companion:
    """A running program; made by :func:`companion`."""

    def __init__(
        self, process: subprocess.Popen[bytes], complaints: IO[bytes], limits: Limits
    ) -> None:
        self._process = process
        self._complaints = complaints
        self._limits = limits
        self._ended = threading.Event()
        self._fault = ""
        self._watch = threading.Thread(target=self._look, name="mergegate-watch", daemon=True)
        self._watch.start()

    @property
    def pid(self) -> int:
        """Of the program itself; it leads a session of its own."""
        return self._process.pid

    @property
    def stdin(self) -> IO[bytes]:
        """Its standard input, unbuffered."""
        return _piped(self._process.stdin)

    @property
    def stdout(self) -> IO[bytes]:
        """Its standard output."""
        return _piped(self._process.stdout)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    @property
    def fault(self) -> str:
        """Why we ended it; empty while we did not."""
        return self._fault

    def complaints(self) -> str:
        """The end of what it wrote to standard error; hostile text."""
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - _TAIL_BYTES))
        return self._complaints.read().decode("utf-8", "replace")

    def resident_bytes(self) -> int:
        """Of the program and all its descendants."""
        return resident_bytes(self.pid)

    def end(self, fault: str = "") -> None:
        """Kill it and everything it started, and wait until all are gone."""
        self._fault = self._fault or fault
        self._ended.set()
        family = _family(self.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the group has ended
            os.killpg(self.pid, signal.SIGKILL)
        # Whoever was being started meanwhile is found in the second round.
        for member in {*family, *_family(self.pid)}:
            with contextlib.suppress(psutil.Error):
                member.kill()
        self._process.wait()
        psutil.wait_procs(family, timeout=_PATIENCE_S)

    def _look(self) -> None:
        while not self._ended.wait(_LOOK_EVERY_S):
            if not self.alive:
                return
            if self.resident_bytes() > self._limits.memory_bytes:
                allowed = self._limits.memory_bytes // MEBIBYTE
                self.end(f"it used more than {allowed} MiB of memory")


@contextlib.contextmanager
def companion(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    limits: Limits = _LIMITS,
    environment: Mapping[str, str] | None = None,
    network: bool = False,
) -> Iterator[Companion]:
    """Start ``argv`` and end it on leaving; rights, environment and errors as ``process.run``.

    ``limits.memory_bytes`` is watched over; how long an answer may take is the caller's to say.
    """
    with tempfile.TemporaryFile() as complaints:
        streams = (subprocess.PIPE, subprocess.PIPE, complaints)
        process = start(argv, cwd, limits, environment, streams, network=network)
        held = Companion(process, complaints, limits)
        try:
            yield held
        finally:
            held.end()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # what it never read is lost with it
                    _piped(stream).close()


def _family(leader: int) -> set[psutil.Process]:
    """Its descendants, and whoever is left in its session."""
    found: set[psutil.Process] = set()
    for pid in {*descendants(leader), *_session(leader)} - {leader, os.getpid()}:
        with contextlib.suppress(psutil.Error):
            found.add(psutil.Process(pid))
    return found


def _session(leader: int) -> Iterator[int]:
    for pid in psutil.pids():
        with contextlib.suppress(OSError):
            if os.getsid(pid) == leader:
                yield pid


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the stream is not a pipe")
    return stream
