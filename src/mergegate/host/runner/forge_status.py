"""What the forge is told while a change is scanned; a child that has the token says it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import replace
from math import inf
from time import monotonic

from mergegate.core.errors import MergegateError
from mergegate.core.failure import Failed
from mergegate.core.render.escape import terminal
from mergegate.core.render.failures import CANCELLED, INTERNAL, failed
from mergegate.forges.repositories import Located
from mergegate.host.order import LocalRepository, ScanOrder
from mergegate.host.runner.checkouts import Refused
from mergegate.host.runner.children import Children, WorkerKind
from mergegate.host.scan import Outcome, Scan

_log = logging.getLogger(__name__)

_STOPPED = Failed(CANCELLED, "The scan was called off before its end.")
_BEGINNING_S = 60.0
"""A forge that is this slow gets its answer in the end, and no sign before it."""
_STOPPING_S = 20.0
"""Less than whoever cancels waits for us."""
_CLOSED = "CHANGE_CLOSED"
_UNTOLD = frozenset({"PUBLISHING_FAILED", "ORDER_NOT_HEARD", _CLOSED})
"""The forge has just refused to hear more, or nobody there waits for an answer."""


class Over(Exception):
    """The comment that the scan was made for has its answer already."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class ForgeStatus:
    """Of one scan of a change."""

    def __init__(
        self,
        children: Children,
        worker_kind: WorkerKind,
        order: ScanOrder,
        until: float,
        *,
        scan: Scan,
        is_order: bool,
    ) -> None:
        """``order`` says where answers go; ``until``, by the monotonic clock, all has to be said.

        ``scan`` has an outcome where it was called off while nobody carried it. ``is_order``: a
        comment asked for it, whose author is nobody until the forge was asked.
        """
        self.order = order
        """As far as it is known."""
        self.until = until
        self._children = children
        self._worker_kind = worker_kind
        self._is_order = is_order
        self._is_off = scan.outcome is not None
        self._was_begun = scan.tries > (0 if self._is_off else 1)
        """By a worker that was lost."""
        self._may_tell = not is_order
        self._has_begun = False

    async def begin(self, found: Located, failure: Failed | None = None) -> None:
        """Once it is known where the change lies, and before any of it is fetched.

        ``feared`` is told until the scan has an end: it may never have one. Raises Refused for a
        comment of somebody who gets no answer, and Over for one that is answered by this. Of a scan
        that was called off it raises Refused: what is begun shows that it ended.
        """
        at = self.order.answering
        if at is not None:
            at = replace(at, head=found.commit, base=found.base)
        self.order = replace(self.order, answering=at)
        self._has_begun = True
        outcome = await self._ask(self.order, _BEGINNING_S)
        if self._is_order and isinstance(outcome, Failed):
            raise Refused(outcome)
        self._may_tell = True
        if outcome.result:
            raise Over(outcome)
        if self._is_off:
            raise Refused(_STOPPED)
        if failure:
            await self._report_failure(failure)

    def lies_at(self, repository: LocalRepository) -> None:
        """The change has been fetched."""
        self.order = replace(self.order, repository=repository)

    async def told(self, found: Outcome) -> Outcome:
        """What the scan comes to, once the forge knows it as far as it can be told."""
        if found.result is not None:
            found = await self._ask(replace(self.order, report=found.result))
        if isinstance(found, Failed) and found.code not in _UNTOLD:
            await self._refuse(found)
        if isinstance(found, Failed) and found.code == _CLOSED and self._was_begun:
            await self._refuse(_STOPPED)
        return found

    @asynccontextmanager
    async def called_off(self) -> AsyncIterator[None]:
        """Whoever leaves early leaves no sign behind that promises an end."""
        try:
            yield
        except asyncio.CancelledError:
            if self._has_begun and self._may_tell:
                await self._quietly(self._stop())
            raise
        except Exception:
            await self._quietly(self._refuse(INTERNAL))
            raise

    async def _report_failure(self, failure: Failed) -> None:
        """As of an older scan: the answer of this one must not seem to be said already."""
        at = self.order.answering
        older = replace(at, sequence=at.sequence - 1) if at else None
        await self._ask(replace(self.order, answering=older, failed=failure))

    async def _stop(self) -> None:
        """Whatever time the scan has left."""
        order = replace(self.order, repository=None, failed=_STOPPED)
        await self._children.ask(self._worker_kind, order.id, order, _STOPPING_S)

    async def _refuse(self, why: Failed) -> None:
        if not self._may_tell:
            return
        outcome = await self._ask(replace(self.order, repository=None, failed=why))
        if isinstance(outcome, Failed):
            said = terminal(outcome.detail)
            _log.warning("nobody could be told why scan %s failed: %s", self.order.id, said)

    async def _ask(self, order: ScanOrder, most_s: float = inf) -> Outcome:
        left = min(self.until - monotonic(), most_s)
        return await self._children.ask(self._worker_kind, order.id, order, left)

    async def _quietly(self, saying: Awaitable[None]) -> None:
        """What goes wrong with it must not hide why we leave."""
        try:
            await saying
        except Exception:
            _log.exception("nobody could be told how scan %s ended", self.order.id)


def outcome_of(name: str, error: MergegateError) -> Failed:
    """What the scan ``name`` comes to by ``error``; one that tells of this machine is logged."""
    outcome = failed(error)
    if outcome == INTERNAL:
        _log.error("scan %s failed: %s", name, terminal(str(error)))
    return outcome
