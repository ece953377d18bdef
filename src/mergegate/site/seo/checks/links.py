"""Whether the page's links can be followed, and what they say.

Source: Google's "SEO link best practices for Google", Bing's guidelines for webmasters.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mergegate.site.facts.document import Anchor, Document
from mergegate.site.seo.checks.point import RULES, Rule, examples
from mergegate.site.seo.checks.rendering import is_shell
from mergegate.site.seo.checks.tokens import PHRASES
from mergegate.site.seo.checks.urls import is_secure, is_web, parts, plain, site
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.words import counted

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
_ACCOUNT = re.compile(
    r"log-?in|log-?out|sign-?(?:in|up|out)|account|register|cart|basket|checkout|search|wishlist"
    r"|anmeld|warenkorb|konto|compte|panier|cuenta|carrito",
    re.IGNORECASE,
)
"""Pages that nobody needs to find, which old advice kept crawlers from by nofollow."""
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
    """Whether it leads to the machine of whoever follows it."""


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the links of the page as a visitor gets it; one point a kind."""
    page, url = facts.best, facts.page.final_url
    links = _links(page)
    yield from _texts(links, url)
    yield from _within(links, url)
    yield from _ways(page, url)
    yield from _number(facts, links)
    if not facts.local:
        # A tutorial that shows the address means the reader's own machine.
        local = [one.anchor for one in links if one.local and not _shows_host(one.anchor)]
        message = "to a machine that only its user reaches"
        yield from _together(LOCAL, url, local, message, [one.href for one in local])


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
    where = [one.href for one in empty]
    yield from _together(EMPTY, url, empty, "without a text that says where it leads", where)
    vague = [one for one in away if _is_generic(one.text)]
    said = [f"“{one.text}” → {one.href}" for one in vague]
    yield from _together(GENERIC, url, vague, "with a text that would fit anywhere", said)


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
    where = [one.href for one in kept]
    yield from _together(NOFOLLOW, url, kept, "within the site with nofollow", where)
    if is_secure(url):
        insecure = [one.anchor for one in own if not one.secure]
        where = [one.href for one in insecure]
        yield from _together(INSECURE, url, insecure, "within the site by way of http", where)


def _is_aside(href: str) -> bool:
    """Whether nobody needs to find what it leads to."""
    return bool(_ACCOUNT.search(href) or _SOURCE_TEXT.search(parts(href).path))


def _ways(page: Document, url: str) -> Iterator[Point]:
    scripts = [one for one in page.anchors if _SCRIPTS.match(one.raw_href)]
    texts = [one.text or one.raw_href for one in scripts]
    yield from _together(SCRIPT, url, scripts, "with a script in place of an address", texts)
    wrong = [one for one in page.anchors if _MISWRITTEN.match(one.raw_href)]
    written = [one.raw_href for one in wrong]
    yield from _together(MISWRITTEN, url, wrong, "leading nowhere as written", written)


def _together(
    rule: Rule, url: str, found: Sequence[Anchor], what: str, shown: Sequence[str]
) -> Iterator[Point]:
    if found:
        yield rule.point(
            url,
            f"{counted(len(found), 'link')} {what}.",
            selector=found[0].selector,
            evidence=examples(shown),
            count=len(found),
        )


def _shows_host(anchor: Anchor) -> bool:
    return (parts(anchor.href).hostname or "") in anchor.text


def _number(facts: SearchFacts, links: list[_Link]) -> Iterator[Point]:
    url = facts.page.final_url
    if len(links) > _MOST:
        message = f"The page has {len(links):,} links or more."
        yield MANY.point(url, message, count=len(links))
    leads_on = any(one.own and one.away for one in links)
    if facts.page.whole and not leads_on and not is_shell(facts):
        yield NONE.point(url)
