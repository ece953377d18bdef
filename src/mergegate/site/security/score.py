"""Flaws of a site → riskScore and grade: deductions by severity, capped by area."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mergegate.core.severity import Severity
from mergegate.site.security.report import Area, Flaw

POINTS: Mapping[Severity, int] = MappingProxyType(
    {
        Severity.CRITICAL: 30,
        Severity.HIGH: 20,
        Severity.MEDIUM: 10,
        Severity.LOW: 5,
        Severity.INFO: 0,
    }
)
"""What one flaw costs (service specification, security scan result)."""
CAPS: Mapping[Area, int] = MappingProxyType(
    {
        Area.SECRETS: 25,
        Area.HEADERS: 20,
        Area.COOKIES: 15,
        Area.CSRF: 20,
        Area.MIXED_CONTENT: 20,
        Area.INTEGRITY: 15,
        Area.TRANSPORT: 30,
        Area.CONTENT: 25,
    }
)
"""The most that all flaws of an area cost (decisions, security categories and caps)."""
GRADES = (("A+", 90), ("A", 80), ("B", 65), ("C", 50), ("D", 30))
"""Grades with their least scores (service specification); a lower score is graded F."""
_BEST = 100


@dataclass(frozen=True, slots=True)
class RiskScore:
    """How safe a site is, and what that is made of."""

    score: int
    """0 to 100; 100 is best."""
    grade: str
    """``A+`` to ``F``."""
    deductions: Mapping[Area, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    """Points before and after the cap, of each area that has any."""


def risk_score(flaws: Iterable[Flaw]) -> RiskScore:
    """The score of a site with these flaws; a flaw that was met often counts once."""
    sums = dict.fromkeys(Area, 0)
    for one in flaws:
        sums[one.area] += POINTS[one.severity]
    deductions = {
        area: (points, min(points, CAPS[area])) for area, points in sums.items() if points
    }
    score = max(0, _BEST - sum(capped for _, capped in deductions.values()))
    return RiskScore(score, grade(score), MappingProxyType(deductions))


def grade(score: int) -> str:
    """``A+`` to ``F``."""
    return next((name for name, least in GRADES if score >= least), "F")
