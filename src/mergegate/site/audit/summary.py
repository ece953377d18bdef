"""The summary of a website audit in words, written by code from facts; it never scores."""

from collections import Counter
from collections.abc import Iterable, Sequence

from mergegate.site.audit.budget import VENDOR, Key, Violation
from mergegate.site.audit.facts import AREAS, Area
from mergegate.site.audit.report import AuditReport, Difference, Duel, Recommendation
from mergegate.site.level import Level
from mergegate.site.words import amount, counted, cut, duration, listed, size

_BANDS = ((90, "good"), (50, "needs improvement"), (0, "poor"))
"""The least score of each, as the specification's score convention has them."""
_MILLISECONDS = frozenset({Key.LCP, Key.TBT, Key.FCP})
_BYTES = frozenset({Key.TRANSFER_BYTES, Key.SCRIPT_BYTES})
_FIGURES = {
    Key.LCP: "LCP",
    Key.TBT: "TBT",
    Key.CLS: "CLS",
    Key.FCP: "FCP",
    Key.TRANSFER_BYTES: "transfer size",
    Key.SCRIPT_BYTES: "script size",
    Key.REQUEST_COUNT: "requests",
}
_LONGEST = 100
_SHOWN = 3
_BEYOND_NOISE, _WITHIN_NOISE = "beyond the noise", "may be noise"


def summarise_audit(report: AuditReport) -> str:
    """Scores, what weighs most, what to do first, the budget, the comparison; one paragraph.

    Three to five sentences of plain text. What comes from the page is cut, and still hostile.
    """
    sentences = [
        _scores(report),
        _findings(report),
        _first_step(report.recommendations),
        _budget(report.violations),
        _comparison(report.duel),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _scores(report: AuditReport) -> str:
    told = listed([_score(area, report.scores.of(area)) for area in Area])
    return f"{told[:1].upper()}{told[1:]}{_runs(report)}."


def _score(area: Area, score: int | None) -> str:
    if score is None:
        return f"{AREAS[area]} has no score"
    band = next(name for least, name in _BANDS if score >= least)
    return f"{AREAS[area]} {score} ({band})"


def _runs(report: AuditReport) -> str:
    """How many loads that rests on, and how far performance lay apart in them."""
    if report.runs == 1:
        return ", from one run"
    between = report.score_ranges.get(Area.PERFORMANCE)
    apart = (
        f", with performance between {between.lowest:.0f} and {between.highest:.0f}"
        if between and between.lowest < between.highest
        else ""
    )
    return f", the medians of {report.runs} runs{apart}"


def _counted(number: int, level: Level) -> str:
    return f"{number:,} for information" if level is Level.INFO else counted(number, level.value)


def _findings(report: AuditReport) -> str:
    if not report.issues:
        return "Nothing was found to put right."
    counts = Counter(issue.level for issue in report.issues)
    named = [_counted(counts[level], level) for level in Level if counts[level]]
    worst = max(report.issues, key=lambda issue: issue.points)
    weighs = (
        f"; what weighs most is “{_cut(worst.title)}” with {worst.points:g} points of "
        f"{AREAS[worst.area]}"
        if worst.points
        else ""
    )
    return f"Found: {listed(named)}{weighs}."


def _first_step(recommendations: Sequence[Recommendation]) -> str:
    if not recommendations:
        return ""
    first = recommendations[0]
    savings = [f"{amount(name, saved)} of {name}" for name, saved in sorted(first.savings.items())]
    weight = [size(first.wasted_bytes)] if first.wasted_bytes else []
    gain = f", which saves up to {listed([*savings, *weight])}" if savings or weight else ""
    return f"Do this first: {_lowered(_cut(first.title))}{gain}."


def _budget(violations: Sequence[Violation] | None) -> str:
    if violations is None:
        return ""
    if not violations:
        return "The budget is kept."
    told = [_violation(one) for one in violations[:_SHOWN]]
    more = [f"{len(violations) - _SHOWN} more"] if len(violations) > _SHOWN else []
    return f"The budget is exceeded: {'; '.join([*told, *more])}."


def _violation(violation: Violation) -> str:
    certainty = _BEYOND_NOISE if violation.certain else _WITHIN_NOISE
    if violation.key == VENDOR:
        return f"{_cut(str(violation.actual))} is a new third party ({certainty})"
    actual, limit = (
        _figure(violation.key, violation.actual),
        _figure(violation.key, violation.limit),
    )
    cause = f", most of it by {_cut(violation.cause)}" if violation.cause else ""
    return f"{_called(violation.key)} {actual} instead of {limit} at most{cause} ({certainty})"


def _comparison(duel: Duel | None) -> str:
    if duel is None:
        return ""
    worse = [_difference(one) for one in duel.differences if one.verdict == "worse"]
    better = [_difference(one) for one in duel.differences if one.verdict == "better"]
    parts = [
        *([f"worse in {_few(worse)}"] if worse else []),
        *([f"better in {_few(better)}"] if better else []),
        *([counted(len(duel.new_issues), "new issue")] if duel.new_issues else []),
        *([f"{counted(len(duel.fixed_issues), 'issue')} fixed"] if duel.fixed_issues else []),
        *([f"new third parties: {_few(duel.new_vendors)}"] if duel.new_vendors else []),
    ]
    told = "; ".join(parts) or "no difference beyond the noise"
    return f"Against {_cut(duel.against)}, {counted(duel.runs, 'run')} each: {told}."


def _difference(one: Difference) -> str:
    before, after = _figure(one.key, one.before), _figure(one.key, one.after)
    return f"{_called(one.key)} ({before} → {after}, {one.confidence:.0%} sure)"


def _few(names: Iterable[str]) -> str:
    every = [_cut(name) for name in names]
    more = [f"{len(every) - _SHOWN} more"] if len(every) > _SHOWN else []
    return listed([*every[:_SHOWN], *more])


def _figure(key: str, value: float | str) -> str:
    """A figure of a budget in its unit; anything else as it is written."""
    if isinstance(value, str):
        return _cut(value)
    if key in _MILLISECONDS:
        return duration(value)
    return size(value) if key in _BYTES else f"{round(value, 3):g}"


def _called(key: str) -> str:
    """A figure by its name within a sentence; a score by its area's."""
    names: Iterable[tuple[str, str]] = (*_FIGURES.items(), *AREAS.items())
    return next((name for known, name in names if known == key), key)


def _lowered(title: str) -> str:
    return f"{title[:1].lower()}{title[1:]}"


def _cut(text: str) -> str:
    return cut(text, _LONGEST)
