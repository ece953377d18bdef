"""What a tool deducts, where it caps, and when its gate fails."""

from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.core.severity import Category, Severity


@dataclass(frozen=True, slots=True)
class Scoring:
    """Weights, caps and gate of one tool; the numbers stand in ``plans.py`` alone."""

    weights: Mapping[Severity, int]
    """Points a finding takes off."""
    caps: Mapping[Category, int]
    """The most that a category takes off."""
    floor: int
    """The gate fails below this score."""
    blocking: Severity
    """The gate fails on any finding this severe."""
