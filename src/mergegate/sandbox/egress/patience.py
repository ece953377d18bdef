"""How long one request or tunnel may stand still, and how long it may take."""

import asyncio
from types import TracebackType

from mergegate.sandbox.egress.policy import Caps
from mergegate.sandbox.egress.traffic import Visit


class Patience:
    """Ends what runs inside it with TimeoutError: when nothing moves, and at last in any case."""

    def __init__(self, caps: Caps) -> None:
        self._loop = asyncio.get_running_loop()
        self._idle_s = caps.idle_s
        self._end = self._loop.time() + caps.total_s
        self._timeout = asyncio.timeout_at(self._next())

    async def __aenter__(self) -> "Patience":
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._timeout.__aexit__(kind, error, trace)

    def moved(self) -> None:
        """Something came or went."""
        if not self._timeout.expired():
            self._timeout.reschedule(self._next())

    def _next(self) -> float:
        return min(self._loop.time() + self._idle_s, self._end)


class Meter:
    """Watches a line: tells patience that it moves, and counts its bytes for a visit, if any."""

    def __init__(self, patience: Patience, visit: Visit | None = None) -> None:
        self._patience = patience
        self._visit = visit

    def sent(self, count: int) -> None:
        """Bytes went out; raises Refused past a cap."""
        self._patience.moved()
        if self._visit:
            self._visit.sent(count)

    def received(self, count: int) -> None:
        """Bytes came in; raises Refused past a cap."""
        self._patience.moved()
        if self._visit:
            self._visit.received(count)
