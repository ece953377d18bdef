"""What the points of an SEO analysis make of the score (docs/scoring.md, "SEO analysis")."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from mergegate.core.severity import Severity
from mergegate.site.seo.report import Ground, Point, Theme

FULL_SCORE = 100
WEIGHTS: Mapping[Severity, int] = MappingProxyType(
    {
        Severity.CRITICAL: 30,
        Severity.HIGH: 15,
        Severity.MEDIUM: 6,
        Severity.LOW: 2,
        Severity.INFO: 0,
    }
)
"""What one point takes off."""
CAPS: Mapping[Theme, int] = MappingProxyType(
    {
        Theme.INDEXING: 60,
        Theme.PAGE: 25,
        Theme.CONTENT: 15,
        Theme.LINKS: 10,
        Theme.IMAGES: 10,
        Theme.SOCIAL: 6,
        Theme.STRUCTURED_DATA: 10,
        Theme.AI_SEARCH: 12,
        Theme.TRUST: 10,
    }
)
"""The most that the points of one theme take off together."""
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
        (theme, taken[theme], min(taken[theme], cap)) for theme, cap in CAPS.items() if taken[theme]
    )
    score = max(0, FULL_SCORE - sum(after for _, _, after in deductions))
    return (min(score, UNFINDABLE) if any(map(_hides, counted)) else score), deductions


def gain(points: Collection[Point], ended: Collection[str]) -> int:
    """What the score gains when the points with the ids ``ended`` are gone; never below 0."""
    left = [one for one in points if one.id not in ended]
    return draw_up(left)[0] - draw_up(points)[0]


def _hides(point: Point) -> bool:
    return point.theme is Theme.INDEXING and point.severity is Severity.CRITICAL
