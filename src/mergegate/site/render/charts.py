"""The geometry of a page's charts: figures in, lengths out of 100."""

from collections.abc import Sequence
from dataclasses import dataclass

from mergegate.site import words
from mergegate.site.render import images
from mergegate.site.render.layout import Bar, Plot, Request, Waterfall

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
class Scale:
    """A scale that maps a figure to 0–100."""

    low: float
    high: float
    padding: float = 0.0
    """On either side, of 100."""

    def at(self, value: float) -> float:
        """The position of ``value``, 0–100; the middle or the start of a scale without a length."""
        length = self.high - self.low
        if length <= 0:
            return 50.0 if self.padding else 0.0
        part = (value - self.low) / length
        return round(self.padding + min(1.0, max(0.0, part)) * (100 - 2 * self.padding), 2)

    def stretch(self, start: float, end: float) -> tuple[float, float]:
        """Start and width, of something that is seen however short it is."""
        begun = self.at(start)
        return begun, round(max(_THINNEST, self.at(end) - begun), 2)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One request of the waterfall."""

    request: Request
    kind: str
    """One of a few, for its colour."""
    start: float
    width: float
    failed: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """A waterfall as it is drawn."""

    bars: tuple[Drawn, ...]
    marks: tuple[tuple[str, float, str], ...]
    """Name, place and time."""
    kinds: tuple[str, ...]
    """Those that the bars have, for the legend."""
    ticks: tuple[str, ...]
    """The axis: nought, the middle, the end."""
    more: int


def bar(of: Bar) -> Scale:
    """The scale of a bar, from 0 to its end."""
    return Scale(0.0, of.end)


def plot(of: Plot) -> Scale:
    """The scale of a plot, from the least to the most of all runs.

    It spans a fifth of the figure at least, so that what differs by little looks it.
    """
    ends = (*of.before_range, *of.after_range)
    low, high = min(ends), max(ends)
    slack = max(0.0, high * _LEAST_SPAN - (high - low)) / 2
    return Scale(low - slack, high + slack, _PADDING)


def waterfall(of: Waterfall, most: int) -> Chart:
    """The first ``most`` requests by start."""
    shown = of.requests[:most]
    end = _ROOM * max([0.0, *(one.end_ms for one in shown), *(at for _, at in of.marks)])
    scale = Scale(0.0, end)
    bars = tuple(_bar(one, scale) for one in shown)
    used = {one.kind for one in bars}
    return Chart(
        bars=bars,
        marks=tuple((name, scale.at(at), words.duration(at)) for name, at in of.marks),
        kinds=tuple(kind for kind in (*_KINDS, OTHER) if kind in used),
        ticks=tuple(words.duration(end * part) for part in (0, 0.5, 1)),
        more=len(of.requests) - len(bars),
    )


def filmstrip(frames: Sequence[tuple[float, str]]) -> tuple[tuple[str, str], ...]:
    """Time and picture of up to ten frames, evenly spaced, the last one always; JPEG alone."""
    chosen = _spaced(frames)
    uris = images.within((uri for _, uri in chosen), _FRAMES_ROOM)
    pairs = zip(chosen, uris, strict=True)
    return tuple((words.duration(at), uri) for (at, _), uri in pairs if uri)


def _bar(request: Request, scale: Scale) -> Drawn:
    kind = _SAME.get(request.kind, request.kind)
    start, width = scale.stretch(request.start_ms, request.end_ms)
    failed = request.status < 0 or request.status >= 400
    return Drawn(request, kind if kind in _KINDS else OTHER, start, width, failed)


def _spaced(frames: Sequence[tuple[float, str]]) -> Sequence[tuple[float, str]]:
    if len(frames) <= _MOST_FRAMES:
        return frames
    step = (len(frames) - 1) / (_MOST_FRAMES - 1)
    return [frames[round(number * step)] for number in range(_MOST_FRAMES)]
