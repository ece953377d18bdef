"""What to do for a page's visibility, in words: written by code from points, it never scores."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from mergegate.core.severity import Severity
from mergegate.site.seo.report import (
    THEMES,
    Ground,
    KeywordAnalysis,
    Point,
    Recommendation,
    SeoReport,
)
from mergegate.site.words import counted, cut, listed

Gain = Callable[[frozenset[str]], int]
"""What the score gains when the points with these ids are gone."""
_BANDS = ((90, "good"), (50, "needs improvement"), (0, "poor"))
"""The least score of each, as the specification's score convention has them."""
_MOST_STEPS = 30
_LONGEST = 100
_LONGEST_STEP = 200
_SHOWN = 3
_SHORT = 40
_OF_KEYWORDS = "keyword-"
"""How the rules about keywords begin; their evidence is the keyword."""
_ONE_CLICK = 1


def recommend(points: Sequence[Point], gain: Gain) -> tuple[Recommendation, ...]:
    """One step for each rule that has points, best gain first, worst first among equals.

    What is only worth knowing (severity info) is no step.
    """
    by_rule: dict[str, list[Point]] = defaultdict(list)
    for one in points:
        if one.severity > Severity.INFO:
            by_rule[one.rule].append(one)
    steps = [(_step(found, gain), max(one.severity for one in found)) for found in by_rule.values()]
    # Sorting keeps the order of the points, worst first, where all else is equal.
    ordered = sorted(steps, key=lambda pair: (-pair[0].gain, -pair[1]))
    return tuple(step for step, _ in ordered[:_MOST_STEPS])


def summarise_seo(report: SeoReport) -> str:
    """Score, what weighs most, what to do first, keywords, crawlers, competitor; one paragraph.

    A few sentences of plain text. What comes from the page is cut, and still hostile.
    """
    sentences = [
        _score(report),
        _hidden(report.hidden_by),
        _findings(report),
        _first_step(report.recommendations),
        *map(_keyword, report.keywords[:_SHOWN]),
        _crawlers(report),
        _competitor(report),
        _console(report),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _step(found: Sequence[Point], gain: Gain) -> Recommendation:
    first, more = found[0], len(found) - 1
    rest = f" {counted(more, 'more place')} like this." if more else ""
    return Recommendation(
        title=f"{cut(first.remedy or first.title, _LONGEST_STEP).rstrip('.')}{_keywords(found)}",
        message=f"{first.title}: {first.message}{rest}",
        point_ids=tuple(one.id for one in found),
        gain=gain(frozenset(one.id for one in found)),
    )


def _keywords(found: Sequence[Point]) -> str:
    """Which keywords a step is about; empty for one about something else."""
    if not found[0].rule.startswith(_OF_KEYWORDS):
        return ""
    return f": {_few([f'“{cut(one.evidence, _SHORT)}”' for one in found])}"


def _score(report: SeoReport) -> str:
    band = next(name for least, name in _BANDS if report.score >= least)
    return f"The score is {report.score} of 100 ({band})."


def _hidden(reasons: Sequence[Point]) -> str:
    """What keeps the page out of search, said before anything else."""
    titles = [one.title for one in reasons]
    return f"Search engines cannot show the page: {_few(titles)}." if titles else ""


def _findings(report: SeoReport) -> str:
    counted_ones = [one for one in report.points if one.ground is not Ground.HEURISTIC]
    hints = len(report.points) - len(counted_ones)
    also = f", and {counted(hints, 'hint')} from experience that the score leaves out"
    if not counted_ones:
        return f"Nothing was found to put right{also if hints else ''}."
    counts = Counter(one.severity for one in counted_ones)
    named = [f"{counts[level]} {level.label}" for level in sorted(counts, reverse=True)]
    return f"Found: {listed(named)}{_weighs(report)}{also if hints else ''}."


def _weighs(report: SeoReport) -> str:
    worst = max(report.deductions, key=lambda one: one[2], default=None)
    if worst is None or not worst[2]:
        return ""
    return f"; what costs most is {THEMES[worst[0]].spoken} with {counted(worst[2], 'point')}"


def _first_step(steps: Sequence[Recommendation]) -> str:
    if not steps:
        return ""
    first = steps[0]
    worth = f", which gains {counted(first.gain, 'point')}" if first.gain else ""
    return f"Do this first: {_lowered(cut(first.title, _LONGEST_STEP))}{worth}."


def _keyword(one: KeywordAnalysis) -> str:
    """The first thing to do about it."""
    name = f"“{cut(one.keyword, _LONGEST)}”"
    if one.advice:
        return cut(one.advice[0], _LONGEST_STEP)
    if not one.count:
        return f"The words of {name} stand apart, or in other forms."
    return f"{name} stands where it weighs."


def _crawlers(report: SeoReport) -> str:
    """A sentence on crawlers that bring visitors; access for training is a team's own choice.

    A robots.txt that does not answer keeps everybody out; that is a finding of its own.
    """
    robots = report.facts.robots
    if robots is None or robots.state != "present":
        return ""
    visiting = (one for one in report.crawlers if one.purpose in {"search", "user"})
    closed = [one.token for one in visiting if not one.allowed]
    return f"robots.txt keeps out {_few(closed)}." if closed else ""


def _competitor(report: SeoReport) -> str:
    if report.competitor is None or report.competitor_score is None:
        return ""
    gaps = Counter(one.kind for one in report.competitor_gaps)
    terms = [f"“{cut(one.what, _LONGEST)}”" for one in report.competitor_gaps if one.kind == "term"]
    lacks = f"; it writes of {_few(terms)}" if terms else ""
    number = counted(sum(gaps.values()), "gap") if gaps else "no gap"
    return f"The competitor scores {report.competitor_score}, with {number} to this page{lacks}."


def _console(report: SeoReport) -> str:
    missed = sum(one.clicks for one in report.queries)
    if missed < _ONE_CLICK:
        return ""
    best = cut(report.queries[0].row.query, _LONGEST)
    return f"By estimate {counted(round(missed), 'click')} could be recovered, most for “{best}”."


def _few(names: Sequence[str]) -> str:
    every = [cut(name, _LONGEST) for name in names]
    more = [f"{len(every) - _SHOWN} more"] if len(every) > _SHOWN else []
    return listed([*every[:_SHOWN], *more])


def _lowered(title: str) -> str:
    return f"{title[:1].lower()}{title[1:]}"
