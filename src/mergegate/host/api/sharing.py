"""Several processes, one limit: once a second each tells the others what it has counted."""

import asyncio
import math
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress

from mergegate.core.errors import StoreError
from mergegate.host.api.rates import Rates
from mergegate.host.store import rates
from mergegate.host.store.database import Database
from mergegate.host.store.rates import Use

BEAT_S = 1.0
_BEATS_TO_PURGE = 60
_NONE = Use(0, 0.0)


class Sharing:
    """What one process tells and hears. A host of one process needs none."""

    def __init__(self, database: Database, counted: Rates, monotonic: Callable[[], float]) -> None:
        self._database = database
        self._counted = counted
        self._monotonic = monotonic
        self._process = secrets.token_hex(8)
        self._told: Mapping[str, tuple[int, float]] = {}
        self._beats = 0

    async def run(self) -> None:
        """Go on until cancelled; what the database misses it is told at the next beat."""
        while True:
            with suppress(StoreError):
                await self.exchange()
            await asyncio.sleep(BEAT_S)

    async def exchange(self) -> None:
        """Tell what has changed, and hear the others; raises StoreError."""
        second = math.floor(self._monotonic())
        used = self._counted.used(second)
        stand = {id: (one.requests, second + one.frees_in_s) for id, one in used.items()}
        if news := self._news(used, stand):
            async with self._database.change() as connection:
                await rates.tell(connection, self._process, news)
        self._told = stand
        async with self._database.read() as connection:
            self._counted.hear(await rates.told(connection, self._process), self._monotonic())
        await self._purge()

    def _news(
        self, used: Mapping[str, Use], stand: Mapping[str, tuple[int, float]]
    ) -> Mapping[str, Use]:
        """What the others do not know yet; a key that rests is told once.

        A key that is used as often as ever is told each time that its oldest request is another.
        """
        gone = {key_id: _NONE for key_id in self._told if key_id not in used}
        changed = {id: one for id, one in used.items() if self._told.get(id) != stand[id]}
        return {**gone, **changed}

    async def _purge(self) -> None:
        self._beats += 1
        if self._beats % _BEATS_TO_PURGE == 0:
            async with self._database.change() as connection:
                await rates.purge(connection)
