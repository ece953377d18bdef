"""The Node.js process that runs Lighthouse, and the lines that go to and fro."""

import os
import select
import time
from contextlib import ExitStack
from pathlib import Path

from mergegate.core.errors import EngineFailed
from mergegate.sandbox.process.node import confined
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.sandbox.process.supervised import SupervisedProcess, supervised
from mergegate.site.audit.lighthouse.failures import too_late

_HERE = Path(__file__).parent
_LIMITS = Limits(memory_bytes=1400 * MEBIBYTE, output_bytes=64 * MEBIBYTE)
_ANSWER_BYTES = 32 * MEBIBYTE
_CHUNK_BYTES = 256 * 1024


class Worker:
    """A worker that stays until :meth:`close`; made by :func:`worker`."""

    def __init__(self, process: SupervisedProcess, held: ExitStack) -> None:
        self._process = process
        self._held = held

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.alive

    def resident_bytes(self) -> int:
        """Its memory."""
        return self._process.resident_bytes()

    def ask(self, question: bytes, timeout_s: float) -> bytes:
        """The line it answers to one line; afterwards it can be asked again.

        Raises EngineTimeout, and EngineFailed when it ended or said too much: close it then.
        """
        until = time.monotonic() + timeout_s
        try:
            self._tell(question + b"\n", until)
            return self._line(until)
        except OSError as error:
            raise self._ended() from error

    def close(self) -> None:
        """End it, and all that it started."""
        self._held.close()

    def _tell(self, rest: bytes, until: float) -> None:
        pipe = self._process.stdin.fileno()
        while rest:
            _wait([], [pipe], until)
            rest = rest[os.write(pipe, rest[: select.PIPE_BUF]) :]

    def _line(self, until: float) -> bytes:
        pipe = self._process.stdout.fileno()
        heard = bytearray()
        while not heard.endswith(b"\n"):
            _wait([pipe], [], until)
            heard += self._heard(pipe)
            if len(heard) > _ANSWER_BYTES:
                raise EngineFailed("Lighthouse's answer is too long")
        return bytes(heard)

    def _heard(self, pipe: int) -> bytes:
        heard = os.read(pipe, _CHUNK_BYTES)
        if not heard:
            raise self._ended()
        return heard

    def _ended(self) -> EngineFailed:
        why = self._process.fault or "it crashed"
        return EngineFailed(f"Lighthouse's worker ended: {why}", remedy="Run the audit again.")


def worker(packages: Path, room: Path) -> Worker:
    """Start one in ``room``, an empty folder; it can be asked at once. Raises EngineMissing.

    It has the network, for the browser's DevTools listen on loopback; it can read its own code
    and ``packages``, write nothing and start nothing.
    """
    argv: tuple[str | Path, ...] = (*confined(_HERE, packages), _HERE / "worker.mjs", packages)
    held = ExitStack()
    process = held.enter_context(supervised(argv, cwd=room, limits=_LIMITS, network=True))
    return Worker(process, held)


def _wait(reading: list[int], writing: list[int], until: float) -> None:
    left = until - time.monotonic()
    if left <= 0 or not any(select.select(reading, writing, [], left)):
        raise too_late()
