"""What was seen, what was not and why: the coverage receipt, and the inventory."""

import datetime as dt
from collections.abc import Mapping
from typing import Any, TypeVar

from mergegate.core.package import Package
from mergegate.core.report import Coverage
from mergegate.core.tree import Role, Skipped
from mergegate.packages.dependencies import Dependencies, Unresolved, Vulnerabilities
from mergegate.repo.examine import Examined
from mergegate.repo.facts.markers import MarkerKind, Markers

FRESH_DAYS = 30
"""Beyond it the advisories' age is named as a limit of the scan."""

# A lock file that a tool generated is as real as one written by hand.
_SHIPPED = frozenset({Role.SOURCE, Role.GENERATED})
_Fact = TypeVar("_Fact")


def coverage(examined: Examined, today: dt.date) -> Coverage:
    """The receipt of one examined tree."""
    tree, facts = examined.tree, examined.gathered.facts
    asked = _known(facts, Vulnerabilities) or Vulnerabilities()
    resolved = _known(facts, Dependencies) or Dependencies()
    age = _age(asked.data_date, today)
    return Coverage(
        files_seen=len(tree.files) + len(tree.skipped) + len(tree.links),
        files_scanned=len(tree.files),
        bytes_scanned=sum(file.size for file in tree.files),
        skipped=tree.skipped,
        limited=examined.gathered.limited,
        limits=(*tree.limits, *_staleness(age)),
        unresolved=tuple(map(_unresolved, resolved.unresolved)),
        inline_suppressions=len(silenced_lines(examined)),
        advisories_date=asked.data_date[:10] or None,
        advisories_age_days=age,
    )


def inventory(examined: Examined) -> tuple[Package, ...]:
    """Every package the repository resolves, in order of files; none when nobody looked."""
    resolved = _known(examined.gathered.facts, Dependencies) or Dependencies()
    return tuple(
        Package(
            file=one.file,
            ecosystem=one.ecosystem,
            name=one.written,
            version=one.version,
            direct=one.direct,
            shipped=one.role in _SHIPPED and not one.dev,
            licence=one.licence,
        )
        for one in resolved.packages
    )


def silenced_lines(examined: Examined) -> frozenset[tuple[str, int]]:
    """Each ``(path, line)`` that carries an engine's in-line suppression."""
    found = _known(examined.gathered.facts, Markers) or Markers()
    return frozenset(
        (file.path, marker.line)
        for file in found.files
        for marker in file.of(MarkerKind.SUPPRESSION)
    )


def _known(facts: Mapping[type, Any], fact: type[_Fact]) -> _Fact | None:
    found = facts.get(fact)
    return found if isinstance(found, fact) else None


def _unresolved(one: Unresolved) -> Skipped:
    where = f"line {one.line}: " if one.line else ""
    return Skipped(one.file, f"{where}{one.text} ({one.why})")


def _age(date: str, today: dt.date) -> int | None:
    """Days since the newest advisory of the stalest ecosystem; None without a store."""
    return (today - dt.date.fromisoformat(date[:10])).days if date else None


def _staleness(age_days: int | None) -> tuple[str, ...]:
    """What is not known when the advisories are old; an old store is still better than none."""
    if age_days is None or age_days <= FRESH_DAYS:
        return ()
    return (f"advisories are {age_days} days old: newer vulnerabilities are not known",)
