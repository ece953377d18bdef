"""The geometry of an audit's charts: figures in, lengths out of 100."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from mergegate.sandbox.web.visit import Throttling
from mergegate.site.audit.budget import (
    Key,
)
from mergegate.site.audit.facts import Frame, Load
from mergegate.site.audit.render.rows import Metric
from mergegate.site.audit.report import AuditReport, Difference, Range
from mergegate.site.render import figures, images, phrases

_ROOM = 1.08
"""The longest thing in a chart leaves a little to its right."""
_THINNEST = 0.4
_PADDING = 6
_LEAST_SPAN = 0.2
_MOST_FRAMES = 10
_FRAMES_ROOM = 900_000
_KINDS = ("document", "stylesheet", "script", "image", "font", "fetch", "xhr", "media")
_SAME = {"xhr": "fetch"}
OTHER = "other"


@dataclass(frozen=True, slots=True)
class MetricBar:
    """A metric's bar: what was measured, how far the runs lie apart, where the limit is."""

    width: float
    spread: tuple[float, float] | None
    """Start and width."""
    limit: float | None


@dataclass(frozen=True, slots=True)
class Bar:
    """One request of the waterfall."""

    load: Load
    name: str
    """What tells it apart; hostile text."""
    kind: str
    """One of a few, for its colour."""
    start: float
    width: float
    failed: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment across the waterfall."""

    name: str
    at: float
    said: str


@dataclass(frozen=True, slots=True)
class Waterfall:
    """What the page loaded, over time."""

    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    kinds: tuple[str, ...]
    """Those that the bars have, for the legend."""
    ticks: tuple[str, ...]
    """The axis: nought, the middle, the end."""
    more: int


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame of the filmstrip."""

    said: str
    """``0.8 s``."""
    uri: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure before and after a change on one line."""

    before: float
    after: float
    before_range: tuple[float, float]
    """Start and end, as in ``after_range``."""
    after_range: tuple[float, float]


def metric_bar(metric: Metric) -> MetricBar:
    """All parts on one scale, whose end is a little beyond the largest."""
    highest = metric.spread.highest if metric.spread else 0.0
    scale = _Scale(0.0, max(metric.value, highest, metric.limit or metric.allowance))
    return MetricBar(
        width=scale.at(metric.value),
        spread=_stretch(scale, metric.spread) if metric.spread_text and metric.spread else None,
        limit=None if metric.limit is None else scale.at(metric.limit),
    )


def waterfall(report: AuditReport, most: int) -> Waterfall:
    """The first ``most`` requests by start.

    Paints are marked only where they were timed in this very load: simulated ones belong to a
    slower network than the one that the bars show.
    """
    loads = [one for one in report.waterfall if isfinite(one.start_ms) and isfinite(one.end_ms)]
    shown, moments = loads[:most], _moments(report)
    end = max([0.0, *(one.end_ms for one in shown), *(at for _, at in moments)])
    scale = _Scale(0.0, end)
    bars = tuple(_bar(one, report.final_url, scale) for one in shown)
    used = {bar.kind for bar in bars}
    return Waterfall(
        bars=bars,
        marks=tuple(Mark(name, scale.at(at), figures.duration(at)) for name, at in moments),
        kinds=tuple(kind for kind in (*_KINDS, OTHER) if kind in used),
        ticks=tuple(figures.duration(end * _ROOM * part) for part in (0, 0.5, 1)),
        more=len(report.waterfall) - len(bars),
    )


def filmstrip(frames: Sequence[Frame]) -> tuple[Shot, ...]:
    """Up to ten frames, evenly spaced, the last one always; what is no JPEG is left out."""
    chosen = _spaced(frames)
    uris = images.within((one.image for one in chosen), _FRAMES_ROOM)
    pairs = zip(chosen, uris, strict=True)
    return tuple(Shot(figures.duration(one.at_ms), uri) for one, uri in pairs if uri)


def plot(one: Difference) -> Plot:
    """Both pages on one scale, from the least to the most of their runs.

    It spans a fifth of the figure at least, so that what differs by little looks it.
    """
    ends = (one.before_range, one.after_range)
    low, high = min(end.lowest for end in ends), max(end.highest for end in ends)
    slack = max(0.0, high * _LEAST_SPAN - (high - low)) / 2
    scale = _Scale(low - slack, high + slack, _PADDING)
    return Plot(
        before=scale.at(one.before),
        after=scale.at(one.after),
        before_range=(scale.at(one.before_range.lowest), scale.at(one.before_range.highest)),
        after_range=(scale.at(one.after_range.lowest), scale.at(one.after_range.highest)),
    )


def plots(found: Iterable[Difference]) -> tuple[tuple[Difference, Plot], ...]:
    """Each difference beside its plot."""
    return tuple((one, plot(one)) for one in found)


@dataclass(frozen=True, slots=True)
class _Scale:
    """From a figure to 0–100."""

    low: float
    high: float
    padding: float = 0.0
    """On either side, of 100; without it the scale ends a little beyond ``high``."""

    def at(self, value: float) -> float:
        length = (self.high - self.low) * (1 if self.padding else _ROOM)
        if length <= 0:
            return 50.0 if self.padding else 0.0
        part = (value - self.low) / length
        return round(self.padding + min(1.0, max(0.0, part)) * (100 - 2 * self.padding), 2)


def _stretch(scale: _Scale, apart: Range) -> tuple[float, float]:
    start = scale.at(apart.lowest)
    return start, round(max(_THINNEST, scale.at(apart.highest) - start), 2)


def _bar(load: Load, own: str, scale: _Scale) -> Bar:
    start = scale.at(load.start_ms)
    kind = _SAME.get(load.kind, load.kind)
    return Bar(
        load=load,
        # A vendor's name stands beside it: its host would say the same again.
        name=phrases.file_name(load.url) if load.vendor else phrases.short_address(load.url, own),
        kind=kind if kind in _KINDS else OTHER,
        start=start,
        width=round(max(_THINNEST, scale.at(load.end_ms) - start), 2),
        failed=load.status < 0 or load.status >= 400,
    )


def _moments(report: AuditReport) -> list[tuple[str, float]]:
    if report.throttling is Throttling.SIMULATE or report.runs > 1:
        return []  # of several runs the figures are medians, and the bars are one run's
    told = report.measured.figures
    return [("FCP", told.of(Key.FCP)), ("LCP", told.of(Key.LCP))]


def _spaced(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    if len(frames) <= _MOST_FRAMES:
        return tuple(frames)
    step = (len(frames) - 1) / (_MOST_FRAMES - 1)
    return tuple(frames[round(number * step)] for number in range(_MOST_FRAMES))
