"""Processes that need not load their libraries anew.

Each is forked from one that has loaded them and run nothing: a process like any other, with a
memory, signals and an end of its own. Only for programs of the tests' own; commands are started.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

PROGRAMS = ("tests.host.jobs.toy", "tests.host.api.toy")
"""Their modules, which start no thread when they are imported: a fork would lose it."""


@dataclass(frozen=True)
class Program:
    """What runs, in the folder that the tests run in, and what it finds around it."""

    main: Callable[[], None]
    """Of one of ``PROGRAMS``."""
    arguments: tuple[str, ...]
    log: Path
    """What it says on standard error is added there."""
    said: Path = Path(os.devnull)
    """What it says on standard output is added there."""
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


@dataclass(frozen=True)
class Forked:
    """A running program, to be treated as a ``subprocess.Popen``."""

    process: ForkServerProcess

    @property
    def pid(self) -> int:
        assert self.process.pid is not None
        return self.process.pid

    def poll(self) -> int | None:
        """How it ended; minus the signal's number where a signal ended it."""
        return self.process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self.process.join(timeout)
        code = self.process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired(self.process.name, timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it may end just now
            if self.poll() is None:
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start(program: Program) -> Forked:
    """Returns before it has done anything."""
    process = _context().Process(target=_become, args=(program,), daemon=True)
    process.start()
    return Forked(process)


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PROGRAMS))
    return context


def _become(program: Program) -> None:
    """In the fork: do as the program would."""
    for number, path in ((1, program.said), (2, program.log)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(program.environment)
    sys.argv[1:] = program.arguments
    program.main()
