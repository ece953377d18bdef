"""The API's website audit result, flat and nested: written and read (service specification).

A result that another machine sends is data: its budget is held against its own figures.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.strict_json import foreign_json
from mergegate.core.wire.camel import Camel, optional
from mergegate.core.wire.parts import EngineOut, Gaps, engine_runs, read_as
from mergegate.site.audit.budget import Budget, Figures, Measured, Spread, Violation, compare
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
from mergegate.site.audit.wire import budget
from mergegate.site.audit.wire.budget import BudgetOut, Number, ViolationOut
from mergegate.site.audit.wire.reading import AuditAnswer, read_audit
from mergegate.site.facts.stack import Technology
from mergegate.site.level import Element

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

    @classmethod
    def _fields_of(cls, value: Detail) -> dict[str, Any]:
        element = value.element or Element("")
        return super()._fields_of(element) | super()._fields_of(value)

    def _made(self) -> dict[str, Any]:
        element = Element(self.selector, self.snippet, self.label)
        return {"element": element if element != Element("") else None}


class IssueOut(Camel, of=Issue):
    """An element of ``issues``."""

    rule: str = Field(alias="ruleId")
    level: Literal["error", "warning", "info"] = Field(alias="severity")
    area: Category = Field(alias="category")
    score: Score
    details: tuple[DetailOut, ...]


class RecommendationOut(Camel, of=Recommendation):
    """An element of ``recommendations``."""

    area: Category = Field(alias="category")


class SiteFixOut(Camel, of=SiteFix):
    """An element of ``fixes``."""


class TechnologyOut(Camel, of=Technology):
    """An element of ``techStack``."""


class FiguresOut(Camel, of=Figures):
    """What was measured, named as in ``perfBudget``: milliseconds, ``cls`` without a unit."""

    lcp: Number
    tbt: Number
    cls: Number
    fcp: Number


class SpreadOut(Camel):
    """How far the runs lie apart."""

    runs: int
    lowest: FiguresOut
    highest: FiguresOut
    vendors: tuple[str, ...]

    @classmethod
    def _fields_of(cls, value: Spread) -> dict[str, Any]:
        return super()._fields_of(value) | {"vendors": tuple(sorted(value.vendors))}


class RangeOut(Camel, of=Range):
    """The least and the most over several runs."""

    lowest: Number
    highest: Number


class ViolationDetailOut(Camel):
    """What is known of the element of ``budgetViolations`` at the same place."""

    key: str
    cause: str
    certain: bool


class VendorOut(Camel, of=Vendor):
    """A third party."""

    name: str


class DifferenceOut(Camel, of=Difference):
    """One figure, or score, of the page against the page before the change."""

    key: str
    before: Number
    after: Number
    before_range: RangeOut
    after_range: RangeOut
    verdict: Literal["better", "worse", "same", "unsure"]

    def _made(self) -> dict[str, Any]:
        return {"key": {area.label: area for area in Area}.get(self.key, self.key)}


class DuelOut(Camel, of=Duel):
    """``comparison``: what the change does."""

    differences: tuple[DifferenceOut, ...]


class FrameOut(Camel, of=Frame):
    """An element of ``filmstrip``: a data URI."""


class LoadOut(Camel, of=Load):
    """An element of ``waterfall``; times in milliseconds since navigation."""


class Shape(StrEnum):
    """Which of the two given shapes."""

    FLAT = "flat"
    NESTED = "nested"


class AuditResult(Camel):
    """POST /api/audit, flat; what follows ``budgetViolations`` is additive."""

    id: str = Field(alias="reportId")
    url: str
    performance_score: Score
    seo_score: Score
    accessibility_score: Score
    best_practices_score: Score
    issues: tuple[IssueOut, ...]
    recommendations: tuple[RecommendationOut, ...]
    fixes: tuple[SiteFixOut, ...]
    summary: str = Field(alias="aiSummary")
    technologies: tuple[TechnologyOut, ...] = Field(alias="techStack")
    budget: BudgetOut = Field(alias="perfBudget")
    violations: tuple[ViolationOut, ...] | SkipJsonSchema[None] = optional(alias="budgetViolations")
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
    duel: DuelOut | None = Field(alias="comparison")
    vendors: tuple[VendorOut, ...]
    filmstrip: tuple[FrameOut, ...]
    waterfall: tuple[LoadOut, ...]
    warnings: tuple[str, ...]
    gaps: Gaps = ()
    engines: tuple[EngineOut, ...]
    created_at: str
    completed_at: str
    tool_version: str

    @classmethod
    def _fields_of(cls, value: AuditReport) -> dict[str, Any]:
        found = value.violations
        return super()._fields_of(value) | {
            **{f"{name}_score": score for name, score in asdict(value.scores).items()},
            "budget": budget.shape(value.budget),
            "violations": None if found is None else budget.violations(found),
            "metrics": value.measured.figures,
            "score_ranges": {area.label: it for area, it in value.score_ranges.items()},
            "violation_details": found or (),
        }

    def report(self, held_to: Budget | None = None) -> AuditReport:
        """The report that this tells of; ``held_to`` is the budget that was sent."""
        scores = {name: getattr(self, f"{name}_score") for name in ScoresOut.model_fields}
        asked = self.violations is not None
        measured = self._measured()
        spread = self.spread.build(Spread) if self.spread else None
        return self.build(
            AuditReport,
            scores=Scores(**scores),
            score_ranges={
                Area.named(name): one.build(Range) for name, one in self.score_ranges.items()
            },
            measured=measured,
            spread=spread,
            budget=budget.parse(self.budget.model_dump(by_alias=True)),
            violations=self._violations(held_to, measured, spread) if asked else None,
            held_to=held_to if asked else None,
            engines=engine_runs(self.engines),
        )

    def _measured(self) -> Measured:
        """A budget that is derived allows every third party that was met."""
        vendors = {*self.budget.vendors, *(one.name for one in self.vendors)}
        return self.build(
            Measured, figures=self.metrics.build(Figures), vendors=tuple(sorted(vendors))
        )

    def _violations(
        self, held_to: Budget | None, measured: Measured, spread: Spread | None
    ) -> tuple[Violation, ...]:
        """The host's violations, then those that the figures show and the host leaves out.

        A host that is silent on one, or calls it noise, would else pass the gate.
        """
        drawn = {_mark(one): one for one in (compare(held_to, measured, spread) if held_to else ())}
        pairs = [(one, drawn.pop(_mark(one), one)) for one in self._told()]
        told = (replace(one, certain=one.certain or it.certain) for one, it in pairs)
        return (*told, *drawn.values())

    def _told(self) -> Iterator[Violation]:
        """The host's violations, each joined with its entry of ``violationDetails``."""
        for one, more in zip(self.violations or (), self.violation_details, strict=True):
            yield Violation(**one.model_dump(), cause=more.cause, certain=more.certain)


