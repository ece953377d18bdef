"""What the API is made of: handed in by ``wiring``, the same for every request of a process."""

import asyncio
import datetime as dt
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mergegate.host.api.measures import Measures
from mergegate.host.api.pressure import Pressure
from mergegate.host.api.rates import Rates
from mergegate.host.api.waiting import Watch
from mergegate.host.store.database import Database
from mergegate.sandbox.egress import Policy

_LINES = 1_500
Link = Callable[[str], str | None]
"""Scan → the page that shows it, to whoever has the link; None where there is none."""


def no_link(_: str) -> None:
    """For a host without pages."""


def utc_now() -> dt.datetime:
    """The time of day, aware."""
    return dt.datetime.now(dt.UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a host takes upon itself."""

    queued_s: float = 30.0
    """How long a caller waits beyond the scan's own limit: for its turn."""
    requests_at_once: int = 2_000
    """Of one process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One host, as its API sees it."""

    database: Database
    policy: Policy
    """What scans may reach."""
    watch: Watch
    pressure: Pressure
    limits: Limits = Limits()
    rates: Rates = field(default_factory=Rates)
    measures: Measures = field(default_factory=Measures)
    link: Link = no_link
    now: Callable[[], dt.datetime] = utc_now
    monotonic: Callable[[], float] = time.monotonic
    lines: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_LINES))
    """Of callers who wait for a scan to end: whoever polls or probes needs room beside them."""
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    """The process is on its way out, and takes nothing new."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Its grace is over: whoever still waits is sent away."""
    https: bool = False
    """Whether people reach it by https alone."""
    metrics: bool = False
    """Whether ``/metrics`` answers."""
