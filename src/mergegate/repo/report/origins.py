"""Which findings a change brings, which were published since its base, which it found there."""

from dataclasses import dataclass

from mergegate.core.finding import Finding
from mergegate.core.report import Report


@dataclass(frozen=True, slots=True)
class Origins:
    """The findings of a report, each in one place and worst first."""

    brought: tuple[Finding, ...]
    """By the change; without a base all of them."""
    drifted: tuple[Finding, ...] = ()
    """Their advisories are younger than the base: not the change's doing."""
    existing: tuple[Finding, ...] = ()


def origins(report: Report) -> Origins:
    """The findings that count, by where they come from."""
    findings, comparison = report.findings, report.comparison
    if comparison is None:
        return Origins(findings)
    late = frozenset(comparison.drifted)
    return Origins(
        brought=tuple(one for one in findings if one.is_new and one.id not in late),
        drifted=tuple(one for one in findings if one.id in late),
        existing=tuple(one for one in findings if not one.is_new and one.id not in late),
    )
