"""Risks of the repository as a whole: what it carries beside code, and what tries to hide."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.finding import Finding, Place
from mergegate.core.roles import role_of
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Role

_NAMED = 5
"""Paths that a message lists; the others are counted."""
_ASIDE = frozenset({Role.TEST, Role.EXAMPLE, Role.DOCS})


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskRule(Rule):
    """A rule about the repository as a whole, deducted under Security."""

    category: Category = Category.SECURITY
    aspect: Aspect = Aspect.CODE
    kind: Kind = Kind.RISK


def one_for_all(rule: RiskRule, paths: Sequence[str], because: str) -> Iterator[Finding]:
    """One finding for all ``paths``, none without any; information where all serve tests or docs.

    It stands at the first path that counts, and is new once the list has changed.
    """
    weighty = [path for path in paths if not is_aside(path)]
    others = [path for path in paths if is_aside(path)]
    if paths:
        listed = [*weighty, *others]
        yield rule.finding(
            f"{few(listed)}: {because} {rule.remedy}",
            Place(listed[0].rstrip("/")),
            severity=rule.severity if weighty else Severity.INFO,
            evidence="\n".join(sorted(paths)),
            anywhere=True,
        )


def is_aside(path: str) -> bool:
    """Whether ``path`` lies in tests, examples or documentation, however deep."""
    folders = path.split("/")[:-1]
    prefixes = ("/".join(folders[: depth + 1]) + "/x" for depth in range(len(folders)))
    return role_of(path) in _ASIDE or any(role_of(prefix) in _ASIDE for prefix in prefixes)


def few(names: Iterable[str]) -> str:
    """The first names, and how many follow."""
    listed = list(names)
    more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    return ", ".join(listed[:_NAMED]) + more
