"""Report → the API's repository scan result, field for field (service specification, decisions)."""

from typing import Annotated, Literal

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from mergegate.model import report as told
from mergegate.model.finding import Finding
from mergegate.model.report import Gate, Report
from mergegate.model.tree import Skipped

Severity = Literal["critical", "high", "medium", "low", "info"]
Points = Annotated[int, Field(ge=0, le=100)]


class _Wire(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=AliasGenerator(serialization_alias=to_camel, validation_alias=to_camel),
        populate_by_name=True,
    )


class FindingOut(_Wire):
    """An element of ``issues`` and ``riskFindings``."""

    id: str
    rule_id: str
    title: str
    message: str
    severity: Severity
    category: str
    kind: str
    file: str
    start_line: int
    end_line: int
    start_column: int
    end_column: int
    snippet: str
    confidence: Literal["high", "medium", "low"]
    cwe: tuple[str, ...]
    references: tuple[str, ...]
    engine: str
    fix_id: str | None
    is_new: bool | None


class VulnerabilityOut(FindingOut):
    """An element of ``dependencyVulns``."""

    package: str
    ecosystem: str
    installed_version: str
    fixed_versions: tuple[str, ...]
    advisory_id: str
    aliases: tuple[str, ...]
    cvss: float | None
    epss: float | None
    known_exploited: bool
    direct: bool | None
    path: tuple[str, ...]


class EditOut(_Wire):
    """Replace whole lines, both included."""

    path: str
    start_line: int
    end_line: int
    replacement: str


class FixOut(_Wire):
    """An element of ``fixes``."""

    id: str
    finding_ids: tuple[str, ...]
    title: str
    explanation: str
    edits: tuple[EditOut, ...]
    source: Literal["rule", "advisory", "snippet", "model"]
    verified: tuple[str, ...]
    confidence: str


class TargetOut(_Wire):
    """What was scanned."""

    provider: str | None
    owner: str | None
    repo: str
    branch: str | None
    commit: str | None
    base: str | None


class DeductionOut(_Wire):
    """One line of ``scoreBreakdown``."""

    category: str
    finding_id: str
    title: str
    severity: Severity
    points: int
    counted: int
    cap: int
    cap_reached: bool


class EngineOut(_Wire):
    """How one engine's run ended."""

    name: str
    version: str
    status: str
    duration_ms: int
    files: int
    reason: str


class PlaceOut(_Wire):
    """A path and what is to be said of it."""

    path: str
    reason: str


class CoverageOut(_Wire):
    """What was seen."""

    files_seen: int
    files_scanned: int
    bytes_scanned: int
    skipped: tuple[PlaceOut, ...]
    limited: tuple[PlaceOut, ...]
    limits: tuple[str, ...]
    unresolved_dependencies: tuple[PlaceOut, ...]
    inline_suppressions: int
    advisories_date: str | None


class SuppressionOut(_Wire):
    """A finding that was set aside."""

    finding: FindingOut
    reason: str
    owner: str
    expires: str
    source: Literal["policy", "inline"]


class VerdictOut(_Wire):
    """A gate with its reasons and the way out."""

    gate: Literal["passed", "failed", "incomplete"]
    reasons: tuple[str, ...]
    way_out: tuple[str, ...]


class ComparisonOut(_Wire):
    """The change against its base."""

    base: str
    verdict: VerdictOut
    score: Points
    new: int
    existing: int
    fixed: tuple[FindingOut, ...]


class ErrorOut(_Wire):
    """Why the scan failed."""

    code: str
    detail: str


class RepositoryResult(_Wire):
    """GET /api/repo/result."""

    id: str
    status: Literal["running", "completed", "failed"]
    score: Points
    quality_gate: Literal["passed", "failed"]
    issues: tuple[FindingOut, ...]
    fixes: tuple[FixOut, ...]
    risk_findings: tuple[FindingOut, ...]
    dependency_vulns: tuple[VulnerabilityOut, ...]
    ai_summary: str
    summary_source: Literal["template", "model"]
    target: TargetOut
    verdict: VerdictOut
    score_breakdown: tuple[DeductionOut, ...]
    engines: tuple[EngineOut, ...]
    coverage: CoverageOut
    suppressed: tuple[SuppressionOut, ...]
    comparison: ComparisonOut | None
    error: ErrorOut | None
    created_at: str
    completed_at: str
    url: str | None
    tool_version: str


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
        engines=tuple(map(_engine, report.engines)),
        coverage=_coverage(report.coverage),
        suppressed=tuple(map(_suppression, report.suppressed)),
        comparison=_comparison(report.comparison),
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


def _engine(run: told.EngineRun) -> EngineOut:
    return EngineOut(
        name=run.name,
        version=run.version,
        status=run.status.value,
        duration_ms=run.duration_ms,
        files=run.files,
        reason=run.reason,
    )


def _coverage(seen: told.Coverage) -> CoverageOut:
    return CoverageOut(
        files_seen=seen.files_seen,
        files_scanned=seen.files_scanned,
        bytes_scanned=seen.bytes_scanned,
        skipped=_places(seen.skipped),
        limited=_places(seen.limited),
        limits=seen.limits,
        unresolved_dependencies=_places(seen.unresolved),
        inline_suppressions=seen.inline_suppressions,
        advisories_date=seen.advisories_date,
    )


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
    )


def _error(report: Report) -> ErrorOut:
    return ErrorOut(code="INCOMPLETE", detail=". ".join(report.verdict.reasons))
