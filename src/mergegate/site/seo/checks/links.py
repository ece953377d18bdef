"""Whether the page's links can be followed and say where they lead, and its images can be found.

Source: Google's "SEO link best practices for Google", Bing's guidelines for webmasters.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mergegate.site.facts.document import Anchor, Document, Image
from mergegate.site.seo.checks.point import RULES, Rule
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.checks.tokens import PATTERNS, PHRASES
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import is_secure, is_web, parts, plain, site
from mergegate.site.words import counted, is_switch, size

EMPTY = RULES["link-empty"]
GENERIC = RULES["link-generic-text"]
NOFOLLOW = RULES["link-nofollow-internal"]
SCRIPT = RULES["link-javascript"]
INSECURE = RULES["link-insecure"]
MANY = RULES["links-too-many"]
NONE = RULES["links-none"]
MISWRITTEN = RULES["link-miswritten"]
LOCAL = RULES["link-local"]
_MOST = 3_000
"""Bing asks for no more than several thousand."""
_GENERIC = frozenset(PHRASES["links"])
_ARROWS = " .…:!>»›→<«‹←-–—\u00a0"
_ACCOUNT = PATTERNS["account"]
"""Matches pages of accounts, which need not be found; old advice set nofollow on such links."""
_SOURCE_TEXT = re.compile(
    r"\.(?:txt|md|rst|json|ya?ml|xml|csv|ics|zip|gz|patch|diff)$", re.IGNORECASE
)
"""What is no page: the text that one was made of, or a file to load down."""
_MISWRITTEN = re.compile(
    r"\s*(?:www\.|https?:/?[^/]|https?//|h?t?tps?:///|htt?p?s?;|h(?:tp|http)s?:)"
)
_SCRIPTS = re.compile(r"\s*javascript:", re.IGNORECASE)
_OWN_MACHINE = frozenset({"localhost", "127.0.0.1", "0.0.0.0", "::1"})  # noqa: S104


@dataclass(frozen=True, slots=True)
class _Link:
    """A link, and where it leads from this page; found out once, for pages have thousands."""

    anchor: Anchor
    away: bool
    """Whether it is an address of the web, and not one of the page itself."""
    own: bool
    """Whether it stays within the site."""
    secure: bool
    local: bool
    """Whether it leads to the visitor's own machine."""


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the links of the page as a visitor gets it; one point a kind."""
    page, url = facts.best, facts.url
    links = _links(page)
    yield from _texts(links, url)
    yield from _within(links, url)
    yield from _ways(page, url)
    yield from _number(facts, links)
    if not facts.local:
        # A tutorial that shows the address means the reader's own machine.
        local = [one.anchor for one in links if one.local and not _shows_host(one.anchor)]
        yield from _together(LOCAL, url, local, "to a machine that only its user reaches")


def _links(page: Document) -> list[_Link]:
    here, own = plain(page.url), site(page.url)
    return [_link(one, here, own) for one in page.anchors]


def _link(anchor: Anchor, here: str, own: str) -> _Link:
    href = anchor.href
    return _Link(
        anchor,
        away=is_web(href) and plain(href) != here,
        own=site(href) == own,
        secure=is_secure(href),
        local=parts(href).hostname in _OWN_MACHINE,
    )


def _texts(links: list[_Link], url: str) -> Iterator[Point]:
    away = [one.anchor for one in links if one.away]
    empty = [one for one in away if not one.text]
    yield from _together(EMPTY, url, empty, "without a text that says where it leads")
    vague = [one for one in away if _is_generic(one.text)]
    what = "with a text that would fit anywhere"
    yield from _together(GENERIC, url, vague, what, lambda one: f"“{one.text}” → {one.href}")


def _is_generic(text: str) -> bool:
    """Whether it would fit anywhere; ``<this>`` is the name of a thing."""
    named = text.startswith("<") and text.endswith(">")
    return not named and text.casefold().strip(_ARROWS) in _GENERIC


def _within(links: list[_Link], url: str) -> Iterator[Point]:
    own = [one for one in links if one.own]
    kept = [
        one.anchor
        for one in own
        if one.away and "nofollow" in one.anchor.rels and not _is_aside(one.anchor.href)
    ]
    yield from _together(NOFOLLOW, url, kept, "within the site with nofollow")
    if is_secure(url):
        insecure = [one.anchor for one in own if not one.secure]
        yield from _together(INSECURE, url, insecure, "within the site by way of http")


def _is_aside(href: str) -> bool:
    """Whether it leads to a page that need not be found."""
    return bool(_ACCOUNT.search(href) or _SOURCE_TEXT.search(parts(href).path))


def _ways(page: Document, url: str) -> Iterator[Point]:
    scripts = [
        one for one in page.anchors if _SCRIPTS.match(one.raw_href) and not is_switch(one.text)
    ]
    what = "with a script in place of an address"
    yield from _together(SCRIPT, url, scripts, what, lambda one: one.text or one.raw_href)
    wrong = [one for one in page.anchors if _MISWRITTEN.match(one.raw_href)]
    what = "leading nowhere as written"
    yield from _together(MISWRITTEN, url, wrong, what, lambda one: one.raw_href)


def _together(
    rule: Rule,
    url: str,
    found: Sequence[Anchor],
    what: str,
    shown: Callable[[Anchor], str] = lambda one: one.href,
) -> Iterator[Point]:
    if found:
        message = f"{counted(len(found), 'link')} {what}."
        yield rule.point(url, message, selector=found[0].selector, found=[*map(shown, found)])


def _shows_host(anchor: Anchor) -> bool:
    return (parts(anchor.href).hostname or "") in anchor.text


def _number(facts: SearchFacts, links: list[_Link]) -> Iterator[Point]:
    url = facts.url
    if len(links) > _MOST:
        yield MANY.point(url, f"The page has {len(links):,} links or more.", count=len(links))
    leads_on = any(one.own and one.away for one in links)
    if facts.page.whole and not leads_on and not is_shell(facts):
        yield NONE.point(url)


ALT_MISSING = RULES["image-alt-missing"]
ALT_FILE_NAME = RULES["image-alt-file-name"]
NO_DIMENSIONS = RULES["image-dimensions-missing"]
DATA_URI = RULES["image-data-uri"]
NO_SOURCE = RULES["image-without-source"]
_LARGE_BYTES = 20_000
_FILE_NAME = PATTERNS["file-name"]
_PIXEL = frozenset({"0", "1", "0px", "1px"})


def image_points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the images of the page as a visitor gets it; one point a kind."""
    url = facts.url
    images = [one for one in facts.best.images if not _is_pixel(one)]
    silent = [one for one in images if one.alt is None and not one.decorative]
    yield from _pictured(ALT_MISSING, url, silent, images, "without an alt attribute")
    named = [one for one in images if one.alt and _FILE_NAME.fullmatch(one.alt.strip())]
    yield from _pictured(ALT_FILE_NAME, url, named, images, "with a mere name for a description")
    loose = [one for one in images if _source(one) and not (one.width and one.height)]
    yield from _pictured(NO_DIMENSIONS, url, loose, images, "without width and height")
    lost = [one for one in images if not _source(one)]
    yield from _pictured(NO_SOURCE, url, lost, images, "without an address that crawlers read")
    yield from _inline(url, images)


def _is_pixel(one: Image) -> bool:
    """Whether it only counts visitors."""
    return one.width in _PIXEL and one.height in _PIXEL


def _source(one: Image) -> bool:
    return bool(one.src) or one.srcset


def _pictured(
    rule: Rule, url: str, found: Sequence[Image], of: Sequence[Image], what: str
) -> Iterator[Point]:
    if found:
        yield rule.point(
            url,
            f"{len(found)} of {counted(len(of), 'image')} {what}.",
            selector=found[0].selector,
            found=[one.src or one.selector for one in found],
        )


def _inline(url: str, images: Sequence[Image]) -> Iterator[Point]:
    large = [one for one in images if one.src.startswith("data:") and len(one.src) > _LARGE_BYTES]
    if large:
        total = sum(len(one.src) for one in large)
        message = f"{counted(len(large), 'image')} of {size(total)} in all stand in the HTML."
        yield DATA_URI.point(
            url, message, selector=large[0].selector, found=[one.selector for one in large]
        )
