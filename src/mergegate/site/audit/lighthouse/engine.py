"""Visits in, runs out: asks a warm worker, and replaces it when it can no longer be relied on."""

import json
import os
import select
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Protocol

from mergegate.core.errors import EngineError, EngineFailed
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import node
from mergegate.sandbox.process.node import confined
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.sandbox.process.supervised import SupervisedProcess, supervised
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.facts import LighthouseRun
from mergegate.site.audit.lighthouse.answer import (
    GONE,
    LATE,
    Answer,
    Failure,
    read,
    refuse,
    too_late,
)
from mergegate.site.audit.lighthouse.facts import run_of

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
        """The resident memory of the process in bytes."""
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


_MARGIN_S = 3.0
"""For the worker to close a page that takes too long, before we end the worker; and for a browser
that talks to it no more to be seen to end."""
_PATIENCE_S = 45.0
"""Lighthouse's own ``maxWaitForLoad``."""
_SPENT = (LATE, GONE)
"""Lighthouse cannot be stopped: a worker that says so is still busy with the run."""
_RETIRES_AT = 700 * MEBIBYTE
"""Between two runs; a new worker has 150 MiB, and a run may need twice as much again."""


class Browser(Protocol):
    """What is asked of a running Chromium (``sandbox.browser.Chromium``)."""

    @property
    def endpoint(self) -> str:
        """The address of the browser's DevTools WebSocket."""

    @property
    def alive(self) -> bool:
        """Whether it still runs."""

    @property
    def fault(self) -> str:
        """Why we ended it; empty while we did not."""

    def ends_within(self, seconds: float) -> bool:
        """Whether it has ended by then, or before."""

    def failure(self, what: str) -> EngineFailed:
        """``what`` as the error that says whose fault its end was."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question to the page once Lighthouse is done with it, and its emulated device is gone."""

    source: str
    """A JavaScript function expression of one parameter; it may return a promise."""
    argument: object
    """What JSON can carry."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """One load of a page, and what else was learnt while it stood open."""

    run: LighthouseRun
    probed: object
    """The probe's answer, from the hostile page, at most 4 million characters of JSON; None
    without a probe, and when it failed or took longer than 5 s."""
    headers: Mapping[str, tuple[str, ...]]
    """Headers of the main document, names in small letters; values of cookies are left out."""


class Lighthouse:
    """A context manager that keeps one warm worker; runs take turns in it."""

    name = "lighthouse"

    def __init__(self, *, packages: Path | None = None, patience_s: float = _PATIENCE_S) -> None:
        """``packages``: a ``node_modules`` other than ours; ``patience_s``: for a page to load."""
        self._packages = packages
        self._patience_s = patience_s
        self._turn = threading.Lock()
        self._held = ExitStack()
        self._stage: Stage | None = None
        self._worker: Worker | None = None

    def __enter__(self) -> "Lighthouse":
        """Start the worker, without waiting until it is warm; raises EngineMissing."""
        with ExitStack() as opening:
            self._stage = opening.enter_context(Stage())
            self._warm()
            self._held = opening.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._dismiss()
        self._held.close()

    def version(self) -> str:
        """The version of Lighthouse; raises EngineMissing."""
        stated = self._home() / "lighthouse" / "package.json"
        return str(json.loads(stated.read_text(encoding="utf-8"))["version"])

    def measure(
        self,
        visit: Visit,
        chromium: Browser,
        probe: Probe | None = None,
        *,
        timeout_s: float = 90,
    ) -> Loaded:
        """Load the page once, in a browser context of its own, and judge it.

        Raises TargetUnreachable, TargetNotAnalysable, EngineFailed, EngineTimeout, EngineMissing.
        """
        with self._turn:
            started = time.monotonic()
            answer = self._asked(
                self._question(visit, chromium, probe, timeout_s), chromium, timeout_s
            )
            took_ms = round((time.monotonic() - started) * 1000)
        if isinstance(answer, Failure):
            raise refuse(answer)
        run = replace(run_of(answer.result, visit), duration_ms=took_ms)
        return Loaded(run, answer.probe_said(), answer.named_headers())

    def resident_bytes(self) -> int:
        """The resident memory of the worker in bytes; 0 while there is none."""
        return self._worker.resident_bytes() if self._worker else 0

    def _question(
        self, visit: Visit, chromium: Browser, probe: Probe | None, timeout_s: float
    ) -> bytes:
        question = {
            "endpoint": chromium.endpoint,
            "url": visit.url,
            "device": visit.device,
            "throttling": visit.throttling,
            "patienceMs": round(self._patience_s * 1000),
            "credentials": asdict(visit.credentials),
            "timeoutMs": round((timeout_s - _MARGIN_S) * 1000),
            "probe": asdict(probe) if probe else None,
        }
        return json.dumps(question).encode()

    def _asked(self, question: bytes, chromium: Browser, timeout_s: float) -> Answer | Failure:
        """A worker that gave no answer is dismissed, and one that grew too large is."""
        try:
            answer = read(self._warm().ask(question, timeout_s))
        except EngineError as error:
            self._dismiss()
            raise (_ended(chromium) or error) from error
        code = answer.code if isinstance(answer, Failure) else None
        if code in _SPENT or self.resident_bytes() > _RETIRES_AT:
            self._dismiss()
        if code == GONE:
            chromium.ends_within(_MARGIN_S)
        if code is not None and (ended := _ended(chromium)):
            raise ended
        return answer

    def _warm(self) -> Worker:
        if self._worker is None or not self._worker.alive:
            self._dismiss()
            self._worker = self._started()
        return self._worker

    def _started(self) -> Worker:
        if self._stage is None:
            raise EngineFailed("Lighthouse was asked outside of its context")
        return worker(self._home(), self._stage.room("lighthouse"))

    def _dismiss(self) -> None:
        if self._worker:
            self._worker.close()
        self._worker = None

    def _home(self) -> Path:
        return self._packages or node.packages("lighthouse")


def _ended(chromium: Browser) -> EngineFailed | None:
    """What ended the browser says more than what was noticed of it; None while it runs."""
    if chromium.alive:
        return None
    failure = chromium.failure(f"the browser was ended: {chromium.fault or 'it crashed'}")
    failure.remedy = "The page may use more than the browser is given."
    return failure
