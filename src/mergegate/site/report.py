"""What the reports of all site tools have in common, and the one way in which they are built."""

import datetime as dt
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from mergegate import __version__
from mergegate.core.report import EngineRun
from mergegate.sandbox.visit import Credentials
from mergegate.site.level import RANDOM_BYTES, identifier
from mergegate.site.redact import redact


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteReport:
    """What every report of a site tool says; its text is hostile."""

    id: str = ""
    """Opaque, as :func:`finished` gives it."""
    url: str
    """The address that was asked for."""
    summary: str = ""
    engines: tuple[EngineRun, ...] = ()
    """The receipt."""
    created_at: str = ""
    """ISO 8601, UTC."""
    completed_at: str = ""
    tool_version: str = ""


R = TypeVar("R", bound=SiteReport)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def _random() -> bytes:
    return secrets.token_bytes(RANDOM_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """What every site tool works with."""

    engines: Callable[[], tuple[EngineRun, ...]] = tuple
    """The receipt, asked for when everything is over."""
    now: Callable[[], dt.datetime] = _now
    random: Callable[[], bytes] = _random


def finished(
    report: R,
    prefix: str,
    started: dt.datetime,
    toolbox: Toolbox,
    *,
    summarise: Callable[[R], str],
    credentials: Credentials,
) -> R:
    """``report`` with id, receipt, times and summary, and nothing of what opened the site.

    ``prefix`` begins the id: ``aud_``. A page may repeat anywhere what it was sent, so this is
    where every report is redacted, and the only place that gives one its id.
    """
    dated = replace(
        report,
        id=identifier(prefix, started, toolbox.random()),
        engines=toolbox.engines(),
        created_at=_stamp(started),
        completed_at=_stamp(toolbox.now()),
        tool_version=__version__,
    )
    return redact(replace(dated, summary=summarise(dated)), credentials)


def _stamp(moment: dt.datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
