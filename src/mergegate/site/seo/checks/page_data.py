"""One page in figures and in its own words, as the API's ``pageData`` tells it."""

from collections.abc import Iterator
from itertools import chain, islice

from mergegate.site.facts.document import Anchor, Document
from mergegate.site.seo.checks.canonical import address
from mergegate.site.seo.checks.directives import told
from mergegate.site.seo.checks.hreflang import of_sitemaps, versions
from mergegate.site.seo.checks.page import description_px, title_px
from mergegate.site.seo.checks.schema_org import described, inside
from mergegate.site.seo.checks.tokens import length
from mergegate.site.seo.checks.urls import WEB, parts, site
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import PageData
from mergegate.site.words import cut

_MOST = 100
"""Headings, languages, elements for networks, types: what is beyond is not told."""
_LONGEST = 1_000
_LONGEST_NAME = 200
_SOCIAL = ("og:", "twitter:", "article:")
_PARAGRAPHS = frozenset({"p", "blockquote"})


def page_data(facts: SearchFacts, document: Document | None = None) -> PageData:
    """The page as a visitor sees it, or as ``document``, such as the one that was sent, has it."""
    page, fetched = document or facts.best, facts.page
    title, description = page.title, page.meta("description")
    hosts = [host for host in map(_host, page.anchors) if host]
    inner = hosts.count(site(fetched.final_url))
    return PageData(
        url=fetched.final_url,
        status=fetched.status,
        redirects=max(0, len(fetched.answers) - 1),
        first_byte_ms=fetched.final.took_ms if fetched.final else 0,
        html_bytes=page.html_bytes,
        wire_bytes=fetched.wire_bytes,
        rendered=page is not facts.document,
        title=cut(title, _LONGEST),
        title_px=title_px(title[:_LONGEST]),
        description=cut(description, _LONGEST),
        description_px=description_px(description[:_LONGEST]),
        headings=tuple((one.level, cut(one.text, _LONGEST_NAME)) for one in page.headings[:_MOST]),
        heading_count=len(page.headings),
        canonical=cut(address(page, fetched), _LONGEST),
        robots=tuple(_robots(page, facts)),
        language=cut(page.lang, _LONGEST_NAME),
        text_language=facts.reading.language,
        viewport=cut(page.meta("viewport"), _LONGEST_NAME),
        hreflang=tuple(_hreflang(page, facts)),
        social=tuple(_social(page)),
        words=length(page.text),
        paragraphs=sum(one.tag in _PARAGRAPHS for one in page.blocks),
        internal_links=inner,
        external_links=len(hosts) - inner,
        nofollow_links=sum("nofollow" in one.rels for one in page.anchors),
        images=len(page.images),
        images_without_alt=sum(one.alt is None and not one.decorative for one in page.images),
        schema_types=schema_types(page),
        published=facts.reading.published,
        modified=facts.reading.modified,
        authors=tuple(cut(one, _LONGEST_NAME) for one in facts.reading.authors[:_MOST]),
    )


def schema_types(page: Document) -> tuple[str, ...]:
    """Every type of schema.org on it, also of things that others hold, each once."""
    things = (one for thing in described(page) for one in inside(thing))
    names = (cut(name, _LONGEST_NAME) for one in things for name in one.types if name)
    return tuple(islice(dict.fromkeys(names), _MOST))


def _robots(page: Document, facts: SearchFacts) -> Iterator[str]:
    """``noindex``, ``googlebot: max-snippet:50``; each once."""
    every = islice(told(page, facts.page), _MOST)
    said = ((one.agent, f"{one.name}:{one.value}" if one.value else one.name) for one in every)
    words = (f"{agent}: {directive}" if agent else directive for agent, directive in said)
    yield from dict.fromkeys(cut(one, _LONGEST_NAME) for one in words)


def _hreflang(page: Document, facts: SearchFacts) -> Iterator[tuple[str, str]]:
    """Those of the head, of headers and of sitemaps."""
    for one in islice(chain(versions(page, facts.page), of_sitemaps(facts)), _MOST):
        yield cut(one.tag, _LONGEST_NAME), cut(one.url, _LONGEST)


def _social(page: Document) -> Iterator[tuple[str, str]]:
    """The first of each name."""
    named = ((one.name, one.content) for one in page.metas if one.name.startswith(_SOCIAL))
    first = dict(reversed(list(named)))
    for name in islice(dict.fromkeys(one.name for one in page.metas if one.name in first), _MOST):
        yield cut(name, _LONGEST_NAME), cut(first[name], _LONGEST)


def _host(link: Anchor) -> str:
    """As :func:`~mergegate.site.seo.checks.urls.site` has it; empty where it is no page's address.

    The address is split once: there may be thousands of links.
    """
    split = parts(link.href)
    return split.netloc.lower().removeprefix("www.") if split.scheme in WEB else ""
