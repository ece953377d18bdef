"""Several loads of one page → what is said of it, how sure that is, and whether more are needed."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median_high, median_low

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Figures,
    Key,
    Measured,
    Spread,
    Violation,
    figures,
)
from mergegate.site.audit.facts import Area, LighthouseRun, Scores
from mergegate.site.audit.report import Range

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


def median_scores(runs: Sequence[LighthouseRun]) -> Scores:
    """The median of each score; of an even number of runs the lower one, so that it was given.

    None only where no run gave a score. Raises ValueError without a run.
    """
    if not runs:
        raise ValueError("without a run there is no score")
    middle = {area: _middle([run.scores.of(area) for run in runs]) for area in Area}
    return Scores(
        performance=middle[Area.PERFORMANCE],
        seo=middle[Area.SEO],
        accessibility=middle[Area.ACCESSIBILITY],
        best_practices=middle[Area.BEST_PRACTICES],
    )


def score_ranges(runs: Sequence[LighthouseRun]) -> dict[Area, Range]:
    """The least and the most of each score that any run gave."""
    given = {area: _given([run.scores.of(area) for run in runs]) for area in Area}
    return {area: Range(min(scores), max(scores)) for area, scores in given.items() if scores}


def nearest(runs: Sequence[LighthouseRun]) -> LighthouseRun:
    """The run that is shown for all: the one whose figures lie nearest to the medians.

    Each figure counts in parts of its spread; the first of two that are as near. Raises
    ValueError as :func:`median` does.
    """
    measured = [run.measured for run in runs]
    middle, apart = median(measured).figures, spread(measured)
    width = {key: apart.highest.of(key) - apart.lowest.of(key) for key in Key}

    def distance(run: LighthouseRun) -> float:
        away = {key: abs(run.measured.figures.of(key) - middle.of(key)) for key in Key}
        return sum(away[key] / width[key] for key in Key if width[key])

    return min(runs, key=distance)


def _given(scores: Iterable[int | None]) -> list[int]:
    return [score for score in scores if score is not None]


def _middle(scores: Iterable[int | None]) -> int | None:
    given = _given(scores)
    return median_low(given) if given else None


def _each(runs: Sequence[Measured], choose: Callable[[Sequence[float]], float]) -> Figures:
    return figures(lambda key: choose([run.figures.of(key) for run in runs]))


def _conditions(runs: Sequence[Measured]) -> tuple[Device, Throttling]:
    conditions = {(run.device, run.throttling) for run in runs}
    if len(conditions) != 1:
        raise ValueError("these are no runs of one page under one set of conditions")
    return conditions.pop()
