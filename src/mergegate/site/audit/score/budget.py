"""Measured page → budget, and page against budget: what is slower, heavier, or new."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import fsum
from types import MappingProxyType
from urllib.parse import urlsplit

from mergegate.core.errors import UsageError
from mergegate.site.audit.budget import (
    NOT_IN_BUDGET,
    VENDOR,
    Budget,
    Key,
    Measured,
    Request,
    Share,
    Spread,
    Violation,
    figures,
)

_SCRIPT = "script"


def culprit(key: Key, budget: Budget, measured: Measured) -> str:
    """The new vendor, or the request, that adds most to ``key``; empty when nothing points at one.

    New vendors are to blame when their part of the figure is at least half of the part that is
    too much. Requests are counted by host or vendor: one request is no more than any other.
    """
    shares = _shares(key, measured)
    new = [one for one in shares if one.vendor is not None and one.vendor not in budget.vendors]
    if new and _explains(new, shares, _too_much(key, budget, measured)):
        return _largest(new, _vendor)
    old = [one for one in shares if one.vendor is None or one.vendor in budget.vendors]
    return _largest(old, _origin if key is Key.REQUEST_COUNT else _address)


def heaviest_request(vendor: str, measured: Measured) -> str:
    """The address of the vendor's heaviest request; its name when no request is known."""
    own = [one for one in measured.requests if one.vendor == vendor]
    heaviest = min(own, key=lambda one: (-one.transfer_bytes, one.url), default=None)
    return heaviest.url if heaviest else vendor


def _shares(key: Key, measured: Measured) -> list[Share]:
    """What was measured of ``key``; else, of what grows with it, the weight of the requests."""
    told = [one for one in measured.shares if one.key is key and one.amount > 0]
    return told or [
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


def _total(shares: Iterable[Share]) -> float:
    # Exact, so that the order of the requests does not matter.
    return fsum(one.amount for one in shares)


def _largest(shares: Iterable[Share], name: Callable[[Share], str]) -> str:
    groups = defaultdict[str, list[Share]](list)
    for one in shares:
        groups[name(one)].append(one)
    return min(groups, key=lambda group: (-_total(groups[group]), group), default="")


def _address(share: Share) -> str:
    return share.url


def _vendor(share: Share) -> str:
    return share.vendor or ""


def _origin(share: Share) -> str:
    """The vendor, else the host; the address itself when it has none (``data:``, ``blob:``)."""
    try:
        return share.vendor or urlsplit(share.url).hostname or share.url
    except ValueError:
        return share.url


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
