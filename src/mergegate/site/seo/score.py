"""What the points of an SEO analysis make of the score (docs/scoring.md, "SEO analysis")."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.site.seo.facts import DATA
from mergegate.site.seo.report import Ground, Point, Theme

FULL_SCORE = 100
WEIGHTS: Mapping[Severity, int] = {
    Severity.CRITICAL: 30,
    Severity.HIGH: 15,
    Severity.MEDIUM: 6,
    Severity.LOW: 2,
    Severity.INFO: 0,
}
"""What one point takes off."""


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """What is known of a theme."""

    id: Theme
    cap: int
    """The most that its points take off together."""
    spoken: str
    """Its name within a sentence."""


THEMES = {one.id: one for one in read_table(DATA / "themes.toml", ThemeRow).values()}
"""The themes, in the order in which deductions are listed."""
UNFINDABLE = 30
"""The most that a page scores which search engines must leave out, however good it is."""

Deduction = tuple[Theme, int, int]
"""Theme, points before and after its cap."""


def draw_up(points: Iterable[Point]) -> tuple[int, tuple[Deduction, ...]]:
    """The score, 0–100, and what each theme takes off it, in the order of the themes.

    Points that rest on experience alone take off nothing. A critical point of indexing, which
    says that the page cannot be found at all, keeps the score at 30 or below.
    """
    counted = [one for one in points if one.ground is not Ground.HEURISTIC]
    taken: Counter[Theme] = Counter()
    for one in counted:
        taken[one.theme] += WEIGHTS[one.severity]
    deductions = tuple(
        (one, taken[one], min(taken[one], row.cap)) for one, row in THEMES.items() if taken[one]
    )
    score = max(0, FULL_SCORE - sum(after for _, _, after in deductions))
    return (min(score, UNFINDABLE) if any(map(_hides, counted)) else score), deductions


def gain(points: Collection[Point], ended: Collection[str]) -> int:
    """What the score gains when the points with the ids ``ended`` are gone; never below 0."""
    left = [one for one in points if one.id not in ended]
    return draw_up(left)[0] - draw_up(points)[0]


def _hides(point: Point) -> bool:
    return point.theme is Theme.INDEXING and point.severity is Severity.CRITICAL
