"""The score, what it is made of, and the findings that make it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.core.severity import Severity
from mergegate.site.level import Level
from mergegate.site.render import figures
from mergegate.site.seo.report import Ground, Point, SeoReport, Theme

THEMES = {
    Theme.INDEXING: "Indexing",
    Theme.PAGE: "Page",
    Theme.CONTENT: "Content",
    Theme.LINKS: "Links",
    Theme.IMAGES: "Images",
    Theme.SOCIAL: "Shared links",
    Theme.STRUCTURED_DATA: "Structured data",
    Theme.AI_SEARCH: "AI search",
    Theme.TRUST: "Trust",
}
GROUNDS = {
    Ground.DOCUMENTED: "a search engine or a standard says so",
    Ground.STUDIED: "a published study found it",
    Ground.HEURISTIC: "experience, not counted in the score",
}
_LEVELS = {True: Level.ERROR, False: Level.WARNING}


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """What one theme takes off the score."""

    name: str
    points: int
    """Before its cap."""
    counted: int
    findings: int

    @property
    def is_capped(self) -> bool:
        """Whether its cap was reached."""
        return self.points > self.counted


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next, and what it is worth."""

    title: str
    message: str


def level(one: Point) -> Level:
    """Whether to treat it as an error: high or worse, and not from experience alone."""
    return _LEVELS[one.severity >= Severity.HIGH and one.ground is not Ground.HEURISTIC]


def score(report: SeoReport) -> str:
    """``71/100, needs improvement``."""
    return f"{report.score}/100, {figures.band(report.score)}"


def hints(report: SeoReport) -> int:
    """How many points rest on experience alone."""
    return sum(one.ground is Ground.HEURISTIC for one in report.points)


def severities(report: SeoReport) -> dict[Severity, int]:
    """How many points of each that the score counts, worst first; all five are keys."""
    counted = Counter(one.severity for one in report.points if one.ground is not Ground.HEURISTIC)
    return {severity: counted[severity] for severity in wording.WORST_FIRST}


def counts(report: SeoReport) -> str:
    """``2 high, 5 medium, 4 hints``; ``nothing to put right``."""
    present = [f"{count:,} {one.label}" for one, count in severities(report).items() if count]
    some = [wording.counted(hints(report), "hint")] if hints(report) else []
    return ", ".join([*present, *some]) or "nothing to put right"


def themes(report: SeoReport) -> tuple[ThemeRow, ...]:
    """Every theme, in a fixed order."""
    taken = {theme: (before, after) for theme, before, after in report.deductions}
    numbers = Counter(one.theme for one in report.points)
    return tuple(
        ThemeRow(name, *taken.get(theme, (0, 0)), numbers[theme]) for theme, name in THEMES.items()
    )


def sum_line(report: SeoReport) -> str:
    """How the score comes about: ``100 − 15 − 6 = 79``."""
    taken = [after for _, _, after in report.deductions if after]
    if not taken:
        return "100: nothing was deducted"
    left = max(0, 100 - sum(taken))
    bound = f", bounded to {report.score}" if report.score < left else ""
    return f"100 − {' − '.join(map(str, taken))} = {left}{bound}"


def by_theme(report: SeoReport) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """The points of each theme that has any, worst first."""
    for theme, name in THEMES.items():
        mine = tuple(one for one in report.points if one.theme is theme)
        if mine:
            yield name, mine


def steps(report: SeoReport) -> tuple[Step, ...]:
    """What to do, each with what the score gains."""
    return tuple(
        Step(f"{one.title} (+{one.gain})" if one.gain else one.title, one.message)
        for one in report.recommendations
    )
