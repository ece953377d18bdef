"""How long scans may take, how often they are tried, and how often a worker looks at what."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.core.plans import Tool

LIMITS_S: Mapping[Tool, float] = {
    Tool.REPOSITORY: 900.0,
    Tool.CHANGE: 900.0,
    Tool.SEO: 180.0,
    Tool.AUDIT: 120.0,
    Tool.BROWSER_TEST: 300.0,
    Tool.SECURITY_SCAN: 120.0,
}
"""How long a worker may be busy with one scan, anew at each try; the wait is not in it."""
TRIES = 3
"""A scan whose worker died so often is not tried again."""
RETENTION = dt.timedelta(days=90)
"""How long results are kept unless a host says otherwise (decisions, every endpoint)."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """How often a worker does what it does, in seconds."""

    heartbeat_s: float = 5.0
    """It says that it is alive, and looks for workers that are not."""
    ttl_s: float = 20.0
    """A worker without a heartbeat for that long is taken for dead, one more beat later."""
    poll_s: float = 0.2
    """It looks for work. Of many workers each may look less often: one second."""
    watch_s: float = 1.0
    """It looks whether a scan of its own was cancelled or taken over."""
    schedule_s: float = 10.0
    """It looks for scans that are due by a schedule."""
    purge_s: float = 60.0
    """It deletes what is older than it may be."""
    review_s: float = 600.0
    """It looks whether a wrong clock has put schedules off."""


USUAL = Intervals()
