"""How often a worker looks at what; beside it, for whoever only asks whether one lives."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a worker does what it does, in seconds."""

    beat_s: float = 5.0
    """It says that it is alive, and looks for others that are not."""
    ttl_s: float = 20.0
    """Whoever was not heard of for that long is taken for dead, one more beat later."""
    poll_s: float = 0.2
    """It looks for work. Of many workers each may look less often: one second."""
    watch_s: float = 1.0
    """It looks whether a scan of its own was cancelled or taken over."""
    schedule_s: float = 10.0
    """It looks for scans that are due by a schedule."""
    purge_s: float = 60.0
    """It forgets what is old."""
    review_s: float = 600.0
    """It looks whether a wrong clock has put schedules off."""


USUAL = Pace()
