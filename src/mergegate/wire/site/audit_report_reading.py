"""A whole website audit result in the flat shape → report; all of its text is hostile."""

from collections.abc import Mapping
from typing import get_args

from mergegate.model.budget import Budget, Device, Figures, Measured, Spread, Throttling, Violation
from mergegate.model.facts.lighthouse import Area, Detail, Frame, Load, Scores, Vendor
from mergegate.model.facts.stack import Technology
from mergegate.model.site.audit import (
    AuditReport,
    Difference,
    Duel,
    Issue,
    Range,
    Recommendation,
    SiteFix,
)
from mergegate.model.site.element import Element
from mergegate.model.site.level import Level
from mergegate.model.strict_json import strict_json
from mergegate.wire import budget
from mergegate.wire.site.audit_reading import AuditAnswer, read_audit
from mergegate.wire.site.audit_shapes import (
    AuditResult,
    Category,
    DetailOut,
    DifferenceOut,
    DuelOut,
    FiguresOut,
    IssueOut,
    RangeOut,
    RecommendationOut,
    SiteFixOut,
    SpreadOut,
)
from mergegate.wire.site.document_reading import LARGEST_BYTES, engine_runs, read_as

_AREAS: Mapping[str, Area] = dict(zip(get_args(Category), Area, strict=True))
_NEEDED = frozenset(
    field.serialization_alias
    for field in AuditResult.model_fields.values()
    if field.is_required() and field.serialization_alias
)
"""Fields of every whole result."""
_PLACE = ("selector", "snippet", "label")


def read_audit_report(content: bytes, held_to: Budget | None = None) -> AuditReport:
    """The report in ``content``; raises UsageError that names what is wrong.

    ``held_to`` is the budget that was sent, which the result does not repeat.
    """
    return read_as(content, AuditResult, lambda one: _report(one, held_to), "a website audit")


def read_either(content: bytes, held_to: Budget | None = None) -> AuditReport | AuditAnswer:
    """The report where ``content`` is a whole result, else what it tells, flat or nested.

    Other deployments of the specification send its fields alone. Raises UsageError.
    """
    try:
        document = strict_json(content[: LARGEST_BYTES + 1])
    except ValueError:
        document = None  # the reader says what is wrong
    is_whole = isinstance(document, dict) and document.keys() >= _NEEDED
    return read_audit_report(content, held_to) if is_whole else read_audit(content)


def _report(result: AuditResult, held_to: Budget | None) -> AuditReport:
    device, throttling = Device(result.device), Throttling(result.throttling)
    return AuditReport(
        id=result.report_id,
        url=result.url,
        final_url=result.final_url,
        device=device,
        throttling=throttling,
        scores=Scores(
            performance=result.performance_score,
            seo=result.seo_score,
            accessibility=result.accessibility_score,
            best_practices=result.best_practices_score,
        ),
        score_ranges={_AREAS[area]: _range(one) for area, one in result.score_ranges.items()},
        issues=tuple(map(_issue, result.issues)),
        recommendations=tuple(map(_recommendation, result.recommendations)),
        fixes=tuple(map(_fix, result.fixes)),
        summary=result.ai_summary,
        technologies=tuple(Technology(**one.model_dump()) for one in result.tech_stack),
        measured=Measured(device=device, throttling=throttling, figures=_figures(result.metrics)),
        spread=_spread(result.spread) if result.spread else None,
        budget=budget.parse(result.perf_budget.model_dump(by_alias=True)),
        violations=_violations(result),
        held_to=held_to if result.budget_violations is not None else None,
        duel=_duel(result.comparison) if result.comparison else None,
        vendors=tuple(Vendor(**one.model_dump()) for one in result.vendors),
        filmstrip=tuple(Frame(one.at_ms, one.image) for one in result.filmstrip),
        waterfall=tuple(Load(**one.model_dump()) for one in result.waterfall),
        warnings=result.warnings,
        runs=result.runs,
        engines=engine_runs(result.engines),
        created_at=result.created_at,
        completed_at=result.completed_at,
        tool_version=result.tool_version,
    )


def _issue(given: IssueOut) -> Issue:
    apart = {"rule_id", "severity", "category", "details"}
    return Issue(
        **given.model_dump(exclude=apart),
        rule=given.rule_id,
        level=Level(given.severity),
        area=_AREAS[given.category],
        details=tuple(map(_detail, given.details)),
    )


def _detail(given: DetailOut) -> Detail:
    place = {name: getattr(given, name) for name in _PLACE}
    return Detail(
        **given.model_dump(exclude=set(_PLACE)),
        element=Element(**place) if any(place.values()) else None,
    )


def _recommendation(given: RecommendationOut) -> Recommendation:
    return Recommendation(**given.model_dump(exclude={"category"}), area=_AREAS[given.category])


def _fix(given: SiteFixOut) -> SiteFix:
    return SiteFix(**given.model_dump())


def _figures(given: FiguresOut) -> Figures:
    return Figures(**{name: getattr(given, name) for name in FiguresOut.model_fields})


def _spread(given: SpreadOut) -> Spread:
    return Spread(
        runs=given.runs,
        lowest=_figures(given.lowest),
        highest=_figures(given.highest),
        vendors=frozenset(given.vendors),
    )


def _range(given: RangeOut) -> Range:
    return Range(given.lowest, given.highest)


def _violations(result: AuditResult) -> tuple[Violation, ...] | None:
    """Each with what ``violationDetails`` says of it at the same place."""
    if result.budget_violations is None:
        return None
    details = result.violation_details
    return tuple(
        Violation(**one.model_dump(), cause=more.cause, certain=more.certain)
        for one, more in zip(result.budget_violations, details, strict=True)
    )


def _duel(given: DuelOut) -> Duel:
    named = given.model_dump(exclude={"differences"})
    return Duel(**named, differences=tuple(map(_difference, given.differences)))


def _difference(given: DifferenceOut) -> Difference:
    ranges = {"before_range", "after_range"}
    return Difference(
        **given.model_dump(exclude=ranges | {"key"}),
        key=_AREAS.get(given.key, given.key),
        before_range=_range(given.before_range),
        after_range=_range(given.after_range),
    )
