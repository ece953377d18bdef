"""The shapes of the API's repository scan result (service specification, decisions)."""

from typing import Annotated, Literal

from pydantic import AliasGenerator, BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

Severity = Literal["critical", "high", "medium", "low", "info"]
Points = Annotated[int, Field(ge=0, le=100)]


class _Wire(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=AliasGenerator(serialization_alias=to_camel, validation_alias=to_camel),
        populate_by_name=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _encodable(cls, fields: object) -> object:
        """Half a surrogate pair, as a hostile lock file may name a package, is no UTF-8."""
        if not isinstance(fields, dict):
            return fields
        return {name: _encodable(value) for name, value in fields.items()}


def _encodable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, tuple):
        return tuple(map(_encodable, value))
    return value


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
    head: str | None


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
    remedy: str


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
    drifted: tuple[str, ...]


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
