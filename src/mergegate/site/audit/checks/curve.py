"""Lighthouse's scoring curves: what a metric that gets faster would give the performance score."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erf, log
from types import MappingProxyType

from mergegate.sandbox.web.visit import Device
from mergegate.site.audit.budget import (
    Key,
)

_INVERSE_ERFC_ONE_FIFTH = 0.9061938024368232
_LEAST = 5e-324


@dataclass(frozen=True, slots=True)
class Curve:
    """A log-normal one, by its two control points (Lighthouse 13.5, ``core/audits/metrics``)."""

    good: float
    """What scores 0.9, in the metric's unit."""
    middling: float
    """What scores 0.5."""

    def score(self, value: float) -> float:
        """0–1; 1 for a ``value`` of 0 or less."""
        if value <= 0:
            return 1.0
        ratio = log(max(_LEAST, value / self.middling))
        standard = ratio * _INVERSE_ERFC_ONE_FIFTH / -log(self.good / self.middling)
        return (1 - erf(standard)) / 2


_SHIFT = Curve(0.1, 0.25)
CURVES: Mapping[Device, Mapping[Key, Curve]] = MappingProxyType(
    {
        Device.MOBILE: {
            Key.FCP: Curve(1800, 3000),
            Key.LCP: Curve(2500, 4000),
            Key.TBT: Curve(200, 600),
            Key.CLS: _SHIFT,
        },
        Device.DESKTOP: {
            Key.FCP: Curve(934, 1600),
            Key.LCP: Curve(1200, 2400),
            Key.TBT: Curve(150, 350),
            Key.CLS: _SHIFT,
        },
    }
)
"""Speed index has one as well, but no audit says what it would save of it."""
