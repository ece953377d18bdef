"""What one page says of itself, how others show it, and what could be said better; all hostile."""

from dataclasses import dataclass

from mergegate.site.seo.facts import QueryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """One page in figures and in its own words."""

    url: str = ""
    """Where its redirects ended."""
    status: int | None = None
    redirects: int = 0
    first_byte_ms: int = 0
    """From the last request to the head of its answer."""
    html_bytes: int = 0
    wire_bytes: int = 0
    """Of the HTML, as it was sent."""
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
    """As its root declares it."""
    text_language: str = ""
    """ISO 639-1, as its text reads."""
    viewport: str = ""
    hreflang: tuple[tuple[str, str], ...] = ()
    """Language and address."""
    social: tuple[tuple[str, str], ...] = ()
    """Names and contents of Open Graph and card elements, the first of each name."""
    words: int = 0
    """Of its visible text; an estimate in scripts without spaces."""
    paragraphs: int = 0
    internal_links: int = 0
    external_links: int = 0
    nofollow_links: int = 0
    images: int = 0
    images_without_alt: int = 0
    """The attribute is missing; an empty one marks a decoration."""
    schema_types: tuple[str, ...] = ()
    """Of schema.org, each once, in order of appearance."""
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
    """Where on the page the words stand."""
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
