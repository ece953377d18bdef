"""What a host shows of a scan that has no report: not yet, or not at all."""

import datetime as dt
from dataclasses import dataclass

from mergegate.report.sheet import sheet

AGAIN_S = 3
"""Between two looks of a waiting page."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How far a scan is, in words."""

    title: str
    said: str
    accepted: str
    since: str


def running(
    subject: str, *, created: dt.datetime, started: dt.datetime | None, now: dt.datetime
) -> str:
    """The page of a scan that waits (``started`` None) or runs; it looks again by itself."""
    return sheet(
        "web/running.html.j2",
        subject=subject,
        state=_waiting(created, started, now),
        again_s=AGAIN_S,
    )


def failed(subject: str, *, code: str, detail: str) -> str:
    """The page of a scan without a result."""
    return sheet("web/failed.html.j2", subject=subject, code=code, detail=detail)


def closed() -> str:
    """The page behind a link that is forged, damaged or too old; alike for all of them."""
    return sheet("web/closed.html.j2")


def _waiting(created: dt.datetime, started: dt.datetime | None, now: dt.datetime) -> Waiting:
    accepted = f"{_ago(now - created)} ago"
    if started is None:
        return Waiting("Waiting", "The scan is in the queue and has not begun.", accepted, "")
    since = f"begun {_ago(now - started)} ago"
    return Waiting("Scanning", "The repository is being scanned.", accepted, since)


def _ago(passed: dt.timedelta) -> str:
    seconds = max(0, int(passed.total_seconds()))
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"
