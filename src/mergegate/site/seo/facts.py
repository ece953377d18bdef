"""What crawlers of search engines and assistants are told and get; all of it is hostile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document

DATA = Path(__file__).parent / "data"
"""Tables of what is known of crawlers, languages, words and schema.org."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsRule:
    """An ``Allow`` or ``Disallow``."""

    allow: bool
    pattern: str
    line: int
    """The line number, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsGroup:
    """Rules for some crawlers (RFC 9309)."""

    agents: tuple[str, ...]
    """User-agent names in small letters."""
    rules: tuple[RobotsRule, ...] = ()
    crawl_delay_s: float | None = None
    signals: tuple[str, ...] = ()
    """``Content-Signal`` values, as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsFile:
    """What a robots.txt says."""

    groups: tuple[RobotsGroup, ...] = ()
    """The groups as they are written: two may apply to one crawler."""
    sitemaps: tuple[str, ...] = ()
    """Absolute addresses, each once."""
    problems: tuple[tuple[int, str], ...] = ()
    """Line, from 1 (0 for the whole), and what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots(RobotsFile):
    """robots.txt of the page's origin."""

    fetched: Fetched
    state: str
    """``present``; ``absent`` (4xx: everything is allowed); ``unreachable`` (5xx or no answer:
    nothing is); ``not robots`` (a page of HTML stands there)."""
    allowed: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    """Whether a crawler may fetch the page, by its token."""
    matched: Mapping[str, RobotsRule] = field(default_factory=lambda: MappingProxyType({}))
    """The rule that decided, by its token; none where no rule matched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """What one sitemap holds, as far as it was read."""

    kind: str = ""
    """``urlset``, ``index``, ``text``, or empty when it is none."""
    entries: int = 0
    children: tuple[str, ...] = ()
    """The sitemaps that an index lists."""
    lists_page: bool = False
    """Whether it names the page, or its canonical address."""
    page_lastmod: str = ""
    alternates: tuple[tuple[str, str], ...] = ()
    """Language versions that it names for the page: language and address, as they are written."""
    with_lastmod: int = 0
    future_lastmods: int = 0
    same_lastmod: bool = False
    """Whether all that have one, at least ten, have the same."""
    foreign: int = 0
    """Entries of other hosts."""
    insecure: int = 0
    """http entries of an https site."""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap(SitemapFile):
    """A sitemap that was fetched."""

    fetched: Fetched
    source: str
    """``robots.txt``, ``/sitemap.xml`` or the address of the index that names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlerAnswer:
    """How the server answered the page's address to a crawler's name."""

    token: str
    """Such as ``GPTBot``."""
    status: int | None
    same: bool | None = None
    """Whether it got the text that a browser gets; None when that cannot be told."""
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The page's article, as extraction libraries read it."""

    text: str = field(default="", repr=False)
    """The main text, paragraphs apart by line breaks."""
    language: str = ""
    """ISO 639-1 of the text; empty when it is too short to tell."""
    language_certainty: float = 0.0
    """0 to 1."""
    published: str = ""
    """ISO date; empty when unknown."""
    modified: str = ""
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """The page after its scripts ran."""

    document: Document
    final_url: str = ""
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRow:
    """What people searched for when they saw the page."""

    query: str
    clicks: float
    impressions: float
    ctr: float
    """0 to 1."""
    position: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConsole:
    """What Google's Search Console says of the page."""

    property: str
    """The property that it was asked of."""
    start: str = ""
    end: str = ""
    """ISO dates of the days that count."""
    rows: tuple[QueryRow, ...] = ()
    clicks: float = 0.0
    impressions: float = 0.0
    verdict: str = ""
    """Index status: ``PASS``, ``NEUTRAL``, ``FAIL``…"""
    coverage: str = ""
    indexing_state: str = ""
    robots_state: str = ""
    fetch_state: str = ""
    google_canonical: str = ""
    user_canonical: str = ""
    last_crawl: str = ""
    failure: str = ""
    """Why Search Console gave nothing."""
    notes: tuple[str, ...] = ()
    """What Search Console did not give, each a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFacts:
    """Everything a check of one page's visibility may look at."""

    page: Fetched
    document: Document
    """The page's document as it was sent."""
    local: bool = False
    """Whether it stands on this machine or a private host: what only a public site has is not
    judged."""
    rendered: Rendered | None = None
    robots: Robots | None = None
    sitemaps: tuple[Sitemap, ...] = ()
    sitemaps_told: int = 0
    """How many are named in all, where that is all that is known of the others."""
    crawlers: tuple[CrawlerAnswer, ...] = ()
    llms: Fetched | None = None
    """/llms.txt"""
    nonsense: Fetched | None = None
    """The site's answer to an address that does not exist."""
    canonical: Fetched | None = None
    """What the canonical address answers, when it is another one."""
    canonical_document: Document | None = None
    alternates: tuple[tuple[str, Fetched, Document | None], ...] = ()
    """Pages that hreflang names, a few: the language, the answer, the page."""
    social_image: Fetched | None = None
    """What the first ``og:image`` answers."""
    icon: Fetched | None = None
    variants: tuple[Fetched, ...] = ()
    """The same address with and without ``www``, over http, with and without a last slash."""
    reading: Reading = Reading()
    console: SearchConsole | None = None
    """None when it is not connected."""
    now: str = ""
    """The moment of the scan, ISO 8601 in UTC."""
    notes: tuple[str, ...] = ()
    """What could not be looked at, each a sentence."""

    @property
    def url(self) -> str:
        """The address where the page's redirects end."""
        return self.page.final_url

    @property
    def sitemaps_named(self) -> int:
        """How many robots.txt and indexes name, those that were read included."""
        read = [one for one in self.sitemaps if one.kind]
        known = {one.fetched.url for one in read}
        known.update(url for one in read for url in one.children)
        known.update(self.robots.sitemaps if self.robots else ())
        return max(self.sitemaps_told, len(known))

    @property
    def best(self) -> Document:
        """The page as a visitor sees it: rendered where it was rendered."""
        return (
            self.rendered.document if self.rendered and not self.rendered.failure else self.document
        )
