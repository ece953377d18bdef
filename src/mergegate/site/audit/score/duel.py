"""A change's page against the page before it: what is better, worse, the same, or not known.

Both are measured in turn, so that what slows this machine down slows both. Whether they differ is
an exact rank test (Mann and Whitney, 1947, with mid-ranks for ties): it assumes nothing of how the
runs are spread, and one wild run cannot decide it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import median_high, median_low

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Figures,
    Key,
    Measured,
)
from mergegate.site.audit.facts import Area, LighthouseRun
from mergegate.site.audit.report import Difference, Duel, Range
from mergegate.site.audit.score.budget import derive

LEAST_RUNS = 5
"""Of each page: with four, not even runs that lie wholly apart reach the confidence below."""
SURE = 0.98
"""Of five runs each, all or all but one pair must then lie apart."""
_AREA_MARGIN = 3
"""Points of performance that nobody notices; the other scores do not vary, so that all count."""


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
    """Of an even number of runs the worse one, as in ``score.runs``."""
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
