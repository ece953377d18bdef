"""A supervised process: it stays, is spoken to over pipes, watched, and ended with its tree."""

import contextlib
import fcntl
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from mergegate.core.errors import EngineExhausted, EngineFailed, EngineKilled
from mergegate.sandbox.process import process_tree
from mergegate.sandbox.process.run import (
    MARK,
    MEBIBYTE,
    Limits,
    start,
    temporary_file,
    uninterrupted,
)

_LOOK_EVERY_S = 0.25
_TAIL_BYTES = 4096
_MOST_COMPLAINTS = 16 * MEBIBYTE
_PATIENCE_S = 10.0
"""Time for each way to end a tree; usual trees, browsers included, take some hundredths."""
_LIMITS = Limits()


class SupervisedProcess:
    """A running program; made by :func:`supervised`."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        complaints: IO[bytes],
        lifeline: socket.socket,
        *,
        limits: Limits,
        most_processes: int | None,
        mark: str,
    ) -> None:
        self._process = process
        """The supervisor."""
        self._complaints = complaints
        self._lifeline = lifeline
        """The other end is the supervisor's alone: it is closed when that has ended."""
        self._limits = limits
        self._most_processes = most_processes
        self._mark = mark
        self._ending = threading.Lock()
        self._ended = threading.Event()
        self._fault: str | None = None
        self._exhausted = False

    def begin(self) -> None:
        """Let the supervisor start the program, once it is watched. Raises EngineFailed."""
        watch = threading.Thread(target=self._look, name="mergegate-watch", daemon=True)
        try:
            watch.start()
        except RuntimeError as error:  # no thread is to be had
            raise EngineFailed(f"it could not be watched over: {error}") from error
        with contextlib.suppress(OSError):  # it has ended already
            self._lifeline.send(b"\n")

    @property
    def pid(self) -> int:
        """Number of its supervisor, which leads a session; its first child is the program."""
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
        """Whether it runs, and it is not being ended: its pipes may close before it does."""
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

    @property
    def succeeded(self) -> bool:
        """Whether it has ended on its own, with exit code 0."""
        return self.fault == _manner(0)

    def ends_within(self, seconds: float) -> bool:
        """Whether it has ended with its tree by then, or before."""
        return self._ended.wait(seconds)

    def failure(self, what: str) -> EngineFailed:
        """``what`` as the error that says whose fault it was, where that can be told."""
        if self._exhausted:
            return EngineExhausted(what)
        return EngineKilled(what) if self.fault in _KILLED else EngineFailed(what)

    def complaints(self) -> str:
        """The end of what it wrote to standard error, or to both outputs; hostile text."""
        file = self._complaints.fileno()
        # Seeking would move the place where the program writes next: it shares our position.
        start = max(0, os.fstat(file).st_size - _TAIL_BYTES)
        return os.pread(file, _TAIL_BYTES, start).decode("utf-8", "replace")

    def resident_bytes(self) -> int:
        """Memory of the supervisor, the program and all its descendants."""
        return process_tree.resident_bytes(self.pid)

    def end(self, fault: str = "") -> None:
        """Kill it and everything it started, and wait until all are gone."""
        with self._ending:
            if self._ended.is_set():
                return
            self._fault = self.fault or fault
            self._end_tree()
            self._lifeline.close()
            self._ended.set()

    def _end_tree(self) -> None:
        """The supervisor ends its tree, then itself; one that is stopped, or was killed, cannot."""
        with contextlib.suppress(OSError):  # it has ended already
            self._lifeline.shutdown(socket.SHUT_WR)
        events = select.poll()
        events.register(self._lifeline, select.POLLIN)
        if not events.poll(_PATIENCE_S * 1000):
            process_tree.end_descendants(self.pid, time.monotonic() + _PATIENCE_S)
            self._process.kill()
        if self._process.wait() != 0 or sys.platform != "linux":
            until = time.monotonic() + _PATIENCE_S
            process_tree.end_strays(self.pid, f"{MARK}={self._mark}", until)

    def close_pipes(self) -> None:
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
                # At once, while no other process can have got its number.
                self.end()
            elif fault := self._excess():
                self.end(fault)

    def _excess(self) -> str:
        """How it exceeds what it may; empty when it does not."""
        most = self._most_processes
        if most is not None and process_tree.has_more_descendants(self.pid, most):
            return f"it started more than {most} processes"
        if self.resident_bytes() > self._limits.memory_bytes:
            self._exhausted = True
            return f"it used more than {self._limits.memory_bytes // MEBIBYTE} MiB of memory"
        return ""


@contextlib.contextmanager
def supervised(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    limits: Limits = _LIMITS,
    most_processes: int | None = None,
    environment: Mapping[str, str] | None = None,
    network: bool = False,
    answers: bool = True,
    inherited: Sequence[int] = (),
) -> Iterator[SupervisedProcess]:
    """Start ``argv`` and end it on leaving; rights, environment and errors as ``process.start``.

    It ends with us, even when we are killed. ``limits.memory_bytes`` and ``most_processes``, which
    it may have at a time, are looked at several times a second; how long an answer may take is for
    the caller to watch. Without ``answers`` its standard output, which a full pipe would stop, goes
    where its standard error goes. File descriptors that are ``inherited`` stay open until the whole
    tree has ended.
    """
    mark = secrets.token_hex(16)
    variables = {**(environment or {}), MARK: mark}
    with _complaints() as complaints:
        streams = (subprocess.PIPE, subprocess.PIPE if answers else complaints, complaints)
        held: SupervisedProcess | None = None
        try:
            with uninterrupted():
                with _lifeline() as (lifeline, theirs):
                    process = start(
                        argv,
                        cwd,
                        limits,
                        variables,
                        streams,
                        network=network,
                        supervisor=process_tree.supervisor(theirs.fileno()),
                        inherited=(theirs.fileno(), *inherited),
                    )
                held = SupervisedProcess(
                    process,
                    complaints,
                    lifeline,
                    limits=limits,
                    most_processes=most_processes,
                    mark=mark,
                )
                held.begin()
            yield held
        finally:
            if held:
                held.end()
                held.close_pipes()


def _complaints() -> IO[bytes]:
    """A nameless file that is written at its end, wherever that is moved to meanwhile."""
    try:
        file = temporary_file()
        fcntl.fcntl(file, fcntl.F_SETFL, os.O_APPEND)
    except OSError as error:
        raise EngineFailed(f"no temporary file can be made: {error.strerror}") from error
    return file


@contextlib.contextmanager
def _lifeline() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Our end, which is closed after an error, and the supervisor's, which is closed in the end."""
    try:
        ours, theirs = socket.socketpair()
    except OSError as error:
        raise EngineFailed(f"no socket can be made: {error.strerror}") from error
    with theirs:
        try:
            yield ours, theirs
        except BaseException:
            ours.close()
            raise


def _manner(exit_code: int) -> str:
    if exit_code < 0:
        names = {one.value: one.name for one in signal.Signals}
        return f"it was ended by {names.get(-exit_code, f'signal {-exit_code}')}"
    return f"it ended on its own with exit code {exit_code}"


_KILLED = frozenset(map(_manner, (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP)))
"""How a program ends that did not do so by itself, nor by us."""


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the stream is not a pipe")
    return stream
