"""Several loads of one page → what is said of it, how sure that is, and whether more are needed."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median_high

from mergegate.model.budget import (
    Device,
    Figures,
    Measured,
    Spread,
    Throttling,
    Violation,
    figures,
)

THRESHOLDS = (50, 90)
"""Where a score of 0–100 turns from poor to middling, and from middling to good."""
_NEAR = 5
"""Points; a simulated score varies by up to this much."""


def median(runs: Sequence[Measured]) -> Measured:
    """The median of each figure; of an even number of runs the upper one, so that it was measured.

    No run as a whole is the median: the one whose paint is in the middle may be the one that
    shifted. Vendors are those of any run, requests those of the heaviest. Raises ValueError
    without a run, or when the runs were not made alike.
    """
    device, throttling = _conditions(runs)
    # The text decides between runs of one weight, so that their order does not.
    heaviest = max(runs, key=lambda run: (run.figures.transfer_bytes, repr(run)))
    return Measured(
        device=device,
        throttling=throttling,
        figures=_each(runs, median_high),
        vendors=tuple(sorted({vendor for run in runs for vendor in run.vendors})),
        requests=heaviest.requests,
        shares=heaviest.shares,
    )


def spread(runs: Sequence[Measured]) -> Spread:
    """The least and the most of each figure; raises ValueError as :func:`median` does."""
    _conditions(runs)
    return Spread(
        runs=len(runs),
        lowest=_each(runs, min),
        highest=_each(runs, max),
        vendors=frozenset.intersection(*(frozenset(run.vendors) for run in runs)),
    )


def needs_repeat(
    scores: Iterable[float],
    violations: Sequence[Violation] = (),
    thresholds: Sequence[float] = THRESHOLDS,
) -> bool:
    """Whether one run is too few: a score within 5 points of a threshold, or over the budget.

    ``scores`` are those that vary from run to run, 0–100; ``violations`` those of the one run.
    """
    near = (abs(score - threshold) <= _NEAR for score in scores for threshold in thresholds)
    return bool(violations) or any(near)


def _each(runs: Sequence[Measured], choose: Callable[[Sequence[float]], float]) -> Figures:
    return figures(lambda key: choose([run.figures.of(key) for run in runs]))


def _conditions(runs: Sequence[Measured]) -> tuple[Device, Throttling]:
    conditions = {(run.device, run.throttling) for run in runs}
    if len(conditions) != 1:
        raise ValueError("these are no runs of one page under one set of conditions")
    return conditions.pop()
