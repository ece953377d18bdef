"""Risks of the repository as a whole: what it carries beside code, and what tries to hide."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mergegate.core.finding import Finding, Place
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Role, Tree

_NAMED = 5
"""Paths that a message lists; the others are counted."""
_ASIDE = frozenset({Role.TEST, Role.EXAMPLE, Role.DOCS})


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskRule(Rule):
    """A rule about the repository as a whole, deducted under Security."""

    category: Category = Category.SECURITY
    aspect: Aspect = Aspect.CODE
    kind: Kind = Kind.RISK


def one_for_all(
    rule: RiskRule, tree: Tree, paths: Sequence[str], because: str
) -> Iterator[Finding]:
    """One finding for all ``paths``, none without any; information where all serve tests or docs.

    It stands at the first path that counts, and is new once the list has changed.
    """
    aside = _aside(tree)
    weighty = [path for path in paths if path not in aside and _folder(path) not in aside]
    others = [path for path in paths if path not in weighty]
    if paths:
        listed = [*weighty, *others]
        yield rule.finding(
            f"{few(listed)}: {because} {rule.remedy}",
            Place(listed[0].rstrip("/")),
            severity=rule.severity if weighty else Severity.INFO,
            evidence="\n".join(sorted(paths)),
            anywhere=True,
        )


def _aside(tree: Tree) -> frozenset[str]:
    """The files for tests, samples and documentation, and the folders that hold no others."""
    files = {file.path for file in tree.files if file.role in _ASIDE}
    used = {one for file in tree.files if file.path not in files for one in _folders(file.path)}
    return frozenset(files | {one for path in files for one in _folders(path)} - used)


def _folders(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def few(names: Iterable[str]) -> str:
    """The first names, and how many follow."""
    listed = list(names)
    more = f" and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    return ", ".join(listed[:_NAMED]) + more
