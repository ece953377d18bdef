"""Children that carry out scans: spoken to by lines, under limits, ended with all they started.

A scan reads hostile content, and a library that reads it may crash or hang. So a worker hands
each scan to a child without its secrets: the environment is empty, standard input has the order.
"""

import contextlib
import itertools
import os
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakSet

from mergegate.core.errors import EngineError, EngineFailed, EngineTimeout
from mergegate.sandbox.process.account import engines_account
from mergegate.sandbox.process.run import MEBIBYTE, Limits, run, start
from mergegate.sandbox.process.supervised import SupervisedProcess, supervised

LIMITS = Limits(memory_bytes=4096 * MEBIBYTE)
_LOOK_EVERY_S = 0.25
_LONGEST_ANSWER = 64 * MEBIBYTE
_CHUNK = 1 << 20
_DYING_S = 1.0
_ENTER_ONLY = 0o711
_REMOVAL = Limits(timeout_s=120)
_BEHIND_OTHERS = ("nice", "-n", "10")
"""The supervisor gets its turn though a thousand want theirs, and so do callers."""
_REMOVE_AT_THE_END = 'read -r _; exec rm -rf --one-file-system -- "$1"'
"""Waits until a pipe is closed, which we and all supervisors hold open."""


class Ended(EngineFailed):
    """The child was ended by :meth:`Child.end` while it was asked."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What to start a child with."""

    argv: Sequence[str]
    network: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = LIMITS
    """``memory_bytes`` of the child and all that it starts, ``output_bytes`` of a file it writes,
    ``tasks`` for it and all whose account it shares. How long it may take is said with each order.
    """
    most_processes: int = 500
    """Processes of the child and all that it starts; counted several times a second."""


class Slots:
    """The folder in which the children of one worker live; made by :func:`slots`."""

    def __init__(self, folder: Path, guard: int) -> None:
        self.folder = folder
        self._guard = guard
        """The folder is removed once we and all supervisors have closed this file descriptor."""
        self._account = engines_account()
        self._numbers = itertools.count(1)
        self._children: WeakSet[Child] = WeakSet()

    def child(self, kind: Kind) -> "Child":
        """A child that is started when it is first asked."""
        child = Child(kind, self.room(), self._guard)
        self._children.add(child)
        return child

    def end_children(self) -> None:
        """End all that still live."""
        for child in list(self._children):
            child.kill()

    def room(self) -> Path:
        """An empty folder for one child, which owns it; raises EngineFailed."""
        room = self.folder / str(next(self._numbers))
        try:
            room.mkdir(mode=0o700)
            if self._account:
                os.chown(room, self._account.uid, self._account.gid)
        except OSError as error:
            raise _no_room(error) from error
        return room

    def seal(self, room: Path) -> None:
        """Let children read what is in ``room`` and change nothing from now on.

        As root it becomes ours; otherwise only a child that broke out could undo it. Raises
        EngineError.
        """
        if self._account:
            _must_run("chown", "-R", "--no-dereference", f"0:{self._account.gid}", room)
        _must_run("chmod", "-R", "ug=rX,o=", room)


class Child:
    """A program that answers one line for each line it is sent; any thread may end it."""

    def __init__(self, kind: Kind, room: Path, guard: int) -> None:
        self._kind = kind
        self._room = room
        self._guard = guard
        self._held = contextlib.ExitStack()
        self._process: SupervisedProcess | None = None
        self._ended = False
        """Whether we ended it ourselves."""
        self._gone = False
        self._starting = threading.Lock()
        self._asking = threading.Lock()

    @property
    def alive(self) -> bool:
        """Whether it has been started and can be asked again."""
        return self._process is not None and self._process.alive

    def complaints(self) -> str:
        """The end of what it wrote to standard error; hostile text."""
        return self._process.complaints() if self._process else ""

    def ask(self, line: bytes, timeout_s: float) -> bytes:
        """Its answer to ``line``, both without the line's end.

        Raises EngineTimeout, EngineFailed when it ends or exceeds a limit (EngineExhausted that of
        memory), EngineKilled when it was ended from outside, Ended when it was by :meth:`end`; then
        it is gone, with all that it started.
        """
        with self._asking:
            try:
                return self._asked(self._started(), line, time.monotonic() + timeout_s)
            except BaseException as error:
                self.kill()
                if self._ended:
                    raise Ended("it was ended") from error
                raise

    def end(self) -> None:
        """Kill it and all that it started, remove its room, and wait until that is done."""
        self._ended = True
        self.kill()
        with self._asking:  # the thread that asks it just now still looks at its pipes
            self._held.close()
        remove(self._room)

    def kill(self) -> None:
        """Kill it and all that it started; it is not started again."""
        with self._starting:
            self._gone = True
            if self._process:
                self._process.end()

    def _started(self) -> SupervisedProcess:
        with self._starting:
            if self._gone:
                raise EngineFailed("it is gone")
            if self._process is None:
                self._process = self._held.enter_context(
                    supervised(
                        [*_BEHIND_OTHERS, *self._kind.argv],
                        cwd=self._room,
                        limits=self._kind.limits,
                        most_processes=self._kind.most_processes,
                        environment=self._kind.environment,
                        network=self._kind.network,
                        inherited=(self._guard,),
                    )
                )
            return self._process

    def _asked(self, held: SupervisedProcess, line: bytes, until: float) -> bytes:
        to, of = held.stdin.fileno(), held.stdout.fileno()
        if _has_spoken(of):
            # It would be taken for this answer, and this answer for that to the next order.
            raise EngineFailed("it spoke unasked")
        os.set_blocking(to, False)
        rest, answer, said = memoryview(line + b"\n"), bytearray(), b""
        while b"\n" not in said:
            self._look(held, until, len(answer))
            ready = _ready(of, to if rest else None)
            if to in ready:
                rest = rest[_written(to, rest) :]
            if of in ready:
                said = self._said(held)
                answer += said
        return _only_line(answer)

    def _said(self, held: SupervisedProcess) -> bytes:
        if said := os.read(held.stdout.fileno(), _CHUNK):
            return said
        raise self._failure(held)

    def _look(self, held: SupervisedProcess, until: float, received: int) -> None:
        if time.monotonic() > until:
            raise EngineTimeout("it did not answer in time")
        if not held.alive:
            raise self._failure(held)
        if received > _LONGEST_ANSWER:
            raise EngineFailed(f"it answered more than {_LONGEST_ANSWER // MEBIBYTE} MiB")

    def _failure(self, held: SupervisedProcess) -> EngineFailed:
        """Its pipes close a moment before it has ended."""
        until = time.monotonic() + _DYING_S
        while held.alive and time.monotonic() < until:
            time.sleep(_LOOK_EVERY_S / 10)
        return held.failure(held.fault or "it closed its answers")


