"""The time that waiting takes, so that tests need none."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time, and lets it pass."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    def wall(self) -> float:
        """Seconds since 1970."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        ...


class RealClock:
    """The machine's own time."""

    def now(self) -> float:
        """Seconds since the machine started or so."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass."""
        await asyncio.sleep(seconds)
