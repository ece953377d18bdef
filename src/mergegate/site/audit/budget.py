"""Budgets: what a page may weigh and how long it may take; derived from and held against pages."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import fsum
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from mergegate.core.errors import UsageError
from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.words import counted

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
    element: str = ""
    """Selector of what moved, where no request is known to have moved it: hostile text."""


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
    """The address of a request, how many of a kind went to one host, a vendor's name or a selector,
    all hostile text; empty when nothing that was measured points at one."""
    certain: bool = False
    """Whether it is beyond the noise: every one of three or more runs had it."""


_SCRIPT = "script"


def culprit(key: Key, budget: Budget, measured: Measured) -> str:
    """The new vendor, or the request, that adds most to ``key``; empty when nothing points at one.

    Whatever is named accounts for at least half of what is too much. What was measured of a metric
    may not: a style sheet that was in the way for a moment is not why a page waits for seconds.
    Then the weight of the requests tells. Requests are counted by kind and host or vendor: one
    request is no more than any other.
    """
    excess = measured.figures.of(key) - budget.limits.of(key)
    shares = _shares(key, measured)
    new = [one for one in shares if one.vendor is not None and one.vendor not in budget.vendors]
    if new and _explains(new, shares, _too_much(key, budget, measured)):
        return _largest(new, _vendor)
    if key is Key.REQUEST_COUNT:
        return _most_requested(measured, budget)
    known = {None, *budget.vendors}
    old = [one for one in shares if one.vendor in known]
    if not _accounts(old, excess):
        old = [one for one in _weights(key, measured) if one.vendor in known] or old
    return _largest(old, _address)


def heaviest_request(vendor: str, measured: Measured) -> str:
    """The address of the vendor's heaviest request; its name when no request is known."""
    own = [one for one in measured.requests if one.vendor == vendor]
    heaviest = min(own, key=lambda one: (-one.transfer_bytes, one.url), default=None)
    return heaviest.url if heaviest else vendor


def _shares(key: Key, measured: Measured) -> list[Share]:
    """What was measured of ``key``; else, of what grows with it, the weight of the requests."""
    told = [one for one in measured.shares if one.key is key and one.amount > 0]
    return told or _weights(key, measured)


def _weights(key: Key, measured: Measured) -> list[Share]:
    return [
        Share(key, one.url, one.vendor, weight)
        for one in measured.requests
        if (weight := _weight(key, one)) > 0
    ]


def _weight(key: Key, request: Request) -> int:
    if key is Key.REQUEST_COUNT:
        return 1
    if key is Key.CLS:
        return 0  # what shifts a page need not be heavy
    if key in {Key.SCRIPT_BYTES, Key.TBT}:
        return request.transfer_bytes if request.kind == _SCRIPT else 0
    return request.transfer_bytes


def _too_much(key: Key, budget: Budget, measured: Measured) -> float:
    """The part of the figure that lies above the limit, 0–1."""
    actual = measured.figures.of(key)
    return (actual - budget.limits.of(key)) / actual


def _explains(new: Sequence[Share], whole: Sequence[Share], too_much: float) -> bool:
    """Parts are compared, not amounts: weight may stand for milliseconds."""
    return 2 * _total(new) >= too_much * _total(whole)


def _accounts(shares: Iterable[Share], excess: float) -> bool:
    """Whether the largest of ``shares`` is half of ``excess``, in the unit of both."""
    return 2 * max(_groups(shares, _address).values(), default=0.0) >= excess


def _total(shares: Iterable[Share]) -> float:
    # Exact, so that the order of the requests does not matter.
    return fsum(one.amount for one in shares)


def _groups(shares: Iterable[Share], name: Callable[[Share], str]) -> Mapping[str, float]:
    groups = defaultdict[str, list[Share]](list)
    for one in shares:
        groups[name(one)].append(one)
    return {group: _total(of) for group, of in groups.items()}


