"""``pageData``: one page in figures and in its own words."""

from typing import Annotated, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.site.seo.wire.shapes.fields import Count


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
