"""Time and chance, so that a test need not wait, and what ``Retry-After`` makes of them."""

import asyncio
import datetime as dt
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from mergegate.forges.pacing import retry_after


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance, so that a test need not wait."""

    now: Callable[[], float] = time.monotonic
    """Seconds since some moment."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    today: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)
    chance: Callable[[], float] = random.random
    """0 to 1: many jobs that start together must not ask together."""


SYSTEM = Clock()
"""The clock of the machine."""


def asked_for(header: str | None, clock: Clock) -> float | None:
    """Seconds that ``Retry-After`` asks for; None when it does not say."""
    return retry_after(header, clock.today())
