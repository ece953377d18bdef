"""Figures, addresses and receipts in words, and how good a figure is; raw text."""

import re
from collections.abc import Mapping
from itertools import accumulate
from urllib.parse import urlsplit

from mergegate.core.render import wording
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import METRIC_BOUNDS, VENDOR, Key
from mergegate.site.audit.facts import Area
from mergegate.site.report import SiteReport
from mergegate.site.words import duration, size

_GOOD_SCORE, _MIDDLING_SCORE = 90, 50
"""Where a score of 0–100 begins to be good, and to need improvement (specification)."""

NAMES = {
    Key.LCP: "Largest Contentful Paint",
    Key.TBT: "Total Blocking Time",
    Key.CLS: "Cumulative Layout Shift",
    Key.FCP: "First Contentful Paint",
    Key.TRANSFER_BYTES: "Transfer size",
    Key.SCRIPT_BYTES: "Script size",
    Key.REQUEST_COUNT: "Requests",
    VENDOR: "Third party",
    Area.PERFORMANCE: "Performance",
    Area.SEO: "SEO",
    Area.ACCESSIBILITY: "Accessibility",
    Area.BEST_PRACTICES: "Best practices",
}
"""What a figure is called, by its key; an :class:`Area` is its own text."""
_BYTES = frozenset({Key.TRANSFER_BYTES, Key.SCRIPT_BYTES})
_TIMES = frozenset({Key.LCP, Key.TBT, Key.FCP})


def name(key: str) -> str:
    """What the figure is called; the key itself where it has no name."""
    return next((words for known, words in NAMES.items() if known == key), key)


def figure(key: str, value: float | str) -> str:
    """``value`` with the unit of ``key``: ``2.5 s``, ``120 ms``, ``0.05``, ``1.2 MB``."""
    if isinstance(value, str):
        return value
    if key in _BYTES:
        return size(value)
    if key in _TIMES:
        return duration(value)
    if key == Key.CLS:
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return f"{value:,.0f}"


def band(score: int | None) -> str:
    """``good`` from 90, ``needs improvement`` from 50, else ``poor``; ``unknown`` without one."""
    if score is None:
        return "unknown"
    if score >= _GOOD_SCORE:
        return "good"
    return "needs improvement" if score >= _MIDDLING_SCORE else "poor"


GOOD, MIDDLING, POOR, UNKNOWN = "good", "needs improvement", "poor", "unknown"
Bounds = tuple[float, float]
"""Good up to the first, poor beyond the second."""


def metric(key: str, value: float, device: Device) -> str:
    """The band of a figure of an audit; :data:`UNKNOWN` for sizes, which have no grades."""
    known = {str(one): bounds for one, bounds in METRIC_BOUNDS[device].items()}
    return band_of(known.get(key), value)


def band_of(bounds: Bounds | None, value: float | None) -> str:
    """The band of a figure; :data:`UNKNOWN` for one that was not measured or has no grades."""
    if bounds is None or value is None:
        return UNKNOWN
    if value <= bounds[0]:
        return GOOD
    return MIDDLING if value <= bounds[1] else POOR


_UNITLESS = "CLS"
_OPENING = 420
"""Characters of a summary that are read at a glance."""
_STEPS = 2
_LONGEST_RECEIPT = 380
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z\d])")


def host(url: str) -> str:
    """Host and port; the whole address where there is none."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2] or url
    except ValueError:
        return url


def short_address(url: str, own: str) -> str:
    """What tells ``url`` apart on the site ``own``: path and query there, else without scheme."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if not parts.netloc:
        return url
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    return path if host(url) == host(own) else f"{host(url)}{path}"


def opening(text: str) -> tuple[str, str]:
    """The first sentences of a summary, and the rest of it."""
    sentences = _SENTENCE_END.split(text)
    lengths = accumulate(len(one) + 1 for one in sentences)
    kept = max(1, sum(length <= _OPENING for length in lengths))
    return " ".join(sentences[:kept]), " ".join(sentences[kept:])


def selector_end(selector: str) -> str:
    """The last two steps of a CSS selector, which tell elements apart."""
    steps = selector.split(" > ")
    return selector if len(steps) <= _STEPS else f"… > {' > '.join(steps[-_STEPS:])}"


def file_name(url: str) -> str:
    """What stands after the last slash of the path, with the query; else the host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    name = parts.path.rpartition("/")[2]
    return f"{name}{'?' if parts.query else ''}{parts.query}" or host(url)


def savings(by_metric: Mapping[str, float], wasted_bytes: int = 0) -> str:
    """``LCP 0.3 s, 120 kB``: what is to be had; empty when nothing is known."""
    parts = [f"{name} {_amount(name, value)}" for name, value in by_metric.items() if value]
    return ", ".join([*parts, *([size(wasted_bytes)] if wasted_bytes else [])])


def engine(run: EngineRun) -> str:
    """``lighthouse 13.5.0``, and how it ended when that was not well."""
    ending = "" if run.status is EngineStatus.OK else run.status.value
    return " ".join(part for part in (run.name, run.version, ending) if part)


def engines(runs: tuple[EngineRun, ...]) -> str:
    """All engines in a line."""
    return ", ".join(map(engine, runs))


def receipt(report: SiteReport) -> str:
    """The tool, the time and the engines of a scan in words."""
    told = f"{tool(report.tool_version, report.completed_at)}, {engines(report.engines)}"
    return told[:_LONGEST_RECEIPT]


def tool(version: str, completed_at: str) -> str:
    """``Mergegate 0.1.0, 2026-11-20 09:14 UTC``."""
    name = f"Mergegate {version}".strip()
    return f"{name}, {wording.moment(completed_at)}" if completed_at else name


def _amount(name: str, value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if name == _UNITLESS else duration(value)
