"""Known vulnerabilities of resolved packages, and risks of how dependencies are fixed."""

from dataclasses import dataclass

from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Kind
from mergegate.core.tree import Role

# A lock file that a tool generated is as real as one written by hand.
IN_USE = (Role.SOURCE, Role.GENERATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyRule(Rule):
    """A rule about what the repository is built on; a risk unless it says otherwise."""

    category: Category = Category.DEPENDENCY
    aspect: Aspect = Aspect.DEPENDENCIES
    kind: Kind = Kind.RISK
