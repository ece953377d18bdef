"""The report of an SEO analysis, what it shows of a page, and the score of its points.

What comes from pages is hostile. docs/scoring.md ("SEO analysis") explains the score.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.site.report import SiteReport
from mergegate.site.seo.facts import DATA, CrawlerAnswer, QueryRow, SearchConsole, SearchFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """One page in figures and in its own words."""

    url: str = ""
    """The address where the redirects ended."""
    status: int | None = None
    redirects: int = 0
    first_byte_ms: int = 0
    """Milliseconds from the last request to the head of its answer."""
    html_bytes: int = 0
    wire_bytes: int = 0
    """The size of the HTML as it was sent."""
    rendered: bool = False
    """Whether its scripts had run."""
    title: str = ""
    title_px: int = 0
    """Wide in a search result, an estimate."""
    description: str = ""
    description_px: int = 0
    headings: tuple[tuple[int, str], ...] = ()
    """Level and text, the first few."""
    heading_count: int = 0
    canonical: str = ""
    """The one address it names; empty for none, or for several."""
    robots: tuple[str, ...] = ()
    """Directives for search engines, of elements and headers: ``noindex``, ``max-snippet:50``."""
    language: str = ""
    """The language that the root element declares."""
    text_language: str = ""
    """ISO 639-1, as its text reads."""
    viewport: str = ""
    hreflang: tuple[tuple[str, str], ...] = ()
    """Language and address."""
    social: tuple[tuple[str, str], ...] = ()
    """Names and contents of Open Graph and card elements, the first of each name."""
    words: int = 0
    """Words in the visible text; an estimate in scripts without spaces."""
    paragraphs: int = 0
    internal_links: int = 0
    external_links: int = 0
    nofollow_links: int = 0
    images: int = 0
    images_without_alt: int = 0
    """The attribute is missing; an empty one marks a decoration."""
    schema_types: tuple[str, ...] = ()
    """The schema.org types, each once, in order of appearance."""
    published: str = ""
    """ISO date."""
    modified: str = ""
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPreview:
    """How a result of a search engine would show the page, by estimate."""

    device: str
    """``desktop`` or ``mobile``."""
    title: str
    """Cut as there."""
    title_cut: bool = False
    description: str = ""
    description_cut: bool = False
    place: str = ""
    """Host and path as they are shown: ``example.org › guides › tea``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePreview:
    """How a network would show a link to the page."""

    network: str
    """``Open Graph`` or ``X``."""
    large: bool
    """Whether the picture stands above the text."""
    title: str
    description: str
    host: str
    image: str = ""
    """Its address; empty when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A better title or description, in nothing but words of the page."""

    kind: str
    """``title`` or ``description``."""
    text: str
    taken_from: str
    """The part of the page that the words come from."""
    snippet: str
    """Ready to paste."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recoverable:
    """What a query brings, against what its position lets expect."""

    row: QueryRow
    expected_ctr: float
    """0 to 1; what results at that position get on average."""
    clicks: float
    """What is missing, in the days that count; an estimate, never below 0."""


class Theme(StrEnum):
    """What a cap of the score applies to (docs/scoring.md)."""

    INDEXING = "indexing"
    """Status, robots, canonical, sitemaps, redirects."""
    PAGE = "page"
    """Title, description, headings, language, viewport, addresses, weight."""
    CONTENT = "content"
    """Depth, readability, duplicates, keywords."""
    LINKS = "links"
    IMAGES = "images"
    SOCIAL = "social"
    STRUCTURED_DATA = "structured-data"
    AI_SEARCH = "ai-search"
    """Crawlers of assistants, quotable passages, facts and sources."""
    TRUST = "trust"
    """Experience, expertise, authority, trust."""


class Ground(StrEnum):
    """What a finding rests on."""

    DOCUMENTED = "documented"
    """A search engine or a standard says so."""
    STUDIED = "studied"
    """A published study found it."""
    HEURISTIC = "heuristic"
    """Experience; the score does not count it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that costs visibility; its text is hostile."""

    id: str
    """Stable: rule, stable place and evidence."""
    theme: Theme
    rule: str
    """Kebab-case: ``title-missing``, ``blocked-by-robots``…"""
    severity: Severity
    ground: Ground
    title: str
    """A few words; what is wrong."""
    message: str
    """One or two sentences: what is wrong, and what it costs."""
    url: str
    selector: str = ""
    evidence: str = ""
    remedy: str = ""
    """What to change, one sentence."""
    snippet: str = ""
    """The same, ready to paste."""
    source: str = ""
    """The address of what it rests on."""
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordAnalysis:
    """The places where one keyword stands, and how often."""

    keyword: str
    count: int
    """Occurrences in the text as whole words; letter case and accents' encoding are ignored."""
    words: int
    """Words in the page's text."""
    density: float
    """Percent: the keyword's words of all words."""
    in_title: bool
    in_description: bool
    in_h1: bool
    in_headings: int
    """Headings below the first that hold it."""
    in_first_paragraph: bool
    in_url: bool
    in_alt: int
    in_anchors: int
    stuffed: bool = False
    advice: tuple[str, ...] = ()
    """What to change, each one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of text that an answer can quote whole."""

    heading: str
    text: str
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that the competitor has and the page has not, or has less of."""

    kind: str
    """``term``, ``schema``, ``depth``, ``heading``, ``speed``, ``media`` or ``links``."""
    what: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """What to do next, and which points that ends."""

    title: str
    message: str
    point_ids: tuple[str, ...] = ()
    gain: int = 0
    """What the score gains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlerPolicy:
    """What one crawler is told and gets."""

    token: str
    operator: str
    purpose: str
    """``search``, ``training``, ``user`` (on a person's request) or ``control`` (a word in
    robots.txt that no crawler calls itself)."""
    allowed: bool
    """Whether robots.txt allows it the page."""
    answer: CrawlerAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeoReport(SiteReport):
    """Everything a renderer may show of an SEO analysis."""

    score: int
    facts: SearchFacts
    points: tuple[Point, ...] = ()
    """Worst first, in a fixed order."""
    keywords: tuple[KeywordAnalysis, ...] = ()
    passages: tuple[Passage, ...] = ()
    crawlers: tuple[CrawlerPolicy, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    competitor: SearchFacts | None = None
    competitor_score: int | None = None
    competitor_points: tuple[Point, ...] = ()
    competitor_gaps: tuple[Gap, ...] = ()
    deductions: tuple[tuple[Theme, int, int], ...] = ()
    """Theme, points before and after the cap."""
    page: PageData = PageData()
    """The page as a visitor sees it."""
    sent_page: PageData | None = None
    """The page as it was sent, where it was rendered too: the difference needs scripts."""
    competitor_page: PageData | None = None
    results: tuple[ResultPreview, ...] = ()
    shares: tuple[SharePreview, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    queries: tuple[Recoverable, ...] = ()
    """Queries of Search Console, most clicks to recover first."""
    skipped: tuple[str, ...] = ()
    """What disturbs the picture, or is missing from it; each a sentence."""

    @property
    def console(self) -> SearchConsole | None:
        """What Search Console says; None when it is not connected."""
        return self.facts.console

    @property
    def hidden_by(self) -> tuple[Point, ...]:
        """What keeps the page out of search altogether; empty when it can be found."""
        return tuple(
            one
            for one in self.points
            if one.theme is Theme.INDEXING
            and one.severity is Severity.CRITICAL
            and one.ground is not Ground.HEURISTIC
        )


FULL_SCORE = 100
WEIGHTS: Mapping[Severity, int] = {
    Severity.CRITICAL: 30,
    Severity.HIGH: 15,
    Severity.MEDIUM: 6,
    Severity.LOW: 2,
    Severity.INFO: 0,
}
"""What one point takes off."""


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """What is known of a theme."""

    id: Theme
    cap: int
    """The most that its points take off together."""
    spoken: str
    """Its name within a sentence."""


THEMES = {one.id: one for one in read_table(DATA / "themes.toml", ThemeRow).values()}
"""The themes, in the order in which deductions are listed."""
UNFINDABLE = 30
"""The most that a page scores which search engines must leave out, however good it is."""

Deduction = tuple[Theme, int, int]
"""Theme, points before and after its cap."""


def draw_up(points: Iterable[Point]) -> tuple[int, tuple[Deduction, ...]]:
    """The score, 0–100, and what each theme takes off it, in the order of the themes.

    Points that rest on experience alone take off nothing. A critical point of indexing, which
    says that the page cannot be found at all, keeps the score at 30 or below.
    """
    counted = [one for one in points if one.ground is not Ground.HEURISTIC]
    taken: Counter[Theme] = Counter()
    for one in counted:
        taken[one.theme] += WEIGHTS[one.severity]
    deductions = tuple(
        (one, taken[one], min(taken[one], row.cap)) for one, row in THEMES.items() if taken[one]
    )
    score = max(0, FULL_SCORE - sum(after for _, _, after in deductions))
    return (min(score, UNFINDABLE) if any(map(_hides, counted)) else score), deductions


def gain(points: Collection[Point], ended: Collection[str]) -> int:
    """What the score gains when the points with the ids ``ended`` are gone; never below 0."""
    left = [one for one in points if one.id not in ended]
    return draw_up(left)[0] - draw_up(points)[0]


def _hides(point: Point) -> bool:
    return point.theme is Theme.INDEXING and point.severity is Severity.CRITICAL
