"""The API's repository scan result → report; the text is hostile, so the verdict is drawn anew.

A result that another machine sends is data: its findings are taken, its score and gate are not.
"""

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.package import Package
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import (
    Comparison,
    Coverage,
    Fix,
    Ledger,
    Report,
    Section,
    Suppression,
    Verdict,
)
from mergegate.core.score import draw_up, judge
from mergegate.core.wire.foreign_json import LARGEST_BYTES
from mergegate.core.wire.parts import engine_runs, read_as
from mergegate.repo.wire import doubts
from mergegate.repo.wire.shapes import ComparisonOut, FindingOut, RepositoryResult

__all__ = ["LARGEST_BYTES", "read", "read_answer", "report"]

_WHAT = "a repository scan"


SectionReader = Callable[[Mapping[str, Any]], Section]
"""The section that its JSON tells of; raises ValueError for JSON that no section writes."""


def no_section(_: Mapping[str, Any]) -> Section:
    """For results that have none; raises ValueError."""
    raise ValueError("it has a section that is not expected")


def read(content: bytes, section: SectionReader = no_section) -> Report:
    """The report in ``content``; raises UsageError that says what is wrong with it."""
    build = partial(report, section=section)
    return read_as(content, RepositoryResult, build, _WHAT, extra="forbid")


def read_answer(
    content: bytes,
    engines: Collection[str] = (),
    *,
    section: SectionReader = no_section,
    inventory: bool = False,
) -> Report:
    """As :func:`read`, for what a host answers: a field that a later release added is left out.

    Without a word of one of ``engines`` the scan is incomplete; with ``inventory`` it has to list
    the packages, which hosts of before did not.
    """

    def build(result: RepositoryResult) -> Report:
        if inventory and result.packages is None:
            raise ValueError("it does not list the packages")
        return report(result, engines, section=section)

    return read_as(content, RepositoryResult, build, _WHAT)


def report(
    result: RepositoryResult, engines: Collection[str] = (), *, section: SectionReader = no_section
) -> Report:
    """The report that ``result`` tells of; raises ValueError for what no scan writes."""
    if result.status == "running":
        raise ValueError("the scan is not over")
    issues, risks = _findings(result.issues), _findings(result.risks)
    vulnerabilities = _findings(result.vulnerabilities)
    findings = (*issues, *risks, *vulnerabilities)
    runs = engine_runs(result.engines)
    unrun = doubts.gaps(result, runs, engines)
    comparison = _comparison(result.comparison, findings, unrun)
    suppressed = tuple(one.build(Suppression) for one in result.suppressed)
    fixed = comparison.fixed if comparison else ()
    doubts.check(findings, [*fixed, *(one.finding for one in suppressed)])
    ledger = draw_up(findings, REPOSITORY)
    claims = (result.quality_gate, result.verdict.gate)
    return result.build(
        Report,
        verdict=_verdict(findings, ledger, unrun, claims),
        ledger=ledger,
        issues=issues,
        risks=risks,
        vulnerabilities=vulnerabilities,
        fixes=tuple(doubts.sound((one.build(Fix) for one in result.fixes), findings)),
        suppressed=suppressed,
        engines=runs,
        coverage=_coverage(result),
        comparison=comparison,
        site=None if result.site is None else section(result.site),
        packages=tuple(one.build(Package) for one in result.packages or ()),
    )


def _verdict(
    findings: Sequence[Finding], ledger: Ledger, unrun: Sequence[Unrun], claims: Collection[str]
) -> Verdict:
    """Drawn anew; what is claimed counts only against itself."""
    drawn = judge(findings, ledger, REPOSITORY, unrun)
    doubt = doubts.unexplained(claims, drawn)
    return judge(findings, ledger, REPOSITORY, doubt) if doubt else drawn


def _findings(given: Sequence[FindingOut]) -> tuple[Finding, ...]:
    return tuple(one.build(Finding) for one in given)


def _coverage(result: RepositoryResult) -> Coverage:
    age = _days(result.coverage.advisories_date, result.completed_at)
    return result.coverage.build(Coverage, advisories_age_days=age)


def _days(since: str | None, until: str) -> int | None:
    if since is None:
        return None
    first, last = (dt.date.fromisoformat(moment[:10]) for moment in (since, until))
    return (last - first).days


def _comparison(
    given: ComparisonOut | None, findings: Sequence[Finding], unrun: Sequence[Unrun]
) -> Comparison | None:
    if given is None:
        return None
    if any(one.is_new is None for one in findings):
        raise ValueError("a finding does not say whether it is new")
    new = [finding for finding in findings if finding.is_new]
    ledger = draw_up(new, REPOSITORY)
    gaps = doubts.gaps_of_change(given.verdict, unrun)
    return given.build(
        Comparison,
        new=len(new),
        existing=len(findings) - len(new),
        fixed=_findings(given.fixed),
        verdict=_verdict(new, ledger, gaps, (given.verdict.gate,)),
        ledger=ledger,
        drifted=doubts.became_known(given.drifted, findings),
    )
