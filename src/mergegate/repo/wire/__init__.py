"""Report → the API's repository scan result, field for field (service specification, decisions)."""

from collections.abc import Iterator

from mergegate.core import report as told
from mergegate.core.finding import Finding
from mergegate.core.package import Package
from mergegate.core.report import Gate, Report
from mergegate.core.tree import Skipped
from mergegate.core.wire.parts import ErrorOut, VerdictOut
from mergegate.repo.wire.reading import LARGEST_BYTES, read
from mergegate.repo.wire.receipt import engine
from mergegate.repo.wire.results import RepositoryResult
from mergegate.repo.wire.shapes import (
    ComparisonOut,
    CoverageOut,
    DeductionOut,
    EditOut,
    FindingOut,
    FixOut,
    PackageOut,
    PlaceOut,
    SuppressionOut,
    TargetOut,
    VulnerabilityOut,
)
from mergegate.site.deployment import wire

__all__ = ["LARGEST_BYTES", "RepositoryResult", "read", "result", "to_json"]

MOST_PACKAGES = 50_000
"""Half of what a reader takes for one list; a result of so many still fits into its bytes."""


def result(report: Report) -> RepositoryResult:
    """The result resource; an incomplete scan is ``failed`` and its gate never ``passed``."""
    incomplete = report.verdict.gate is Gate.INCOMPLETE
    return RepositoryResult(
        id=report.id,
        status="failed" if incomplete else "completed",
        score=report.ledger.score,
        quality_gate="passed" if report.verdict.gate is Gate.PASSED else "failed",
        issues=tuple(map(_finding, report.issues)),
        fixes=tuple(map(_fix, report.fixes)),
        risk_findings=tuple(map(_finding, report.risks)),
        dependency_vulns=tuple(map(_vulnerability, report.vulnerabilities)),
        ai_summary=report.summary,
        summary_source="template",
        target=_target(report.target),
        verdict=_verdict(report.verdict),
        score_breakdown=_breakdown(report.ledger),
        engines=tuple(map(engine, report.engines)),
        coverage=_coverage(report.coverage, len(report.packages)),
        suppressed=tuple(map(_suppression, report.suppressed)),
        comparison=_comparison(report.comparison),
        site=wire.shape(report.site),
        packages=tuple(map(_package, report.packages[:MOST_PACKAGES])),
        error=_error(report) if incomplete else None,
        created_at=report.created_at,
        completed_at=report.completed_at,
        url=None,
        tool_version=report.tool_version,
    )


def to_json(report: Report) -> str:
    """The result resource as indented JSON with a final line break."""
    return result(report).model_dump_json(by_alias=True, indent=2) + "\n"


def _finding(finding: Finding) -> FindingOut:
    return FindingOut.model_validate(_fields(finding))


def _vulnerability(finding: Finding) -> VulnerabilityOut:
    advisory = finding.advisory
    if advisory is None:
        raise ValueError(f"{finding.rule_id} is no vulnerability of a dependency")
    names = VulnerabilityOut.model_fields.keys() - FindingOut.model_fields.keys()
    return VulnerabilityOut.model_validate(
        _fields(finding) | {name: getattr(advisory, name) for name in names}
    )


def _fields(finding: Finding) -> dict[str, object]:
    place = finding.place
    return {
        "id": finding.id,
        "rule_id": finding.rule_id,
        "title": finding.title,
        "message": finding.message,
        "severity": finding.severity.label,
        "category": finding.category.value,
        "kind": finding.kind.value,
        "file": place.file,
        "start_line": place.start_line,
        "end_line": place.end_line,
        "start_column": place.start_column,
        "end_column": place.end_column,
        "snippet": finding.snippet,
        "confidence": finding.confidence.label,
        "cwe": finding.cwe,
        "references": finding.references,
        "engine": finding.engine,
        "fix_id": finding.fix_id,
        "is_new": finding.is_new,
    }


def _fix(fix: told.Fix) -> FixOut:
    return FixOut.model_validate(
        {
            "id": fix.id,
            "finding_ids": fix.finding_ids,
            "title": fix.title,
            "explanation": fix.explanation,
            "edits": [
                EditOut(
                    path=edit.path,
                    start_line=edit.start_line,
                    end_line=edit.end_line,
                    replacement=edit.replacement,
                )
                for edit in fix.edits
            ],
            "source": fix.source,
            "verified": fix.verified,
            "confidence": fix.confidence,
        }
    )


def _target(target: told.Target) -> TargetOut:
    return TargetOut(
        provider=target.provider,
        owner=target.owner,
        repo=target.repo,
        branch=target.branch,
        commit=target.commit,
        base=target.base,
        head=target.head,
    )


def _verdict(verdict: told.Verdict) -> VerdictOut:
    return VerdictOut(gate=verdict.gate.value, reasons=verdict.reasons, way_out=verdict.way_out)


def _breakdown(ledger: told.Ledger) -> tuple[DeductionOut, ...]:
    totals = {subtotal.category: subtotal for subtotal in ledger.subtotals}
    return tuple(
        DeductionOut.model_validate(
            {
                "category": line.category.value,
                "finding_id": line.finding_id,
                "title": line.title,
                "severity": line.severity.label,
                "points": line.points,
                "counted": line.counted,
                "cap": totals[line.category].cap,
                "cap_reached": totals[line.category].capped,
            }
        )
        for line in ledger.deductions
    )


def _package(package: Package) -> PackageOut:
    return PackageOut(
        file=package.file,
        ecosystem=package.ecosystem,
        name=package.name,
        version=package.version,
        direct=package.direct,
        shipped=package.shipped,
        licence=package.licence,
    )


def _coverage(seen: told.Coverage, packages: int) -> CoverageOut:
    return CoverageOut(
        files_seen=seen.files_seen,
        files_scanned=seen.files_scanned,
        bytes_scanned=seen.bytes_scanned,
        skipped=_places(seen.skipped),
        limited=_places(seen.limited),
        limits=(*seen.limits, *_left_out(packages)),
        unresolved_dependencies=_places(seen.unresolved),
        inline_suppressions=seen.inline_suppressions,
        advisories_date=seen.advisories_date,
    )


def _left_out(packages: int) -> Iterator[str]:
    """What the inventory does not say of itself when it is cut."""
    if packages > MOST_PACKAGES:
        yield f"of {packages:,} packages the first {MOST_PACKAGES:,} are listed"


def _places(skipped: tuple[Skipped, ...]) -> tuple[PlaceOut, ...]:
    return tuple(PlaceOut(path=one.path, reason=one.reason) for one in skipped)


def _suppression(aside: told.Suppression) -> SuppressionOut:
    return SuppressionOut.model_validate(
        {
            "finding": _finding(aside.finding),
            "reason": aside.reason,
            "owner": aside.owner,
            "expires": aside.expires,
            "source": aside.source,
        }
    )


def _comparison(comparison: told.Comparison | None) -> ComparisonOut | None:
    if comparison is None:
        return None
    return ComparisonOut(
        base=comparison.base,
        verdict=_verdict(comparison.verdict),
        score=comparison.ledger.score,
        new=comparison.new,
        existing=comparison.existing,
        fixed=tuple(map(_finding, comparison.fixed)),
        drifted=comparison.drifted,
    )


def _error(report: Report) -> ErrorOut:
    return ErrorOut(code="INCOMPLETE", detail=f"{'. '.join(report.verdict.reasons)}.")
