"""A whole website audit result in the flat shape → report; all of its text is hostile."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import get_args

from mergegate.core.wire.foreign_json import foreign_json
from mergegate.sandbox.web.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Budget,
    Figures,
    Measured,
    Spread,
    Violation,
)
from mergegate.site.audit.facts import Area, Detail, Frame, Load, Scores, Vendor
from mergegate.site.audit.report import (
    AuditReport,
    Difference,
    Duel,
    Issue,
    Range,
    Recommendation,
    SiteFix,
)
from mergegate.site.audit.score.budget import compare
from mergegate.site.audit.wire import budget
from mergegate.site.audit.wire.reading import AuditAnswer, read_audit
from mergegate.site.audit.wire.shapes import (
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
from mergegate.site.element import Element
from mergegate.site.level import Level
from mergegate.site.stack.facts import Technology
from mergegate.site.wire.document_reading import engine_runs, read_as

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
        document = foreign_json(content)
    except ValueError:
        document = None  # the reader says what is wrong
    is_whole = isinstance(document, dict) and document.keys() >= _NEEDED
    return read_audit_report(content, held_to) if is_whole else read_audit(content)


def _report(result: AuditResult, held_to: Budget | None) -> AuditReport:
    device, throttling = Device(result.device), Throttling(result.throttling)
    measured = _measured(result)
    spread = _spread(result.spread) if result.spread else None
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
        measured=measured,
        spread=spread,
        budget=budget.parse(result.perf_budget.model_dump(by_alias=True)),
        violations=_violations(result, held_to, measured, spread),
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


def _measured(result: AuditResult) -> Measured:
    """A budget that is derived allows every third party that was met."""
    vendors = {*result.perf_budget.vendors, *(one.name for one in result.vendors)}
    return Measured(
        device=Device(result.device),
        throttling=Throttling(result.throttling),
        figures=_figures(result.metrics),
        vendors=tuple(sorted(vendors)),
    )


def _violations(
    result: AuditResult, held_to: Budget | None, measured: Measured, spread: Spread | None
) -> tuple[Violation, ...] | None:
    """As they are told, then what the figures make of the budget that was sent and nobody tells.

    A host that is silent on one, or calls it noise, would else pass the gate.
    """
    if result.budget_violations is None:
        return None
    drawn = {_mark(one): one for one in (compare(held_to, measured, spread) if held_to else ())}
    pairs = [(one, drawn.pop(_mark(one), one)) for one in _told(result)]
    told = (replace(one, certain=one.certain or it.certain) for one, it in pairs)
    return (*told, *drawn.values())


def _told(result: AuditResult) -> Iterator[Violation]:
    """Each with what ``violationDetails`` says of it at the same place."""
    details = result.violation_details
    for one, more in zip(result.budget_violations or (), details, strict=True):
        yield Violation(**one.model_dump(), cause=more.cause, certain=more.certain)


def _mark(violation: Violation) -> tuple[str, str]:
    """Which figure it is, or which third party."""
    return violation.key, violation.actual if isinstance(violation.actual, str) else ""


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
