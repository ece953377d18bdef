"""The API's repository scan result → report; the text is hostile, so the verdict is drawn anew.

A result that another machine sends is data: its findings are taken, its score and gate are not.
"""

import datetime as dt
from collections.abc import Collection, Sequence

from mergegate.core import report as told
from mergegate.core.check import Unrun
from mergegate.core.finding import Advisory, Edit, Finding, Place
from mergegate.core.package import Package
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Ledger, Report, Verdict
from mergegate.core.score.gate import judge
from mergegate.core.score.ledger import draw_up
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Skipped
from mergegate.core.wire.foreign_json import LARGEST_BYTES
from mergegate.core.wire.reading import engine_runs, read_as
from mergegate.repo.wire import doubts
from mergegate.repo.wire.results import RepositoryResult
from mergegate.repo.wire.shapes import (
    ComparisonOut,
    CoverageOut,
    FindingOut,
    FixOut,
    PackageOut,
    PlaceOut,
    SuppressionOut,
    VulnerabilityOut,
)
from mergegate.site.deployment import wire

__all__ = ["LARGEST_BYTES", "read", "read_answer", "report"]

_WHAT = "a repository scan"


def read(content: bytes) -> Report:
    """The report in ``content``; raises UsageError that says what is wrong with it."""
    return read_as(content, RepositoryResult, report, _WHAT, extra="forbid")


def read_answer(
    content: bytes, engines: Collection[str] = (), *, inventory: bool = False
) -> Report:
    """As :func:`read`, for what a host answers: a field that a later release added is left out.

    Without a word of one of ``engines`` the scan is incomplete; with ``inventory`` it has to list
    the packages, which hosts of before did not.
    """

    def build(result: RepositoryResult) -> Report:
        if inventory and result.packages is None:
            raise ValueError("it does not list the packages")
        return report(result, engines)

    return read_as(content, RepositoryResult, build, _WHAT)


def report(result: RepositoryResult, engines: Collection[str] = ()) -> Report:
    """The report that ``result`` tells of; raises ValueError for what no scan writes."""
    if result.status == "running":
        raise ValueError("the scan is not over")
    issues, risks = _findings(result.issues), _findings(result.risk_findings)
    vulnerabilities = tuple(map(_finding, result.dependency_vulns))
    findings = (*issues, *risks, *vulnerabilities)
    runs = engine_runs(result.engines)
    unrun = doubts.gaps(result, runs, engines)
    comparison = _comparison(result.comparison, findings, unrun)
    suppressed = tuple(map(_suppression, result.suppressed))
    fixed = comparison.fixed if comparison else ()
    doubts.check(findings, [*fixed, *(one.finding for one in suppressed)])
    ledger = draw_up(findings, REPOSITORY)
    claims = (result.quality_gate, result.verdict.gate)
    return Report(
        target=told.Target(**result.target.model_dump()),
        verdict=_verdict(findings, ledger, unrun, claims),
        ledger=ledger,
        issues=issues,
        risks=risks,
        vulnerabilities=vulnerabilities,
        fixes=tuple(doubts.sound(map(_fix, result.fixes), findings)),
        suppressed=suppressed,
        engines=runs,
        coverage=_coverage(result.coverage, result.completed_at),
        summary=result.ai_summary,
        comparison=comparison,
        site=wire.read(result.site),
        packages=tuple(map(_package, result.packages or ())),
        id=result.id,
        created_at=result.created_at,
        completed_at=result.completed_at,
        tool_version=result.tool_version,
    )


def _verdict(
    findings: Sequence[Finding], ledger: Ledger, unrun: Sequence[Unrun], claims: Collection[str]
) -> Verdict:
    """Drawn anew; what is claimed counts only against itself."""
    drawn = judge(findings, ledger, REPOSITORY, unrun)
    doubt = doubts.unexplained(claims, drawn)
    return judge(findings, ledger, REPOSITORY, doubt) if doubt else drawn


def _findings(given: Sequence[FindingOut]) -> tuple[Finding, ...]:
    return tuple(map(_finding, given))


def _finding(given: FindingOut) -> Finding:
    return Finding(
        rule_id=given.rule_id,
        title=given.title,
        message=given.message,
        severity=Severity.named(given.severity),
        category=Category(given.category),
        kind=Kind(given.kind),
        place=Place(
            given.file, given.start_line, given.end_line, given.start_column, given.end_column
        ),
        confidence=Confidence[given.confidence.upper()],
        cwe=given.cwe,
        references=given.references,
        engine=given.engine,
        advisory=_advisory(given) if isinstance(given, VulnerabilityOut) else None,
        snippet=given.snippet,
        id=given.id,
        is_new=given.is_new,
        fix_id=given.fix_id,
    )


def _advisory(given: VulnerabilityOut) -> Advisory:
    names = VulnerabilityOut.model_fields.keys() - FindingOut.model_fields.keys()
    return Advisory(**{name: getattr(given, name) for name in names})


def _fix(given: FixOut) -> told.Fix:
    fields = given.model_dump(exclude={"edits"})
    edits = tuple(
        Edit(edit.path, edit.start_line, edit.end_line, edit.replacement) for edit in given.edits
    )
    return told.Fix(**fields, edits=edits)


def _suppression(given: SuppressionOut) -> told.Suppression:
    fields = given.model_dump(exclude={"finding"})
    return told.Suppression(**fields, finding=_finding(given.finding))


def _package(given: PackageOut) -> Package:
    names = PackageOut.model_fields
    return Package(**{name: getattr(given, name) for name in names})


def _coverage(given: CoverageOut, completed_at: str) -> told.Coverage:
    return told.Coverage(
        files_seen=given.files_seen,
        files_scanned=given.files_scanned,
        bytes_scanned=given.bytes_scanned,
        skipped=_skipped(given.skipped),
        limited=_skipped(given.limited),
        limits=given.limits,
        unresolved=_skipped(given.unresolved_dependencies),
        inline_suppressions=given.inline_suppressions,
        advisories_date=given.advisories_date,
        advisories_age_days=_days(given.advisories_date, completed_at),
    )


def _days(since: str | None, until: str) -> int | None:
    if since is None:
        return None
    first, last = (dt.date.fromisoformat(moment[:10]) for moment in (since, until))
    return (last - first).days


def _skipped(given: Sequence[PlaceOut]) -> tuple[Skipped, ...]:
    return tuple(Skipped(one.path, one.reason) for one in given)


def _comparison(
    given: ComparisonOut | None, findings: Sequence[Finding], unrun: Sequence[Unrun]
) -> told.Comparison | None:
    if given is None:
        return None
    if any(one.is_new is None for one in findings):
        raise ValueError("a finding does not say whether it is new")
    new = [finding for finding in findings if finding.is_new]
    ledger = draw_up(new, REPOSITORY)
    gaps = doubts.gaps_of_change(given.verdict, unrun)
    return told.Comparison(
        base=given.base,
        new=len(new),
        existing=len(findings) - len(new),
        fixed=_findings(given.fixed),
        verdict=_verdict(new, ledger, gaps, (given.verdict.gate,)),
        ledger=ledger,
        drifted=doubts.became_known(given.drifted, findings),
    )
