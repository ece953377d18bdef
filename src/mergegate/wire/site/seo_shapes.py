"""The shapes of the API's SEO scan result (service specification, decisions)."""

from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.wire.camel import Camel
from mergegate.wire.shapes import EngineOut, ErrorOut, Points, Severity

Count = Annotated[int, Field(ge=0)]
Figure = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Theme = Literal[
    "indexing",
    "page",
    "content",
    "links",
    "images",
    "social",
    "structured-data",
    "ai-search",
    "trust",
]


def _is_absent(value: object) -> bool:
    return value is None


def _without_default(schema: dict[str, Any]) -> None:
    """What is left out has no value, and so not the null that stands for it in here."""
    schema.pop("default")


def _optional(description: str) -> Any:
    """A field that is there or left out, and never null."""
    return Field(
        default=None,
        exclude_if=_is_absent,
        json_schema_extra=_without_default,
        description=description,
    )


class HeadingOut(Camel):
    """An element of ``headings``."""

    level: Annotated[int, Field(ge=1, le=6)]
    text: str


class AlternateOut(Camel):
    """A translation that the page names."""

    language: Annotated[str, Field(description="As the page writes it: `de-AT`, `x-default`.")]
    url: str


class SocialTagOut(Camel):
    """An element for previews when the page is shared."""

    name: Annotated[str, Field(description="`og:title`, `twitter:card`…")]
    content: str


class ResultPreviewOut(Camel):
    """How a result of a search engine would show the page; an estimate by the width of letters."""

    device: Literal["desktop", "mobile"]
    title: Annotated[str, Field(description="Cut as it would be there.")]
    title_cut: bool
    description: Annotated[
        str, Field(description="Cut likewise; text of the page where it offers no description.")
    ]
    description_cut: bool
    place: Annotated[str, Field(description="Host and path as they are shown.")]


class PageDataOut(Camel):
    """``pageData`` and ``competitorPageData``: one page in figures and in its own words.

    Every text is the page's own: show it as text.
    """

    url: Annotated[str, Field(description="Where its redirects ended.")]
    status: Annotated[int | None, Field(description="HTTP status of the last answer.")]
    redirects: Annotated[Count, Field(description="Hops before it.")]
    first_byte_ms: Annotated[
        Count, Field(description="From the last request to the head of its answer.")
    ]
    html_bytes: Annotated[Count, Field(description="Of the document, unpacked.")]
    wire_bytes: Annotated[Count, Field(description="Of the document, as it was sent.")]
    rendered: Annotated[bool, Field(description="Whether its scripts had run.")]
    title: str
    title_px: Annotated[Count, Field(description="Its width in a search result, an estimate.")]
    description: Annotated[str, Field(description="Content of the description element.")]
    description_px: Count
    headings: Annotated[tuple[HeadingOut, ...], Field(description="In their order, at most 100.")]
    heading_count: Count
    canonical: Annotated[
        str, Field(description="The one address that it names; empty for none or several.")
    ]
    robots: Annotated[
        tuple[str, ...],
        Field(description="Directives for search engines, of elements and `X-Robots-Tag`."),
    ]
    language: Annotated[str, Field(description="As the root element declares it.")]
    text_language: Annotated[str, Field(description="ISO 639-1, as its text reads; may be empty.")]
    viewport: str
    hreflang: tuple[AlternateOut, ...]
    social: tuple[SocialTagOut, ...]
    words: Annotated[
        Count, Field(description="Of its visible text; an estimate in scripts without spaces.")
    ]
    paragraphs: Count
    internal_links: Count
    external_links: Count
    nofollow_links: Count
    images: Count
    images_without_alt: Annotated[Count, Field(description="Without the attribute.")]
    schema_types: Annotated[tuple[str, ...], Field(description="Of schema.org, each once.")]
    published: Annotated[str, Field(description="ISO date; empty when unknown.")]
    modified: Annotated[str, Field(description="ISO date; empty when unknown.")]
    authors: tuple[str, ...]


