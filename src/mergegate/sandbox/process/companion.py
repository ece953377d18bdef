"""A program that stays: spoken to over pipes, watched, and ended with all that it started."""

import contextlib
import fcntl
import os
import secrets
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mergegate.core.errors import EngineFailed
from mergegate.sandbox.process.family import has_more_descendants, resident_bytes
from mergegate.sandbox.process.kindred import Kindred
from mergegate.sandbox.process.run import MEBIBYTE, Limits, start
from mergegate.sandbox.process.signals import uninterrupted

_LOOK_EVERY_S = 0.25
_TAIL_BYTES = 4096
_MOST_COMPLAINTS = 16 * MEBIBYTE
_PATIENCE_S = 2.0
"""Usual programs, browsers among them, take some hundredths."""
_LAST_PATIENCE_S = 10.0
"""Whoever is let go while it multiplies cannot be told from others any more."""
_LIMITS = Limits()
_GUARD = 'read -r _; kill -s KILL -- "-$1"'
"""Waits for the end of a pipe that we alone hold open, then ends the group that leads a session."""
_MARK = "MERGEGATE_COMPANION"
"""Variable by which a child is known that has left the session and lost its parent."""


@dataclass(frozen=True, slots=True)
class Oversight:
    """How a program is watched over, beyond its limits, and ended."""

    most_processes: int | None = None
    """That it may have started at a time; looked at several times a second."""
    standstill: Callable[[], AbstractContextManager[object]] = nullcontext
    """While it is entered nobody of the program's account runs; for one that multiplies faster
    than it can be looked at."""


_PLAIN = Oversight()


class Companion:
    """A running program; made by :func:`companion`."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        complaints: IO[bytes],
        limits: Limits,
        mark: str,
        oversight: Oversight = _PLAIN,
    ) -> None:
        self._process = process
        self._complaints = complaints
        self._limits = limits
        self._family = Kindred(process, (_MARK, mark))
        self._oversight = oversight
        self._guard = _guard(process.pid)
        self._ending = threading.Lock()
        self._ended = threading.Event()
        self._fault: str | None = None
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
        """Its standard output, unless that goes with its complaints."""
        return _piped(self._process.stdout)

    @property
    def alive(self) -> bool:
        """Whether it runs, and nobody has begun to end it: its pipes may close before it does."""
        return self._fault is None and self._runs

    @property
    def _runs(self) -> bool:
        return self._process.poll() is None

    @property
    def fault(self) -> str:
        """Why we ended it, or how it ended on its own; empty while it runs or when we just left."""
        if self._fault is not None:
            return self._fault
        return "" if self._runs else _manner(self._process.returncode)

    def complaints(self) -> str:
        """The end of what it wrote to standard error, or to both outputs; hostile text."""
        file = self._complaints.fileno()
        # Seeking would move the place where the program writes next: it shares our position.
        start = max(0, os.fstat(file).st_size - _TAIL_BYTES)
        return os.pread(file, _TAIL_BYTES, start).decode("utf-8", "replace")

    def resident_bytes(self) -> int:
        """Of the program and all its descendants."""
        return resident_bytes(self.pid)

    def end(self, fault: str = "") -> None:
        """Kill it and everything it started, and wait until all are gone."""
        with self._ending:
            if self._ended.is_set():
                return
            self._fault = self.fault or fault
            if not (self._family.stop(_PATIENCE_S) and self._family.kill(_PATIENCE_S)):
                with self._oversight.standstill():
                    self._family.stop(_LAST_PATIENCE_S)
                    self._family.kill(_LAST_PATIENCE_S)
            self._family.end_leader()
            self._guard.kill()
            self._guard.communicate()
            self._ended.set()

    def hang_up(self) -> None:
        """Close its pipes, once it has ended."""
        for stream in filter(None, (self._process.stdin, self._process.stdout)):
            with contextlib.suppress(OSError):  # what it never read is lost with it
                stream.close()

    def _forget_complaints(self) -> None:
        """All but what was said last, where it says so much that disks would fill up with it."""
        with self._ending:  # once it has ended, the file's number may be another's
            if self._ended.is_set():
                return
            file = self._complaints.fileno()
            if os.fstat(file).st_size > _MOST_COMPLAINTS:
                last = self.complaints().encode()
                os.ftruncate(file, 0)
                with contextlib.suppress(OSError):  # others have filled the disk
                    os.write(file, last)

    def _look(self) -> None:
        while not self._ended.wait(_LOOK_EVERY_S):
            self._forget_complaints()
            if not self._runs:
                # At once, while nobody else can have got its number.
                self.end()
            elif fault := self._excess():
                self.end(fault)

    def _excess(self) -> str:
        """How it exceeds what it may; empty when it does not."""
        most = self._oversight.most_processes
        if most is not None and has_more_descendants(self.pid, most):
            return f"it started more than {most} processes"
        if self.resident_bytes() > self._limits.memory_bytes:
            return f"it used more than {self._limits.memory_bytes // MEBIBYTE} MiB of memory"
        return ""


@contextlib.contextmanager
def companion(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    limits: Limits = _LIMITS,
    environment: Mapping[str, str] | None = None,
    network: bool = False,
    answers: bool = True,
    oversight: Oversight = _PLAIN,
) -> Iterator[Companion]:
    """Start ``argv`` and end it on leaving; rights, environment and errors as ``process.run``.

    It ends with us, even when we are killed. ``limits.memory_bytes`` is watched over; how long an
    answer may take is the caller's to say. Whoever does not read its standard output says that
    there are no ``answers``: a full pipe would stop it, so it goes with its complaints.
    """
    mark = secrets.token_hex(16)
    variables = {**(environment or {}), _MARK: mark}
    with _complaints() as complaints:
        streams = (subprocess.PIPE, subprocess.PIPE if answers else complaints, complaints)
        held: Companion | None = None
        try:
            with uninterrupted():
                process = start(argv, cwd, limits, variables, streams, network=network)
                held = _watched(process, complaints, limits, mark, oversight)
            yield held
        finally:
            if held:
                held.end()
                held.hang_up()


def _complaints() -> IO[bytes]:
    """A nameless file that is written at its end, wherever that is moved to meanwhile."""
    try:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        fcntl.fcntl(file, fcntl.F_SETFL, os.O_APPEND)
    except OSError as error:
        raise EngineFailed(f"no temporary file can be made: {error.strerror}") from error
    return file


def _watched(
    process: subprocess.Popen[bytes],
    complaints: IO[bytes],
    limits: Limits,
    mark: str,
    oversight: Oversight,
) -> Companion:
    """Without a guard nobody would end it after us: then it ends here."""
    try:
        return Companion(process, complaints, limits, mark, oversight)
    except (OSError, RuntimeError) as error:  # no process, or no thread, is to be had
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise EngineFailed(f"it could not be watched over: {error}") from error


def _guard(leader: int) -> subprocess.Popen[bytes]:
    """Ends the group of ``leader`` when we are killed ourselves and can end nothing any more."""
    return subprocess.Popen(
        ["/bin/sh", "-c", _GUARD, "mergegate-guard", str(leader)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"PATH": os.defpath},
        start_new_session=True,
    )


def _manner(exit_code: int) -> str:
    if exit_code < 0:
        names = {one.value: one.name for one in signal.Signals}
        return f"it was ended by {names.get(-exit_code, f'signal {-exit_code}')}"
    return f"it ended on its own with exit code {exit_code}"


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the stream is not a pipe")
    return stream
