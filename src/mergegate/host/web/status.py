"""What a host shows a person who asks for a report: how far it is, or why there is none."""

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from mergegate.core.render.templates import SCRIPTS, STYLES, content_security_policy, sheet

AGAIN_S = 5
"""Between two looks of a waiting page in a browser without scripts; others look by themselves."""
_STYLES = (*STYLES, "web/web.css")
_LIVE = (*SCRIPTS, "web/live.js")


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and what its header allows it."""

    text: str
    policy: str
    """Content security policy; the server adds what holds for frames."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """How far a scan is that is not over."""

    accepted_s: int
    """Since it was accepted."""
    begun_s: int | None
    """Since a worker took it up; None while it is in the queue."""

    @property
    def state(self) -> str:
        """``waiting`` or ``scanning``."""
        return "waiting" if self.begun_s is None else "scanning"

    @property
    def title(self) -> str:
        """One word."""
        return self.state.capitalize()

    @property
    def said(self) -> str:
        """One sentence."""
        if self.begun_s is None:
            return "The scan is in the queue and has not begun."
        return "The repository is being fetched and scanned."


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a scan has no result."""

    code: str
    detail: str
    """One sentence of the scan's own; it may quote what a stranger wrote."""
    remedy: str
    """What to do about it; empty where nobody knows."""


OVER = json.dumps({"state": "over"})
"""What a waiting page is told once there is something else to show."""


def waiting(created: dt.datetime, started: dt.datetime | None, now: dt.datetime) -> Waiting:
    """What is shown of a scan that is not over; times are aware, ``started`` None before it ran."""
    begun_s = None if started is None else _seconds(now - started)
    return Waiting(accepted_s=_seconds(now - created), begun_s=begun_s)


def running(subject: str, how_far: Waiting) -> Page:
    """The page of a scan that waits or runs; it turns into the report by itself."""
    policy = f"{content_security_policy(_STYLES, _LIVE)}; connect-src 'self'"
    values = {"subject": subject, "waiting": how_far, "ago": _ago, "again_s": AGAIN_S}
    return Page(sheet("web/running.html.j2", _STYLES, _LIVE, **values), policy)


def progress(how_far: Waiting) -> str:
    """What the script of :func:`running`'s page is told, as JSON."""
    return json.dumps(
        {
            "state": how_far.state,
            "title": how_far.title,
            "said": how_far.said,
            "begunSeconds": how_far.begun_s,
        }
    )


def failed(subject: str, reason: Reason, at: str) -> Page:
    """The page of a scan without a result, that ended ``at`` some time in words."""
    return _still("web/failed.html.j2", subject=subject, reason=reason, at=at)


def closed() -> Page:
    """The page behind a link that is forged, damaged or too old; alike for all of them."""
    return _still("web/closed.html.j2")


def busy() -> Page:
    """The page of a host that cannot tell at the moment."""
    return _still("web/busy.html.j2")


def home() -> Page:
    """The page of the host itself."""
    return _still("web/home.html.j2")


def _still(template: str, **values: Any) -> Page:
    return Page(sheet(template, _STYLES, **values), content_security_policy(_STYLES))


def _seconds(passed: dt.timedelta) -> int:
    return max(0, int(passed.total_seconds()))


def _ago(seconds: int) -> str:
    """As the page's script says it."""
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"
