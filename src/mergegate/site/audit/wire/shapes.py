"""The shapes of the API's website audit result (service specification, decisions)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.wire.camel import Camel
from mergegate.repo.wire.shapes import EngineOut
from mergegate.site.audit.wire.budget import BudgetOut, Number, ViolationOut

Score = Annotated[int, Field(ge=0, le=100)] | None
"""None where Lighthouse gave none: 0 would be a judgement."""
Category = Literal["performance", "seo", "accessibility", "bestPractices"]


class DetailOut(Camel):
    """One place that an issue is about; all of its text comes from the page."""

    url: str
    line: int | None
    column: int | None
    selector: str
    snippet: str
    label: str
    text: str
    wasted_ms: float | None
    wasted_bytes: int | None
    total_bytes: int | None
    vendor: str | None


class IssueOut(Camel):
    """An element of ``issues``."""

    id: str
    rule_id: str
    title: str
    message: str
    severity: Literal["error", "warning"]
    category: Category
    score: Score
    points: float
    display_value: str
    details: tuple[DetailOut, ...]
    rows: int
    savings: Mapping[str, float]
    wasted_bytes: int
    references: tuple[str, ...]
    fix_id: str | None


class RecommendationOut(Camel):
    """An element of ``recommendations``."""

    id: str
    title: str
    message: str
    category: Category
    impact: str
    issue_ids: tuple[str, ...]
    savings: Mapping[str, float]
    wasted_bytes: int


class SiteFixOut(Camel):
    """An element of ``fixes``."""

    id: str
    issue_ids: tuple[str, ...]
    title: str
    explanation: str
    language: str
    code: str
    technology: str
    savings: Mapping[str, float]


class TechnologyOut(Camel):
    """An element of ``techStack``."""

    name: str
    categories: tuple[str, ...]
    version: str
    confidence: int
    website: str


class FiguresOut(Camel):
    """What was measured, named as in ``perfBudget``: milliseconds, ``cls`` without a unit."""

    lcp: Number
    tbt: Number
    cls: Number
    fcp: Number
    transfer_bytes: int
    script_bytes: int
    request_count: int


class SpreadOut(Camel):
    """How far the runs lie apart."""

    runs: int
    lowest: FiguresOut
    highest: FiguresOut
    vendors: tuple[str, ...]


class RangeOut(Camel):
    """The least and the most over several runs."""

    lowest: Number
    highest: Number


class ViolationDetailOut(Camel):
    """What is known of the element of ``budgetViolations`` at the same place."""

    key: str
    cause: str
    certain: bool


class VendorOut(Camel):
    """A third party."""

    name: str
    category: str
    homepage: str
    requests: int
    transfer_bytes: int
    main_thread_ms: float
    hosts: tuple[str, ...]


class DifferenceOut(Camel):
    """One figure, or score, of the page against the page before the change."""

    key: str
    before: Number
    after: Number
    before_range: RangeOut
    after_range: RangeOut
    verdict: Literal["better", "worse", "same", "unsure"]
    confidence: float


class DuelOut(Camel):
    """``comparison``: what the change does."""

    against: str
    runs: int
    differences: tuple[DifferenceOut, ...]
    new_vendors: tuple[str, ...]
    gone_vendors: tuple[str, ...]
    new_issues: tuple[str, ...]
    fixed_issues: tuple[str, ...]


class FrameOut(Camel):
    """An element of ``filmstrip``: a data URI."""

    at_ms: int
    image: str


class LoadOut(Camel):
    """An element of ``waterfall``; times in milliseconds since navigation."""

    url: str
    kind: str
    status: int
    start_ms: float
    end_ms: float
    transfer_bytes: int
    resource_bytes: int
    priority: str
    protocol: str
    vendor: str | None


def _was_not_asked_for(violations: object) -> bool:
    return violations is None


def _without_default(schema: dict[str, Any]) -> None:
    """What is left out has no value, and so not the null that stands for it in here."""
    schema.pop("default")


class AuditResult(Camel):
    """POST /api/audit, flat; what follows ``budgetViolations`` is additive."""

    report_id: str
    url: str
    performance_score: Score
    seo_score: Score
    accessibility_score: Score
    best_practices_score: Score
    issues: tuple[IssueOut, ...]
    recommendations: tuple[RecommendationOut, ...]
    fixes: tuple[SiteFixOut, ...]
    ai_summary: str
    tech_stack: tuple[TechnologyOut, ...]
    perf_budget: BudgetOut
    budget_violations: tuple[ViolationOut, ...] | SkipJsonSchema[None] = Field(
        default=None, exclude_if=_was_not_asked_for, json_schema_extra=_without_default
    )
    """Present when a budget was sent, then also when it is empty; never null."""
    summary_source: Literal["template", "model"] = "template"
    final_url: str
    device: Literal["mobile", "desktop"]
    throttling: Literal["simulate", "devtools", "provided"]
    runs: int
    metrics: FiguresOut
    score_ranges: Mapping[Category, RangeOut]
    spread: SpreadOut | None
    violation_details: tuple[ViolationDetailOut, ...]
    comparison: DuelOut | None
    vendors: tuple[VendorOut, ...]
    filmstrip: tuple[FrameOut, ...]
    waterfall: tuple[LoadOut, ...]
    warnings: tuple[str, ...]
    engines: tuple[EngineOut, ...]
    created_at: str
    completed_at: str
    tool_version: str


class ScoresOut(Camel):
    """``scores`` of the nested shape."""

    performance: Score
    seo: Score
    accessibility: Score
    best_practices: Score


class NestedAuditResult(Camel):
    """POST /api/audit, nested: these five fields and no other (specification)."""

    report_id: str
    scores: ScoresOut
    issues: tuple[IssueOut, ...]
    fixes: tuple[SiteFixOut, ...]
    ai_summary: str