def _largest(shares: Iterable[Share], name: Callable[[Share], str]) -> str:
    groups = _groups(shares, name)
    return min(groups, key=lambda group: (-groups[group], group), default="")


def _address(share: Share) -> str:
    return share.url or share.element


def _vendor(share: Share) -> str:
    return share.vendor or ""


def _most_requested(measured: Measured, budget: Budget) -> str:
    """``6 image requests to example.org``; empty where nothing known was asked for."""
    known = [one for one in measured.requests if one.vendor in {None, *budget.vendors}]
    groups = Counter((_origin(one), one.kind) for one in known)
    if not groups:
        return ""
    origin, kind = min(groups, key=lambda group: (-groups[group], group))
    return f"{counted(groups[origin, kind], f'{kind} request')} to {origin}"


def _origin(request: Request) -> str:
    """The vendor, else the host; the address itself when it has none (``data:``, ``blob:``)."""
    try:
        return request.vendor or urlsplit(request.url).hostname or request.url
    except ValueError:
        return request.url


_GROWTH = Fraction(110, 100)
_MARGINS: Mapping[Key, Fraction] = MappingProxyType(
    {
        Key.LCP: Fraction(250),
        Key.TBT: Fraction(100),
        Key.CLS: Fraction(5, 100),
        Key.FCP: Fraction(200),
        Key.TRANSFER_BYTES: Fraction(10_240),
        Key.SCRIPT_BYTES: Fraction(10_240),
        Key.REQUEST_COUNT: Fraction(2),
    }
)
"""The least that is left above what was measured: simulated figures vary (decisions)."""
_THOUSANDTHS = 1000
_ENOUGH_RUNS = 3


def derive(measured: Measured) -> Budget:
    """The budget that this page keeps: each figure plus 10 %, or plus its margin if that is more.

    Always rounded up: milliseconds, bytes and requests to whole ones, ``cls`` to thousandths.
    """
    limits = figures(lambda key: _limit(key, measured.figures.of(key)))
    return Budget(measured.device, limits, tuple(sorted(set(measured.vendors))))


def compare(
    budget: Budget, measured: Measured, spread: Spread | None = None
) -> tuple[Violation, ...]:
    """What is strictly over its limit, in the order of the keys, then vendors by name.

    Without a ``spread`` of at least three runs nothing is certain. Raises UsageError when the
    page was loaded as another device than the budget is for.
    """
    if budget.device is not measured.device:
        raise UsageError(
            f"the budget is for {budget.device}, the page was loaded as {measured.device}",
            remedy="Keep one budget for each device.",
        )
    noise = spread if spread and spread.runs >= _ENOUGH_RUNS else None
    return (*_exceeded(budget, measured, noise), *_strangers(budget, measured, noise))


def _limit(key: Key, measured: float) -> float:
    # As it is written, not as it is stored: in binary 100 × 1.1 is a little more than 110.
    exact = Fraction(str(measured))
    allowed = max(exact * _GROWTH, exact + _MARGINS[key])
    if key is Key.CLS:
        return math.ceil(allowed * _THOUSANDTHS) / _THOUSANDTHS
    return math.ceil(allowed)


def _exceeded(budget: Budget, measured: Measured, noise: Spread | None) -> Iterator[Violation]:
    for key in Key:
        limit, actual = budget.limits.of(key), measured.figures.of(key)
        if actual > limit:
            yield Violation(
                key=key,
                limit=limit,
                actual=actual,
                cause=culprit(key, budget, measured),
                certain=noise is not None and noise.lowest.of(key) > limit,
            )


def _strangers(budget: Budget, measured: Measured, noise: Spread | None) -> Iterator[Violation]:
    for vendor in sorted(set(measured.vendors).difference(budget.vendors)):
        yield Violation(
            key=VENDOR,
            limit=NOT_IN_BUDGET,
            actual=vendor,
            cause=heaviest_request(vendor, measured),
            certain=noise is not None and vendor in noise.vendors,
        )