@contextlib.contextmanager
def slots(parent: Path | None = None) -> Iterator[Slots]:
    """A folder for children, in ``parent`` or where temporary files are.

    On leaving all children are ended and it is removed; also when we are killed meanwhile. Raises
    EngineFailed.
    """
    folder = _made(parent)
    with _guard(folder) as guard:
        place = Slots(folder, guard)
        try:
            yield place
        finally:
            place.end_children()


@contextlib.contextmanager
def _guard(folder: Path) -> Iterator[int]:
    """A pipe's writing end: once it is closed everywhere, ``folder`` is removed."""
    argv = ["/bin/sh", "-c", _REMOVE_AT_THE_END, "sh", str(folder)]
    streams = (subprocess.PIPE, subprocess.DEVNULL, subprocess.DEVNULL)
    guard = start(argv, Path("/"), Limits(), None, streams, network=True, own_rights=True)
    assert guard.stdin  # noqa: S101 - it is a pipe
    try:
        yield guard.stdin.fileno()
    finally:
        guard.communicate()


def _made(parent: Path | None) -> Path:
    try:
        folder = Path(tempfile.mkdtemp(prefix="mg-", dir=parent)).resolve()
        folder.chmod(_ENTER_ONLY)
    except OSError as error:
        raise _no_room(error) from error
    return folder


def _no_room(error: OSError) -> EngineFailed:
    return EngineFailed(
        f"no folder for scans can be made: {error.strerror}",
        remedy="Free space, or name another folder for temporary files in TMPDIR.",
    )


def remove(folder: Path) -> None:
    """Remove ``folder``, however deeply hostile paths nest in it; what cannot be removed stays."""
    for command in (
        # A tree that was made read-only, in which only root could remove anything.
        ("chmod", "-R", "u+rwX", "--", folder),
        ("rm", "-rf", "--one-file-system", "--", folder),
    ):
        with contextlib.suppress(EngineError):
            run(command, cwd=folder.parent, limits=_REMOVAL, own_rights=True)


def _must_run(program: str, *arguments: str | Path) -> None:
    *options, room = arguments
    done = run(
        [program, *options, "--", room],
        cwd=Path(room).parent,
        limits=_REMOVAL,
        own_rights=True,
    )
    if done.exit_code != 0:
        raise EngineFailed(f"{program} could not seal a folder")


def _ready(of: int, to: int | None) -> frozenset[int]:
    """Which of them can be read or written, after a moment none."""
    waiting = select.poll()
    waiting.register(of, select.POLLIN)
    if to is not None:
        waiting.register(to, select.POLLOUT)
    return frozenset(number for number, _ in waiting.poll(_LOOK_EVERY_S * 1000))


def _written(to: int, rest: memoryview) -> int:
    """How many bytes it took; one that is gone is noticed by what it no longer answers."""
    with contextlib.suppress(BlockingIOError, BrokenPipeError):
        return os.write(to, rest[:_CHUNK])
    return 0


def _has_spoken(of: int) -> bool:
    waiting = select.poll()
    waiting.register(of, select.POLLIN)
    return any(event & select.POLLIN for _, event in waiting.poll(0))


def _only_line(answer: bytearray) -> bytes:
    line, _, more = answer.partition(b"\n")
    if more:
        raise EngineFailed("it answered more than one line")
    return bytes(line)
