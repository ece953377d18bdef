"""The parts of the API's SEO scan result, but for ``crawlability`` (service specification)."""

from typing import Annotated, Any, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.core.wire.parts import Severity
from mergegate.site.seo.facts import QueryRow
from mergegate.site.seo.report import Gap, Passage, Point, Proposal, Recoverable, SeoReport

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


class SharePreviewOut(Camel):
    """How a network would show a link to the page, by estimate."""

    network: Annotated[str, Field(description="`Open Graph` or `X`.")]
    large: Annotated[bool, Field(description="Whether the picture stands above the text.")]
    title: str
    description: str
    host: str
    image: Annotated[str, Field(description="Its address; empty when there is none.")]


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
    hreflang: Annotated[
        tuple[AlternateOut, ...],
        Field(description="Of the head, of `Link` headers and of sitemaps, at most 100."),
    ]
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
    rule: str = Field(alias="ruleId")
    severity: Severity
    theme: Theme = Field(alias="category")
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

    @classmethod
    def _fields_of(cls, value: Point) -> dict[str, Any]:
        return super()._fields_of(value) | {"references": (value.source,) if value.source else ()}

    def _made(self) -> dict[str, Any]:
        return {"source": next(iter(self.references), "")}


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


class RecommendationOut(Camel):
    """An element of ``recommendations``."""

    title: str
    message: str
    point_ids: tuple[str, ...] = Field(alias="findingIds")
    gain: Annotated[Count, Field(description="What the score gains.")]


class ProposalOut(Camel, of=Proposal):
    """An element of ``proposals``: in nothing but words of the page."""

    kind: Literal["title", "description"]


class PassageOut(Camel, of=Passage):
    """An element of ``passages``: text that an answer can quote whole."""

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


class GapOut(Camel, of=Gap):
    """An element of ``competitorGaps``: what the competitor has and the page has less of."""


class QueryOut(Camel):
    """An element of ``queries``."""

    query: str
    clicks: Figure
    impressions: Figure
    ctr: Share
    position: Figure
    expected_ctr: Annotated[Share, Field(description="At that position on average, an estimate.")]
    recoverable_clicks: Annotated[Figure, Field(description="What is missing to it.")]

    @classmethod
    def _fields_of(cls, value: Recoverable) -> dict[str, Any]:
        return super()._fields_of(value.row) | {
            "expected_ctr": value.expected_ctr,
            "recoverable_clicks": round(value.clicks, 1),
        }


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
    notes: Annotated[tuple[str, ...], Field(description="Which part of it there is not.")] = ()

    @classmethod
    def _fields_of(cls, value: SeoReport) -> dict[str, Any]:
        return super()._fields_of(value.console) | {"queries": value.queries}

    def _made(self) -> dict[str, Any]:
        return {"rows": tuple(one.build(QueryRow) for one in self.queries)}

    def recoverable(self) -> tuple[Recoverable, ...]:
        """What each query brings, against what its position lets expect."""
        return tuple(
            one.build(Recoverable, row=row, clicks=one.recoverable_clicks)
            for one, row in zip(self.queries, self._made()["rows"], strict=True)
        )
