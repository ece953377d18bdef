"""Synchronous tools: keep callers waiting until their scans have ended, within bounds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.requests import ClientDisconnect, Request

from mergegate.core.errors import StoreError
from mergegate.core.plans import Tool
from mergegate.host.api.problems import busy
from mergegate.host.jobs.execution import LIMITS_S
from mergegate.host.store import scans
from mergegate.host.store.database import Database

_POLL_S = 0.1
MOST_CALLERS = 1_500
"""Callers that may wait in one process: polls and probes need room beside them."""
_QUEUED_S = 30.0
"""How long a caller waits, beyond the scan's own limit, for the scan to begin."""
_DISCONNECTED = "http.disconnect"


class ScanWatch:
    """Tells waiting callers when their scans end: one database query for all of a process."""

    def __init__(self, database: Database, poll_s: float = _POLL_S) -> None:
        self._database = database
        self._poll_s = poll_s
        self._places = asyncio.Semaphore(MOST_CALLERS)
        self._waiting: dict[str, list[asyncio.Future[None]]] = {}
        self._task: asyncio.Task[None] | None = None
        self.stopping = asyncio.Event()
        """Set when the process ends: callers who still wait are sent away."""

    @property
    def callers(self) -> int:
        """How many callers wait."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place for one caller, to be had before a scan is accepted; raises Refusal."""
        if self._places.locked():
            raise busy("Too many callers wait for their scans.", 10)
        async with self._places:
            yield

    async def wait(self, request: Request, tool: Tool, scan_id: str) -> bool:
        """Wait until the scan has ended or its time is over; False when the process stops before.

        Raises ClientDisconnect when the caller leaves. The scan goes on either way, and its result
        can be polled.
        """
        settled = asyncio.create_task(self.settled(scan_id, LIMITS_S[tool] + _QUEUED_S))
        left = asyncio.create_task(_disconnected(request))
        stopping = asyncio.create_task(self.stopping.wait())
        try:
            await asyncio.wait({settled, left, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:  # also when this task is cancelled itself
            for task in (settled, left, stopping):
                task.cancel()
        if not settled.done() and left.done():
            raise ClientDisconnect
        return settled.done()

    async def settled(self, scan_id: str, timeout_s: float) -> bool:
        """Wait until the scan is settled; False when ``timeout_s`` is over before."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(scan_id, []).append(future)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._poll())
        try:
            async with asyncio.timeout(timeout_s):
                await future
        except TimeoutError:
            return False
        finally:
            self._forget(scan_id, future)
        return True

    async def close(self) -> None:
        """End the polling; callers who still wait run into their own time limit."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _forget(self, scan_id: str, future: asyncio.Future[None]) -> None:
        left = [one for one in self._waiting.get(scan_id, ()) if one is not future]
        if left:
            self._waiting[scan_id] = left
        else:
            self._waiting.pop(scan_id, None)

    async def _poll(self) -> None:
        while self._waiting:
            with suppress(StoreError):  # the next round asks again
                await self._wake_settled()
            await asyncio.sleep(self._poll_s)

    async def _wake_settled(self) -> None:
        async with self._database.read() as connection:
            done = await scans.settled(connection, tuple(self._waiting))
        for scan_id in done:
            for future in self._waiting.get(scan_id, ()):
                if not future.done():
                    future.set_result(None)


async def _disconnected(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != _DISCONNECTED:
        pass
