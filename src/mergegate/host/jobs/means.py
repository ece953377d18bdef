"""What a worker's duties work with."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mergegate.core.tool import Tool
from mergegate.host.jobs.port import Queue
from mergegate.host.store.database import Database

Clock = Callable[[], dt.datetime]
"""Now, in UTC."""


@dataclass(frozen=True, slots=True)
class Means:
    """Of one worker."""

    database: Database
    queue: Queue
    limits_s: Mapping[Tool, float]
    """As ``port.LIMITS_S``, for scans that a worker submits itself."""
    clock: Clock
