"""The shapes of the API's SEO scan result (service specification, decisions)."""

from mergegate.site.seo.wire.shapes.console import QueryOut, SearchConsoleOut
from mergegate.site.seo.wire.shapes.crawlability import (
    CrawlabilityOut,
    CrawlerOut,
    RenderingOut,
    RobotsOut,
    RobotsProblemOut,
    RobotsRuleOut,
    SitemapOut,
    VariantOut,
)
from mergegate.site.seo.wire.shapes.findings import (
    DeductionOut,
    GapOut,
    KeywordOut,
    PassageOut,
    PointOut,
    ProposalOut,
    RecommendationOut,
    SuggestionsOut,
)
from mergegate.site.seo.wire.shapes.page import (
    AlternateOut,
    HeadingOut,
    PageDataOut,
    ResultPreviewOut,
    SharePreviewOut,
    SocialTagOut,
)
from mergegate.site.seo.wire.shapes.result import SeoResult, UnfinishedSeoResult

__all__ = [
    "AlternateOut",
    "CrawlabilityOut",
    "CrawlerOut",
    "DeductionOut",
    "GapOut",
    "HeadingOut",
    "KeywordOut",
    "PageDataOut",
    "PassageOut",
    "PointOut",
    "ProposalOut",
    "QueryOut",
    "RecommendationOut",
    "RenderingOut",
    "ResultPreviewOut",
    "RobotsOut",
    "RobotsProblemOut",
    "RobotsRuleOut",
    "SearchConsoleOut",
    "SeoResult",
    "SharePreviewOut",
    "SitemapOut",
    "SocialTagOut",
    "SuggestionsOut",
    "UnfinishedSeoResult",
    "VariantOut",
]
