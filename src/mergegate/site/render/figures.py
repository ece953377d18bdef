"""The figures of a page in words: milliseconds, bytes, scores and their bands."""

from mergegate.site.audit.budget import VENDOR, Key
from mergegate.site.audit.facts import Area

GOOD, MIDDLING = 90, 50
"""Where a score of 0–100 begins to be good, and to need improvement (specification)."""
_SECOND_MS = 1000
_KILO = 1000

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


def duration(milliseconds: float) -> str:
    """``120 ms`` below a second, ``2.5 s`` from there."""
    if milliseconds < _SECOND_MS:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds / _SECOND_MS:.1f} s"


def size(count: float) -> str:
    """``512 B``, ``48 kB``, ``1.2 MB``: powers of a thousand, as browsers show them."""
    if count < _KILO:
        return f"{count:.0f} B"
    if count < _KILO * _KILO:
        return f"{count / _KILO:.0f} kB"
    return f"{count / _KILO / _KILO:.1f} MB"


def band(score: int | None) -> str:
    """``good`` from 90, ``needs improvement`` from 50, else ``poor``; ``unknown`` without one."""
    if score is None:
        return "unknown"
    if score >= GOOD:
        return "good"
    return "needs improvement" if score >= MIDDLING else "poor"
