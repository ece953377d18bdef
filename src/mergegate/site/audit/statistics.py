"""Several runs of a page: medians, how far they lie apart, and which of two pages is better."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import median_high, median_low

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import Figures, Key, Measured, Spread, Violation, derive, figures
from mergegate.site.audit.facts import Area, LighthouseRun, Scores, scores
from mergegate.site.audit.report import Difference, Duel, Range

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
    return scores(lambda area: _middle([run.scores.of(area) for run in runs]))


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


LEAST_RUNS = 5
"""Runs of each page; four do not reach the confidence below even when they lie wholly apart."""
SURE = 0.98
"""The least confidence; with five runs each, all or all but one pair must then lie apart."""
_AREA_MARGIN = 3
"""Points of performance too few to notice; other scores do not vary, so each point counts."""


class Side(StrEnum):
    """Which of the two pages."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Contender:
    """One page's runs, and the ids of the issues of each run."""

    runs: Sequence[LighthouseRun]
    issues: Sequence[Collection[str]] = ()


def turns(runs: int) -> tuple[Side, ...]:
    """The order of ``runs`` of each: A B, B A, A B… so that neither is always the first."""
    first = (Side.BEFORE, Side.AFTER)
    return tuple(side for turn in range(runs) for side in (first, first[::-1])[turn % 2])


def duel(against: str, before: Contender, after: Contender) -> Duel:
    """What the change does; raises ValueError when one of the pages has no run.

    Vendors and issues are new, or gone, when most runs of one page have them and no run of the
    other does.
    """
    if not (before.runs and after.runs):
        raise ValueError("a page without a run cannot be compared")
    old, new = _vendors(before), _vendors(after)
    return Duel(
        against=against,
        runs=min(len(before.runs), len(after.runs)),
        differences=(*_figures(before, after), *_scores(before, after)),
        new_vendors=_only(new, old),
        gone_vendors=_only(old, new),
        new_issues=_only(after.issues, before.issues),
        fixed_issues=_only(before.issues, after.issues),
    )


def confidence(before: Sequence[float], after: Sequence[float]) -> float:
    """0–1: one minus the share of all ways to deal the runs that part them at least as far.

    Exact for any number of runs and ties; 0 when all runs are equal.
    """
    ranks = _doubled_ranks([*before, *after])
    ways = _sums(ranks, len(before))
    middle = len(before) * (len(ranks) + 1)
    seen = abs(sum(ranks[: len(before)]) - middle)
    as_far = sum(count for total, count in ways.items() if abs(total - middle) >= seen)
    return 1 - as_far / comb(len(ranks), len(before))


def _figures(before: Contender, after: Contender) -> Iterator[Difference]:
    for key in Key:
        old = [run.measured.figures.of(key) for run in before.runs]
        new = [run.measured.figures.of(key) for run in after.runs]
        yield _difference(key, old, new, _Scale(_margin(key), median_high, more_is_better=False))


def _scores(before: Contender, after: Contender) -> Iterator[Difference]:
    for area in Area:
        old, new = _scored(before, area), _scored(after, area)
        margin = _AREA_MARGIN if area is Area.PERFORMANCE else 0
        if old and new:
            yield _difference(area, old, new, _Scale(margin, median_low, more_is_better=True))


@dataclass(frozen=True, slots=True)
class _Scale:
    margin: float
    """The largest difference that does not matter."""
    median: Callable[[Sequence[float]], float]
    """The median; with an even number of runs the worse of the middle two."""
    more_is_better: bool


def _difference(key: str, old: Sequence[float], new: Sequence[float], scale: _Scale) -> Difference:
    before, after = scale.median(old), scale.median(new)
    sure = confidence(old, new)
    return Difference(
        key=key,
        before=before,
        after=after,
        before_range=Range(min(old), max(old)),
        after_range=Range(min(new), max(new)),
        verdict=_verdict(after - before, sure, scale),
        confidence=sure,
    )


def _verdict(change: float, sure: float, scale: _Scale) -> str:
    if abs(change) <= scale.margin:
        return "same"
    if sure < SURE:
        return "unsure"
    return "better" if (change > 0) is scale.more_is_better else "worse"


def _margin(key: Key) -> float:
    """What the budget of a page that takes nothing leaves it: the least margin (decisions)."""
    nothing = Measured(
        device=Device.MOBILE,
        throttling=Throttling.SIMULATE,
        figures=Figures(
            lcp=0, tbt=0, cls=0, fcp=0, transfer_bytes=0, script_bytes=0, request_count=0
        ),
    )
    return derive(nothing).limits.of(key)


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Ranks from 1, twice as large so that the mean rank of equal values is whole."""
    below, equal = Counter[float](), Counter(values)
    passed = 0
    for value in sorted(equal):
        below[value] = passed
        passed += equal[value]
    return [2 * below[value] + equal[value] + 1 for value in values]


def _sums(ranks: Sequence[int], size: int) -> Counter[int]:
    """How many choices of ``size`` ranks add up to each sum."""
    chosen = [Counter({0: 1}), *(Counter[int]() for _ in range(size))]
    for rank in ranks:
        for count in range(size, 0, -1):
            for total, ways in chosen[count - 1].items():
                chosen[count][total + rank] += ways
    return chosen[size]


def _scored(page: Contender, area: Area) -> list[float]:
    return [score for run in page.runs if (score := run.scores.of(area)) is not None]


def _vendors(page: Contender) -> list[Collection[str]]:
    return [run.measured.vendors for run in page.runs]


def _only(these: Sequence[Collection[str]], those: Sequence[Collection[str]]) -> tuple[str, ...]:
    """What most of ``these`` hold and none of ``those``, sorted."""
    elsewhere = {one for run in those for one in run}
    times = Counter(one for run in these for one in set(run))
    most = {one for one, count in times.items() if 2 * count > len(these)}
    return tuple(sorted(most - elsewhere))