class ScoresOut(Camel):
    """``scores`` of the nested shape."""

    performance: Score
    seo: Score
    accessibility: Score
    best_practices: Score


class NestedAuditResult(Camel):
    """POST /api/audit, nested: these five fields and no other (specification)."""

    id: str = Field(alias="reportId")
    scores: ScoresOut
    issues: tuple[IssueOut, ...]
    fixes: tuple[SiteFixOut, ...]
    summary: str = Field(alias="aiSummary")


_NEEDED = frozenset(
    field.serialization_alias
    for field in AuditResult.model_fields.values()
    if field.is_required() and field.serialization_alias
)
"""Fields of every whole result."""


def to_json(report: AuditReport, shape: Shape = Shape.FLAT) -> str:
    """The result resource as indented JSON with a final line break."""
    kind = AuditResult if shape is Shape.FLAT else NestedAuditResult
    return kind.model_validate(report).model_dump_json(by_alias=True, indent=2) + "\n"


def read_audit_report(content: bytes, held_to: Budget | None = None) -> AuditReport:
    """The report in ``content``; raises UsageError that names what is wrong.

    ``held_to`` is the budget that was sent, which the result does not repeat.
    """
    return read_as(content, AuditResult, lambda one: one.report(held_to), "a website audit")


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


def _mark(violation: Violation) -> tuple[str, str]:
    """Which figure it is, or which third party."""
    return violation.key, violation.actual if isinstance(violation.actual, str) else ""
