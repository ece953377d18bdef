"""What the API works with: built by the host, the same for every request of a process."""

import asyncio
import datetime as dt
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from mergegate.host.api.limits import Backpressure, RateLimits
from mergegate.host.api.metrics import Metrics
from mergegate.host.api.synchronous import ScanWatch
from mergegate.host.store.database import Database
from mergegate.sandbox.egress.policy import Policy

Link = Callable[[str], str | None]
"""The identifier of a scan → the page that shows it to people with the link; None: no page."""


def no_link(_: str) -> None:
    """For a host without pages."""


def utc_now() -> dt.datetime:
    """The time of day, with its time zone."""
    return dt.datetime.now(dt.UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One host, as its API sees it."""

    database: Database
    policy: Policy
    """What scans may reach."""
    watch: ScanWatch
    backpressure: Backpressure
    rates: RateLimits = field(default_factory=RateLimits)
    metrics: Metrics = field(default_factory=Metrics)
    link: Link = no_link
    now: Callable[[], dt.datetime] = utc_now
    monotonic: Callable[[], float] = time.monotonic
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the process is about to stop and accepts nothing new."""
    submitted: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a scan was submitted: a worker in this process looks for it at once."""
    https: bool = False
    """Whether clients reach the host by https alone."""
    shows_metrics: bool = False
    """Whether ``/metrics`` answers."""
