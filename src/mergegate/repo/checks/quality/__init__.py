"""Code that is hard to change, and traces of unfinished work."""

from dataclasses import dataclass

from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityRule(Rule):
    """A rule about code that is hard to change, or unfinished."""

    category: Category = Category.QUALITY
    aspect: Aspect = Aspect.QUALITY
    kind: Kind = Kind.QUALITY
