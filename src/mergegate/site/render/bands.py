"""How good a measured figure is: good, needs improvement, poor, as scores are told.

Largest paint, shift, first paint, answer and first byte: the thresholds of Core Web Vitals
(web.dev/articles/vitals, read for web-vitals 6). Blocking time, and paints on a desktop: where
Lighthouse 13's own score of the metric turns at 90 and at 50 (its scoring options by form factor).
"""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import Key

GOOD, MIDDLING, POOR, UNKNOWN = "good", "needs improvement", "poor", "unknown"
Bounds = tuple[float, float]
"""Good up to the first, poor beyond the second."""

_MOBILE: Mapping[str, Bounds] = MappingProxyType(
    {Key.LCP: (2500, 4000), Key.TBT: (200, 600), Key.CLS: (0.1, 0.25), Key.FCP: (1800, 3000)}
)
_DESKTOP: Mapping[str, Bounds] = MappingProxyType(
    {Key.LCP: (1200, 2400), Key.TBT: (150, 350), Key.CLS: (0.1, 0.25), Key.FCP: (934, 1600)}
)
VITALS: Mapping[str, Bounds] = MappingProxyType(
    {
        "lcp": (2500, 4000),
        "cls": (0.1, 0.25),
        "inp": (200, 500),
        "fcp": (1800, 3000),
        "ttfb": (800, 1800),
    }
)
"""By the fields of ``Vitals``; milliseconds, but for ``cls``."""


def metric(key: str, value: float, device: Device) -> str:
    """The band of a figure of an audit; :data:`UNKNOWN` for sizes, which nobody has graded."""
    bounds = (_DESKTOP if device is Device.DESKTOP else _MOBILE).get(key)
    return _band(bounds, value)


def vital(name: str, value: float | None) -> str:
    """The band of a core web vital; :data:`UNKNOWN` where it was not measured."""
    return UNKNOWN if value is None else _band(VITALS.get(name), value)


def _band(bounds: Bounds | None, value: float) -> str:
    if bounds is None:
        return UNKNOWN
    if value <= bounds[0]:
        return GOOD
    return MIDDLING if value <= bounds[1] else POOR
