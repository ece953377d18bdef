"""What a page may weigh and how long it may take, what it did, and where the two part."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mergegate.sandbox.visit import Device, Throttling

VERSION = 1
"""The version of the budget's format."""
VENDOR = "vendor"
"""The key of a violation by a third party."""
NOT_IN_BUDGET = "not in budget"
"""The limit of a violation by a third party."""


class Key(StrEnum):
    """The figures that have a limit, in the order in which they are told."""

    LCP = "lcp"
    TBT = "tbt"
    CLS = "cls"
    FCP = "fcp"
    TRANSFER_BYTES = "transferBytes"
    SCRIPT_BYTES = "scriptBytes"
    REQUEST_COUNT = "requestCount"


METRIC_BOUNDS: Mapping[Device, Mapping[Key, tuple[float, float]]] = {
    Device.MOBILE: {
        Key.FCP: (1800, 3000),
        Key.LCP: (2500, 4000),
        Key.TBT: (200, 600),
        Key.CLS: (0.1, 0.25),
    },
    Device.DESKTOP: {
        Key.FCP: (934, 1600),
        Key.LCP: (1200, 2400),
        Key.TBT: (150, 350),
        Key.CLS: (0.1, 0.25),
    },
}
"""Up to which a metric is good, and beyond which it is poor; sizes have no grades.

Where Lighthouse 13.5's own score of it turns at 90 and at 50 (``core/audits/metrics``, by form
factor); on a phone, but for blocking time, they are the thresholds of Core Web Vitals.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One number a :class:`Key`; raises ValueError unless each is finite and not negative."""

    lcp: float
    """Largest contentful paint, milliseconds."""
    tbt: float
    """Total blocking time, milliseconds."""
    cls: float
    """Cumulative layout shift, without a unit."""
    fcp: float
    """First contentful paint, milliseconds."""
    transfer_bytes: int
    """Everything that came over the network, headers included."""
    script_bytes: int
    """The scripts' part of it."""
    request_count: int

    def __post_init__(self) -> None:
        for key in Key:
            # Not a number is never greater than a limit: it would pass in silence.
            if not (math.isfinite(self.of(key)) and self.of(key) >= 0):
                raise ValueError(f"{key} is not a finite number of 0 or more")

    def of(self, key: Key) -> float:
        """The figure that ``key`` names."""
        value: float = getattr(self, key.name.lower())
        return value


def figures(of: Callable[[Key], float]) -> Figures:
    """One figure a key, each what ``of`` says of it; bytes and requests are whole."""
    whole = {Key.TRANSFER_BYTES, Key.SCRIPT_BYTES, Key.REQUEST_COUNT}
    told: dict[str, Any] = {
        key.name.lower(): int(of(key)) if key in whole else of(key) for key in Key
    }
    return Figures(**told)


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a page may take, and whom it may load from (specification: perfBudget)."""

    device: Device
    limits: Figures
    vendors: tuple[str, ...] = ()
    """Names of third parties, sorted, each once."""


@dataclass(frozen=True, slots=True)
class Request:
    """One answer that the page loaded; its address is hostile text."""

    url: str
    transfer_bytes: int
    kind: str
    """Lighthouse's resource type in small letters: ``script``, ``image``, ``document``…"""
    vendor: str | None = None
    """Name of the third party; None for the site's own."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one request adds to one figure, in the figure's unit; never negative."""

    key: Key
    url: str
    vendor: str | None
    amount: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A page as it was loaded: once, or the median of several times."""

    device: Device
    throttling: Throttling
    figures: Figures
    vendors: tuple[str, ...] = ()
    """Names of the third parties that it loaded from, in any run."""
    requests: tuple[Request, ...] = ()
    shares: tuple[Share, ...] = ()
    """What is known of lcp, tbt, cls and fcp beyond the weight of a request: the largest paint's
    image, long tasks, shifts. Weight and number follow from ``requests``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How far several runs of one page lie apart."""

    runs: int
    lowest: Figures
    """The least of each figure; no run need have had them all."""
    highest: Figures
    vendors: frozenset[str]
    """Third parties that every run loaded from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """Something slower, heavier or new (specification: budgetViolations)."""

    key: str
    """A :class:`Key`, or ``vendor``."""
    limit: float | str
    """``not in budget`` for a vendor."""
    actual: float | str
    """The vendor's name for a vendor: hostile text."""
    cause: str = ""
    """The address of a request, a host or a vendor's name, all hostile text; empty when nothing
    that was measured points at one."""
    certain: bool = False
    """Whether it is beyond the noise: every one of three or more runs had it."""