class PointOut(Camel):
    """An element of ``findings`` and ``competitorFindings``."""

    id: Annotated[str, Field(description="Equal in every scan of this page, under whatever host.")]
    rule_id: str
    severity: Severity
    category: Theme
    ground: Annotated[
        Literal["documented", "studied", "heuristic"],
        Field(description="What it rests on; `heuristic` ones do not count in the score."),
    ]
    title: str
    message: str
    url: str
    selector: Annotated[str, Field(description="Of its element; empty where it has none.")]
    evidence: str
    remedy: Annotated[str, Field(description="What to change, one sentence.")]
    snippet: Annotated[str, Field(description="The same, ready to paste; may be empty.")]
    references: Annotated[tuple[str, ...], Field(description="What it rests on.")]
    count: Annotated[Count, Field(description="How often it stands on the page.")]


class KeywordOut(Camel):
    """An element of ``keywordAnalyses``."""

    keyword: str
    count: Count
    words: Count
    density: Annotated[Figure, Field(description="Percent of the page's words.")]
    in_title: bool
    in_description: bool
    in_h1: bool
    in_headings: Annotated[Count, Field(description="Headings below the first that hold it.")]
    in_first_paragraph: bool
    in_url: bool
    in_alt: Annotated[Count, Field(description="Images.")]
    in_anchors: Annotated[Count, Field(description="Links.")]
    stuffed: bool
    advice: tuple[str, ...]


class RobotsRuleOut(Camel):
    """The rule of robots.txt that decided."""

    allow: bool
    pattern: str
    line: Count


class RobotsProblemOut(Camel):
    """Something wrong with robots.txt; ``line`` 0 is the whole file."""

    line: Count
    problem: str


class RobotsOut(Camel):
    """``robots``: robots.txt of the page's origin."""

    url: str
    state: Literal["present", "absent", "unreachable", "not robots"]
    status: int | None
    sitemaps: tuple[str, ...]
    problems: tuple[RobotsProblemOut, ...]


class SitemapOut(Camel):
    """An element of ``sitemaps``: one that was fetched."""

    url: str
    source: Annotated[str, Field(description="What names it.")]
    status: int | None
    kind: Annotated[
        Literal["urlset", "index", "text", ""], Field(description="Empty when it is none.")
    ]
    entries: Count
    lists_page: bool
    page_lastmod: str
    problems: tuple[str, ...]


class CrawlerOut(Camel):
    """An element of ``crawlers``: what one crawler is told and gets."""

    token: str
    operator: str
    purpose: Literal["search", "training", "user", "control"]
    allowed: Annotated[bool, Field(description="By robots.txt.")]
    rule: Annotated[
        RobotsRuleOut | None, Field(description="What decided; null where no rule matched.")
    ]
    asked: Annotated[bool, Field(description="Whether the page was asked for under its name.")]
    status: Annotated[int | None, Field(description="What the server answered to that name.")]
    same_text: Annotated[
        bool | None,
        Field(description="Whether it got what a browser gets; null when that cannot be told."),
    ]


class VariantOut(Camel):
    """An element of ``variants``: another spelling of the page's address."""

    url: str
    status: int | None
    leads_to: str


class RenderingOut(Camel):
    """``rendering``: what scripts bring; present when the page was rendered."""

    failure: Annotated[str, Field(description="Why it was not; then the rest is as it was sent.")]
    words_sent: Count
    words_rendered: Count
    links_sent: Count
    links_rendered: Count
    title_sent: str
    description_sent: str
    headings_sent: Count
    headings_rendered: Count
    schema_types_sent: tuple[str, ...]


