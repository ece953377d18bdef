"""The parts of the API's website audit result (service specification, decisions)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.site.audit.budget import Spread
from mergegate.site.audit.facts import Area, Detail
from mergegate.site.audit.wire.budget import Number
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


class IssueOut(Camel):
    """An element of ``issues``."""

    id: str
    rule: str = Field(alias="ruleId")
    title: str
    message: str
    level: Literal["error", "warning"] = Field(alias="severity")
    area: Category = Field(alias="category")
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
    area: Category = Field(alias="category")
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

    @classmethod
    def _fields_of(cls, value: Spread) -> dict[str, Any]:
        return super()._fields_of(value) | {"vendors": tuple(sorted(value.vendors))}


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

    def _made(self) -> dict[str, Any]:
        return {"key": {area.label: area for area in Area}.get(self.key, self.key)}


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
