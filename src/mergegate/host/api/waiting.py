"""Wait for scans to end: one question to the database for all who wait in this process."""

import asyncio
from contextlib import suppress

from mergegate.core.errors import StoreError
from mergegate.host.store import scans
from mergegate.host.store.database import Database

BEAT_S = 0.1


class Watch:
    """Tells its callers when their scans are settled."""

    def __init__(self, database: Database, beat_s: float = BEAT_S) -> None:
        self._database = database
        self._beat_s = beat_s
        self._waiting: dict[str, list[asyncio.Future[None]]] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def callers(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    async def settled(self, scan_id: str, timeout_s: float) -> bool:
        """Whether the scan is settled, once it is or the time is over."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(scan_id, []).append(future)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._watch())
        try:
            async with asyncio.timeout(timeout_s):
                await future
        except TimeoutError:
            return False
        finally:
            self._forget(scan_id, future)
        return True

    async def close(self) -> None:
        """End the watch; whoever still waits runs into the own time limit."""
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

    async def _watch(self) -> None:
        while self._waiting:
            with suppress(StoreError):  # the next beat asks again
                await self._ask()
            await asyncio.sleep(self._beat_s)

    async def _ask(self) -> None:
        async with self._database.read() as connection:
            done = await scans.settled(connection, tuple(self._waiting))
        for scan_id in done:
            for future in self._waiting.get(scan_id, ()):
                if not future.done():
                    future.set_result(None)
