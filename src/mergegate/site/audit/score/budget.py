"""Measured page → budget, and page against budget: what is slower, heavier, or new."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from mergegate.core.errors import UsageError
from mergegate.site.audit.budget import (
    NOT_IN_BUDGET,
    VENDOR,
    Budget,
    Key,
    Measured,
    Spread,
    Violation,
    figures,
)
from mergegate.site.audit.score.blame import culprit, heaviest_request

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
