"""The whole result, finished or not (service specification, decisions)."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.wire.camel import Camel
from mergegate.repo.wire.shapes import EngineOut, ErrorOut, Points
from mergegate.site.seo.wire.shapes.console import SearchConsoleOut
from mergegate.site.seo.wire.shapes.crawlability import CrawlabilityOut
from mergegate.site.seo.wire.shapes.fields import optional
from mergegate.site.seo.wire.shapes.findings import (
    DeductionOut,
    GapOut,
    KeywordOut,
    PointOut,
    SuggestionsOut,
)
from mergegate.site.seo.wire.shapes.page import PageDataOut, ResultPreviewOut, SharePreviewOut


class SeoResult(Camel):
    """GET /api/seo-optimizer; what follows ``competitorFindings`` is additive."""

    id: str
    status: Literal["running", "done", "failed"]
    score: Points
    page_data: PageDataOut
    findings: tuple[PointOut, ...]
    keyword_analyses: tuple[KeywordOut, ...]
    crawlability: CrawlabilityOut
    ai_suggestions: SuggestionsOut
    competitor_page_data: PageDataOut | SkipJsonSchema[None] = optional(
        "Present when a competitor was given and could be looked at."
    )
    competitor_findings: tuple[PointOut, ...] | SkipJsonSchema[None] = optional(
        "Present together with `competitorPageData`."
    )
    url: str
    score_breakdown: tuple[DeductionOut, ...]
    competitor_score: Points | SkipJsonSchema[None] = optional(
        "Present together with `competitorPageData`."
    )
    competitor_gaps: tuple[GapOut, ...] | SkipJsonSchema[None] = optional(
        "Present together with `competitorPageData`."
    )
    sent_page_data: PageDataOut | SkipJsonSchema[None] = optional(
        "The page before its scripts ran; present when it was rendered."
    )
    search_previews: tuple[ResultPreviewOut, ...]
    share_previews: Annotated[
        tuple[SharePreviewOut, ...], Field(description="A card by Open Graph, and what X makes.")
    ] = ()
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
    engines: tuple[EngineOut, ...]
    created_at: str
    completed_at: str
    tool_version: str


class UnfinishedSeoResult(Camel):
    """GET /api/seo-optimizer while a scan runs, or when it has failed."""

    id: str
    status: Literal["running", "failed"]
    url: str
    error: ErrorOut | SkipJsonSchema[None] = optional("Present when it has failed.")
    created_at: str
