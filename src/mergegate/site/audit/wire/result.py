"""Audit report → the API's website audit result, flat and nested (service specification)."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from enum import StrEnum

from mergegate.core.wire.camel import encodable
from mergegate.repo.wire.receipt import engine
from mergegate.site.audit.budget import Figures, Spread, Violation
from mergegate.site.audit.facts import Area, Detail, Vendor
from mergegate.site.audit.report import (
    AuditReport,
    Difference,
    Duel,
    Issue,
    Range,
    Recommendation,
    SiteFix,
)
from mergegate.site.audit.wire import budget
from mergegate.site.audit.wire.shapes import (
    AuditResult,
    Category,
    DetailOut,
    DifferenceOut,
    DuelOut,
    FiguresOut,
    FrameOut,
    IssueOut,
    LoadOut,
    NestedAuditResult,
    RangeOut,
    RecommendationOut,
    ScoresOut,
    SiteFixOut,
    SpreadOut,
    TechnologyOut,
    VendorOut,
    ViolationDetailOut,
)

_CATEGORIES: Mapping[Area, Category] = {
    Area.PERFORMANCE: "performance",
    Area.SEO: "seo",
    Area.ACCESSIBILITY: "accessibility",
    Area.BEST_PRACTICES: "bestPractices",
}


class Shape(StrEnum):
    """Which of the two given shapes."""

    FLAT = "flat"
    NESTED = "nested"


def to_json(report: AuditReport, shape: Shape = Shape.FLAT) -> str:
    """The result resource as indented JSON with a final line break."""
    made = result(report) if shape is Shape.FLAT else nested(report)
    return made.model_dump_json(by_alias=True, indent=2) + "\n"


def result(report: AuditReport) -> AuditResult:
    """The flat shape: every field of the specification, and what is known beyond it."""
    return AuditResult(
        report_id=report.id,
        url=report.url,
        performance_score=report.scores.performance,
        seo_score=report.scores.seo,
        accessibility_score=report.scores.accessibility,
        best_practices_score=report.scores.best_practices,
        issues=tuple(map(_issue, report.issues)),
        recommendations=tuple(map(_recommendation, report.recommendations)),
        fixes=tuple(map(_fix, report.fixes)),
        ai_summary=report.summary,
        tech_stack=tuple(TechnologyOut(**asdict(one)) for one in report.technologies),
        perf_budget=_budget(report),
        budget_violations=_violations(report),
        final_url=report.final_url,
        device=report.device.value,
        throttling=report.throttling.value,
        runs=report.runs,
        metrics=_figures(report.measured.figures),
        score_ranges={_CATEGORIES[area]: _range(one) for area, one in report.score_ranges.items()},
        spread=_spread(report.spread) if report.spread else None,
        violation_details=tuple(map(_violation_detail, report.violations or ())),
        comparison=_duel(report.duel) if report.duel else None,
        vendors=tuple(map(_vendor, report.vendors)),
        filmstrip=tuple(FrameOut(at_ms=one.at_ms, image=one.image) for one in report.filmstrip),
        waterfall=tuple(LoadOut(**asdict(one)) for one in report.waterfall),
        warnings=report.warnings,
        engines=tuple(map(engine, report.engines)),
        created_at=report.created_at,
        completed_at=report.completed_at,
        tool_version=report.tool_version,
    )


def nested(report: AuditReport) -> NestedAuditResult:
    """The nested shape, which has neither address nor budget."""
    scores = report.scores
    return NestedAuditResult(
        report_id=report.id,
        scores=ScoresOut(
            performance=scores.performance,
            seo=scores.seo,
            accessibility=scores.accessibility,
            best_practices=scores.best_practices,
        ),
        issues=tuple(map(_issue, report.issues)),
        fixes=tuple(map(_fix, report.fixes)),
        ai_summary=report.summary,
    )


def _issue(issue: Issue) -> IssueOut:
    return IssueOut(
        id=issue.id,
        rule_id=issue.rule,
        title=issue.title,
        message=issue.message,
        severity=issue.level.value,
        category=_CATEGORIES[issue.area],
        score=issue.score,
        points=issue.points,
        display_value=issue.display_value,
        details=tuple(map(_detail, issue.details)),
        rows=issue.rows,
        savings=dict(issue.savings),
        wasted_bytes=issue.wasted_bytes,
        references=issue.references,
        fix_id=issue.fix_id,
    )


def _detail(detail: Detail) -> DetailOut:
    element = detail.element
    return DetailOut(
        url=detail.url,
        line=detail.line,
        column=detail.column,
        selector=element.selector if element else "",
        snippet=element.snippet if element else "",
        label=element.label if element else "",
        text=detail.text,
        wasted_ms=detail.wasted_ms,
        wasted_bytes=detail.wasted_bytes,
        total_bytes=detail.total_bytes,
        vendor=detail.vendor,
    )


def _recommendation(one: Recommendation) -> RecommendationOut:
    return RecommendationOut(
        id=one.id,
        title=one.title,
        message=one.message,
        category=_CATEGORIES[one.area],
        impact=one.impact,
        issue_ids=one.issue_ids,
        savings=dict(one.savings),
        wasted_bytes=one.wasted_bytes,
    )


def _fix(fix: SiteFix) -> SiteFixOut:
    return SiteFixOut(
        id=fix.id,
        issue_ids=fix.issue_ids,
        title=fix.title,
        explanation=fix.explanation,
        language=fix.language,
        code=fix.code,
        technology=fix.technology,
        savings=dict(fix.savings),
    )


def _budget(report: AuditReport) -> budget.BudgetOut:
    vendors = tuple(map(_text, report.budget.vendors))
    return budget.shape(replace(report.budget, vendors=vendors))


def _violations(report: AuditReport) -> tuple[budget.ViolationOut, ...] | None:
    if report.violations is None:
        return None
    return budget.violations(
        replace(one, actual=_text(one.actual) if isinstance(one.actual, str) else one.actual)
        for one in report.violations
    )


def _text(hostile: str) -> str:
    return str(encodable(hostile))


def _violation_detail(violation: Violation) -> ViolationDetailOut:
    return ViolationDetailOut(
        key=str(violation.key), cause=violation.cause, certain=violation.certain
    )


def _figures(figures: Figures) -> FiguresOut:
    return FiguresOut(**asdict(figures))


def _spread(spread: Spread) -> SpreadOut:
    return SpreadOut(
        runs=spread.runs,
        lowest=_figures(spread.lowest),
        highest=_figures(spread.highest),
        vendors=tuple(sorted(spread.vendors)),
    )


def _range(one: Range) -> RangeOut:
    return RangeOut(lowest=one.lowest, highest=one.highest)


def _vendor(vendor: Vendor) -> VendorOut:
    return VendorOut(**asdict(vendor))


def _duel(duel: Duel) -> DuelOut:
    return DuelOut(
        against=duel.against,
        runs=duel.runs,
        differences=tuple(map(_difference, duel.differences)),
        new_vendors=duel.new_vendors,
        gone_vendors=duel.gone_vendors,
        new_issues=duel.new_issues,
        fixed_issues=duel.fixed_issues,
    )


def _difference(one: Difference) -> DifferenceOut:
    return DifferenceOut.model_validate(
        {
            "key": _CATEGORIES[Area(one.key)] if one.key in set(Area) else str(one.key),
            "before": one.before,
            "after": one.after,
            "before_range": _range(one.before_range),
            "after_range": _range(one.after_range),
            "verdict": one.verdict,
            "confidence": one.confidence,
        }
    )