class CrawlabilityOut(Camel):
    """``crawlability``: whether and how crawlers get to the page."""

    indexable: Annotated[
        bool, Field(description="False when a documented, critical finding keeps it out of search.")
    ]
    reasons: Annotated[tuple[str, ...], Field(description="Why it is not.")]
    redirect_chain: Annotated[
        tuple[str, ...], Field(description="Every address on the way, the page's own last.")
    ]
    robots: Annotated[RobotsOut | None, Field(description="Null when it was not asked for.")]
    sitemaps: tuple[SitemapOut, ...]
    in_sitemap: bool
    crawlers: tuple[CrawlerOut, ...]
    canonical_status: Annotated[
        int | None, Field(description="What the canonical address answers, when it is another.")
    ]
    variants: tuple[VariantOut, ...]
    unknown_address_status: Annotated[
        int | None, Field(description="What an address that nobody made answers; 404 is right.")
    ]
    llms_txt_status: Annotated[
        int | None, Field(description="Of /llms.txt, which no search engine asks for.")
    ]
    rendering: RenderingOut | SkipJsonSchema[None] = _optional("Present when it was rendered.")
    notes: Annotated[tuple[str, ...], Field(description="What could not be looked at.")]


class RecommendationOut(Camel):
    """An element of ``recommendations``."""

    title: str
    message: str
    finding_ids: tuple[str, ...]
    gain: Annotated[Count, Field(description="What the score gains.")]


class ProposalOut(Camel):
    """An element of ``proposals``: in nothing but words of the page."""

    kind: Literal["title", "description"]
    text: str
    taken_from: str
    snippet: str


class PassageOut(Camel):
    """An element of ``passages``: text that an answer can quote whole."""

    heading: str
    text: str
    words: Count


class SuggestionsOut(Camel):
    """``aiSuggestions``."""

    summary: str
    summary_source: Literal["template", "model"] = "template"
    recommendations: Annotated[
        tuple[RecommendationOut, ...], Field(description="What gains most comes first.")
    ]
    proposals: tuple[ProposalOut, ...]
    passages: tuple[PassageOut, ...]


class DeductionOut(Camel):
    """An element of ``scoreBreakdown``: what one theme takes off 100."""

    category: Theme
    points: Annotated[Count, Field(description="Before its cap.")]
    counted: Annotated[Count, Field(description="After it.")]


class GapOut(Camel):
    """An element of ``competitorGaps``: what the competitor has and the page has less of."""

    kind: str
    what: str
    ours: str
    theirs: str


class QueryOut(Camel):
    """An element of ``queries``."""

    query: str
    clicks: Figure
    impressions: Figure
    ctr: Share
    position: Figure
    expected_ctr: Annotated[Share, Field(description="At that position on average, an estimate.")]
    recoverable_clicks: Annotated[Figure, Field(description="What is missing to it.")]


class SearchConsoleOut(Camel):
    """``searchConsole``: what Google says of the page."""

    property: str
    start: str
    end: str
    clicks: Figure
    impressions: Figure
    queries: Annotated[
        tuple[QueryOut, ...], Field(description="Most recoverable clicks first, then most clicks.")
    ]
    verdict: str
    coverage: str
    indexing_state: str
    robots_state: str
    fetch_state: str
    google_canonical: str
    user_canonical: str
    last_crawl: str
    failure: Annotated[str, Field(description="Why there is nothing of it.")]


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
    competitor_page_data: PageDataOut | SkipJsonSchema[None] = _optional(
        "Present when a competitor was given and could be looked at."
    )
    competitor_findings: tuple[PointOut, ...] | SkipJsonSchema[None] = _optional(
        "Present together with `competitorPageData`."
    )
    url: str
    score_breakdown: tuple[DeductionOut, ...]
    competitor_score: Points | SkipJsonSchema[None] = _optional(
        "Present together with `competitorPageData`."
    )
    competitor_gaps: tuple[GapOut, ...] | SkipJsonSchema[None] = _optional(
        "Present together with `competitorPageData`."
    )
    search_previews: tuple[ResultPreviewOut, ...]
    search_console: SearchConsoleOut | SkipJsonSchema[None] = _optional(
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
    error: ErrorOut | SkipJsonSchema[None] = _optional("Present when it has failed.")
    created_at: str
