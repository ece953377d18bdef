"""How a risk of the repository becomes a finding."""

from collections.abc import Iterable, Iterator, Sequence

from mergegate.core.finding import Finding, Place
from mergegate.core.roles import role_of
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Role

_NAMED = 5
"""Paths that a message lists; the others are counted."""
_REPOSITORY = Place()
_ASIDE = frozenset({Role.TEST, Role.EXAMPLE, Role.DOCS})


def risk(
    rule_id: str,
    title: str,
    message: str,
    *,
    severity: Severity,
    place: Place = _REPOSITORY,
    evidence: str = "",
    cwe: tuple[str, ...] = (),
    confidence: Confidence = Confidence.HIGH,
    engine: str = "mergegate",
) -> Finding:
    """A risk finding, deducted under Security."""
    return Finding(
        rule_id=rule_id,
        title=title,
        message=message,
        severity=severity,
        category=Category.SECURITY,
        kind=Kind.RISK,
        place=place,
        evidence=evidence,
        cwe=cwe,
        confidence=confidence,
        engine=engine,
    )


def one_for_all(
    rule_id: str,
    title: str,
    paths: Sequence[str],
    because: str,
    *,
    severity: Severity = Severity.LOW,
    cwe: tuple[str, ...] = (),
) -> Iterator[Finding]:
    """One finding for all ``paths``, none without any; information where all serve tests or docs.

    It stands at the first path that counts, and is new once the list has changed.
    """
    weighty = [path for path in paths if not is_aside(path)]
    others = [path for path in paths if is_aside(path)]
    if paths:
        listed = [*weighty, *others]
        yield risk(
            rule_id,
            title,
            f"{few(listed)}: {because}",
            severity=severity if weighty else Severity.INFO,
            place=Place(listed[0].rstrip("/")),
            evidence="\n".join(sorted(paths)),
            cwe=cwe,
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
