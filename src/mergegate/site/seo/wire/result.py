"""The API's SEO scan result, finished or not: written and read (service specification, decisions).

A result that another machine sends is data: its score is never better than its findings make it.
"""

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.wire.camel import Camel, optional
from mergegate.core.wire.parts import EngineOut, ErrorOut, Gaps, Points, engine_runs, read_as
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.render.images import LARGEST, embedded
from mergegate.site.seo.facts import SearchConsole
from mergegate.site.seo.report import (
    CrawlerPolicy,
    Deduction,
    Gap,
    PageData,
    Passage,
    Point,
    Proposal,
    Recommendation,
    SeoReport,
    Theme,
    draw_up,
)
from mergegate.site.seo.wire.crawlability import CrawlabilityOut
from mergegate.site.seo.wire.shapes import (
    DeductionOut,
    GapOut,
    KeywordOut,
    PageDataOut,
    PointOut,
    ResultPreviewOut,
    SearchConsoleOut,
    SharePreviewOut,
    SuggestionsOut,
)

_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+={0,2})")
_FOUND = 200
_WITH_COMPETITOR = "Present together with `competitorPageData`."


class SeoResult(Camel):
    """GET /api/seo-optimizer; what follows ``competitorFindings`` is additive."""

    id: str
    status: Literal["running", "done", "failed"]
    score: Points
    page: PageDataOut = Field(alias="pageData")
    points: tuple[PointOut, ...] = Field(alias="findings")
    keywords: tuple[KeywordOut, ...] = Field(alias="keywordAnalyses")
    crawlability: CrawlabilityOut
    ai_suggestions: SuggestionsOut
    competitor_page: PageDataOut | SkipJsonSchema[None] = optional(
        "Present when a competitor was given and could be looked at.", "competitorPageData"
    )
    competitor_points: tuple[PointOut, ...] | SkipJsonSchema[None] = optional(
        _WITH_COMPETITOR, "competitorFindings"
    )
    url: str
    deductions: tuple[DeductionOut, ...] = Field(alias="scoreBreakdown")
    competitor_score: Points | SkipJsonSchema[None] = optional(_WITH_COMPETITOR)
    competitor_gaps: tuple[GapOut, ...] | SkipJsonSchema[None] = optional(_WITH_COMPETITOR)
    sent_page: PageDataOut | SkipJsonSchema[None] = optional(
        "The page before its scripts ran; present when it was rendered.", "sentPageData"
    )
    results: tuple[ResultPreviewOut, ...] = Field(alias="searchPreviews")
    shares: tuple[SharePreviewOut, ...] = Field(
        (), alias="sharePreviews", description="A card by Open Graph, and what X makes."
    )
    share_picture: str | SkipJsonSchema[None] = optional(
        "The picture of a shared link as a data URI: PNG, JPEG, GIF or WebP; present when it "
        "could be had and is not too large."
    )
    search_console: SearchConsoleOut | SkipJsonSchema[None] = optional(
        "Present when Search Console is connected."
    )
    skipped: Annotated[
        tuple[str, ...], Field(description="What disturbs the picture, or is missing from it.")
    ]
    gaps: Gaps = ()
    engines: tuple[EngineOut, ...]
    created_at: str
    completed_at: str
    tool_version: str

    @classmethod
    def _fields_of(cls, value: SeoReport) -> dict[str, Any]:
        alone = dict.fromkeys(("competitor_points", "competitor_score", "competitor_gaps"))
        return super()._fields_of(value) | {
            "status": "done",
            "crawlability": value,
            "ai_suggestions": value,
            "share_picture": embedded(value.facts.social_image) or None,
            "search_console": value if value.console else None,
            **({} if value.competitor_page else alone),
        }

    def report(self) -> SeoReport:
        """The report that this tells of; raises ValueError for a scan that is not done."""
        if self.status != "done":
            raise ValueError("status is not done")
        page, told, console = self.page.build(PageData), self.ai_suggestions, self.search_console
        points = tuple(one.build(Point) for one in self.points)
        score, deductions = self._score(points)
        facts = self.crawlability.facts(
            self.url,
            page,
            social_image=_picture(self.share_picture or ""),
            console=console.build(SearchConsole) if console else None,
        )
        return self.build(
            SeoReport,
            score=score,
            facts=facts,
            points=points,
            passages=tuple(one.build(Passage) for one in told.passages),
            crawlers=tuple(one.build(CrawlerPolicy) for one in self.crawlability.crawlers),
            recommendations=tuple(one.build(Recommendation) for one in told.recommendations),
            competitor_points=tuple(one.build(Point) for one in self.competitor_points or ()),
            competitor_gaps=tuple(one.build(Gap) for one in self.competitor_gaps or ()),
            deductions=deductions,
            page=page,
            proposals=tuple(one.build(Proposal) for one in told.proposals),
            queries=console.recoverable() if console else (),
            summary=told.summary,
            engines=engine_runs(self.engines),
        )

    def _score(self, points: Sequence[Point]) -> tuple[int, tuple[Deduction, ...]]:
        """The stored score and deductions, but never a better score than the findings give."""
        drawn, deductions = draw_up(points)
        if drawn < self.score:
            return drawn, deductions
        told = ((Theme(one.category), one.points, one.counted) for one in self.deductions)
        return self.score, tuple(told)


class UnfinishedSeoResult(Camel):
    """GET /api/seo-optimizer while a scan runs, or when it has failed."""

    id: str
    status: Literal["running", "failed"]
    url: str
    error: ErrorOut | SkipJsonSchema[None] = optional("Present when it has failed.")
    created_at: str


def to_json(report: SeoReport) -> str:
    """The result resource as indented JSON with a final line break."""
    return SeoResult.model_validate(report).model_dump_json(by_alias=True, indent=2) + "\n"


def read_seo(content: bytes) -> SeoReport:
    """The report in ``content``, of a scan that is done; raises UsageError."""
    return read_as(content, SeoResult, SeoResult.report, "a finished SEO analysis")


def _picture(uri: str) -> Fetched | None:
    """The picture; None for other data. Its unpacked size is checked where it is shown."""
    found = _PICTURE.fullmatch(uri) if len(uri) <= LARGEST else None
    try:
        image = base64.b64decode(found[1], validate=True) if found else b""
    except binascii.Error:
        return None
    return Fetched(url="", answers=(Answer(url="", status=_FOUND),), body=image) if image else None
