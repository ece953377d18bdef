"""The API's repository scan result as a whole (service specification, decisions)."""

from typing import Literal

from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import EngineOut, ErrorOut, Points, VerdictOut
from mergegate.repo.wire.shapes import (
    ComparisonOut,
    CoverageOut,
    DeductionOut,
    FindingOut,
    FixOut,
    PackageOut,
    SuppressionOut,
    TargetOut,
    VulnerabilityOut,
)
from mergegate.site.deployment.wire import SiteOut


class RepositoryResult(Camel):
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
    site: SiteOut | None = None
    packages: tuple[PackageOut, ...] | None = None
    """The inventory, sorted by file; null from hosts of before, which did not tell."""
    error: ErrorOut | None
    created_at: str
    completed_at: str
    url: str | None
    tool_version: str
