"""The tools as data: what a scan deducts, where it caps, and when its gate fails."""

from types import MappingProxyType

from mergegate.core.score.scoring import Scoring
from mergegate.core.severity import Category, Severity

REPOSITORY = Scoring(
    weights=MappingProxyType(
        {
            Severity.CRITICAL: 25,
            Severity.HIGH: 10,
            Severity.MEDIUM: 4,
            Severity.LOW: 1,
            Severity.INFO: 0,
        }
    ),
    caps=MappingProxyType(
        {
            Category.SECURITY: 50,
            Category.DEPENDENCY: 30,
            Category.QUALITY: 15,
            Category.IAC: 15,
        }
    ),
    floor=60,
    blocking=Severity.CRITICAL,
)
"""The repository scan: service specification (Limits, qualityGate) and decisions (weights)."""
