"""What is published about a rule."""

from dataclasses import dataclass

from mergegate.core.severity import Aspect, Category, Confidence, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCard:
    """A rule as ``mergegate rules`` lists it and ``mergegate explain`` tells it."""

    id: str
    title: str
    message: str
    severity: Severity | None
    """None where it depends on what is found; the message then tells how."""
    confidence: Confidence
    category: Category
    aspect: Aspect
    cwe: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    engine: str = "semgrep"
    covered_by: tuple[str, ...] = ()
    """Rules that say the same with more certainty where both match."""
