"""``crawlability``: whether and how crawlers get to the page."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from mergegate.core.wire.camel import Camel
from mergegate.site.seo.wire.shapes.fields import Count, optional


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
    sitemaps: Annotated[tuple[str, ...], Field(description="That it names, at most 100.")]
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
    failure: Annotated[str, Field(description="Why the server did not answer to that name.")] = ""


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
    redirect_statuses: Annotated[
        tuple[int, ...], Field(description="What each of them answered, in the same order.")
    ] = ()
    robots: Annotated[RobotsOut | None, Field(description="Null when it was not asked for.")]
    sitemaps: tuple[SitemapOut, ...]
    sitemaps_named: Annotated[
        Count, Field(description="By robots.txt and by indexes, those that were read included.")
    ] = 0
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
    llms_txt_type: Annotated[
        str, Field(description="Its `Content-Type`: some sites answer any address with a page.")
    ] = ""
    rendering: RenderingOut | SkipJsonSchema[None] = optional("Present when it was rendered.")
    notes: Annotated[tuple[str, ...], Field(description="What could not be looked at.")]
