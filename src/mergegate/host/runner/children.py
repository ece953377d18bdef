"""Ask children for scans: warm ones where that is worth it, and none that outlives its order."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeVar

from mergegate.core.errors import (
    EngineError,
    EngineExhausted,
    EngineFailed,
    EngineKilled,
    EngineTimeout,
    Failed,
)
from mergegate.core.render.escape import terminal
from mergegate.core.render.failures import EXHAUSTED, INTERNAL, KILLED, LATE, OVERWHELMED
from mergegate.host.order import HELLO, Order, outcome_in, written
from mergegate.host.scan import Done, Outcome
from mergegate.sandbox.process.slots import Child, Ended, Kind, Slots

_log = logging.getLogger(__name__)

_STARTING_S = 60.0
_MOST_THREADS = 256
_LONGEST_COMPLAINT = 4000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WorkerKind:
    """A kind of child, and how long one is kept."""

    name: str
    kind: Kind
    most_scans: int = 1
    """After so many it is replaced; after a failure at once."""
    most_idle: int = 0
    """So many wait for their next order."""
    tries: int = 1
    """An order whose child was killed is given to another, until so many were."""


@dataclass(slots=True)
class _Idle:
    child: Child
    scans: int


class Children:
    """All children of one worker process."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._idle: defaultdict[str, list[_Idle]] = defaultdict(list)
        self._threads = ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="mergegate-slot")

    async def ask(
        self, worker_kind: WorkerKind, name: str, order: Order, timeout_s: float
    ) -> Outcome:
        """What the order ``name`` comes to. Cancelled, it ends the child before it lets go."""
        until = monotonic() + timeout_s
        for _ in range(worker_kind.tries - 1):
            outcome = await self._tried(worker_kind, name, order, until - monotonic())
            if outcome != KILLED:
                return outcome
            _log.warning("the child for %s was killed: another one tries", name)
        return await self._tried(worker_kind, name, order, until - monotonic())

    async def _tried(
        self, worker_kind: WorkerKind, name: str, order: Order, timeout_s: float
    ) -> Outcome:
        idle = self._idle[worker_kind.name]
        taken = await self._waiting(idle) or _Idle(self._slots.child(worker_kind.kind), 0)
        outcome = await self._asked(taken.child, name, order, timeout_s)
        taken.scans += 1
        spent = taken.scans >= worker_kind.most_scans or len(idle) >= worker_kind.most_idle
        if spent or isinstance(outcome, Failed) or not taken.child.alive:
            await self._ended(taken.child)
        else:
            idle.append(taken)
        return outcome

    async def _waiting(self, idle: list[_Idle]) -> _Idle | None:
        """A waiting child that still lives; those that died while they waited are dropped."""
        while idle:
            taken = idle.pop()
            try:
                if await self.in_thread(partial(_greets, taken.child)):
                    return taken
            except (asyncio.CancelledError, EngineFailed):
                await self._ended(taken.child)
                raise
            await self._ended(taken.child)
        return None

    async def in_thread(self, work: Callable[[], T]) -> T:
        """What ``work`` returns; it is never interrupted, though we may stop waiting for it.

        Raises EngineFailed where this machine has no room for a thread.
        """
        return await asyncio.shield(asyncio.wrap_future(self._begun(work)))

    def _begun(self, work: Callable[[], T]) -> "Future[T]":
        try:
            return self._threads.submit(work)
        except RuntimeError as error:
            raise EngineFailed(f"a scan's thread could not be started: {error}") from error

    async def _ended(self, child: Child) -> None:
        """Where there is no thread for it, this thread does it: no other would."""
        try:
            await self.in_thread(child.end)
        except EngineFailed:
            child.end()

    def close(self) -> None:
        """End all that wait; a child that works is ended by its caller."""
        for idle in self._idle.values():
            while idle:
                idle.pop().child.end()
        self._threads.shutdown(wait=False)

    async def _asked(self, child: Child, name: str, order: Order, timeout_s: float) -> Outcome:
        try:
            work = self._begun(partial(_outcome, child, name, order, timeout_s))
        except EngineFailed:
            await self._ended(child)  # it may still be asked: then it finds that it is gone
            raise
        try:
            return await asyncio.shield(asyncio.wrap_future(work))
        except BaseException:
            await self._end(child, work)
            raise

    async def _end(self, child: Child, work: "Future[Outcome]") -> None:
        await self._ended(child)
        await asyncio.shield(asyncio.wrap_future(work))


def _greets(child: Child) -> bool:
    """Whether it still answers: its end is noticed a moment after it."""
    try:
        return child.alive and isinstance(outcome_in(child.ask(HELLO, _STARTING_S)), Done)
    except (EngineError, ValueError, RecursionError):
        return False


def _outcome(child: Child, name: str, order: Order, timeout_s: float) -> Outcome:
    """In a thread; what goes wrong with the child itself is told in the log."""
    greeted = child.alive
    try:
        if not greeted:
            outcome_in(child.ask(HELLO, min(_STARTING_S, timeout_s)))
            greeted = True
        outcome = outcome_in(child.ask(written(order), timeout_s))
    except Ended:
        return INTERNAL  # its caller is told something else
    except EngineTimeout:
        return LATE if greeted else _told(child, name, "it does not start in time")
    except EngineError as error:
        return _blamed(error, _told(child, name, error.what), greeted=greeted)
    except (ValueError, RecursionError):
        return _told(child, name, "it answers nonsense")
    return _told(child, name, "a mistake of ours") if outcome == INTERNAL else outcome


def _blamed(error: EngineError, ours: Failed, *, greeted: bool) -> Failed:
    """The cause of a child's end; ``ours`` where it did not even report that it had started."""
    if isinstance(error, EngineKilled):
        return KILLED
    if isinstance(error, EngineExhausted):
        return EXHAUSTED
    return OVERWHELMED if greeted else ours


def _told(child: Child, name: str, fault: str) -> Failed:
    complaints = terminal(child.complaints()[-_LONGEST_COMPLAINT:])
    _log.error("the child for %s failed: %s; it said: %s", name, terminal(fault), complaints)
    return INTERNAL
