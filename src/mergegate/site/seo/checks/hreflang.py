"""Whether the page's language versions name each other in a way that search engines believe.

Source: Google's "Tell Google about localized versions of your page".
"""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document
from mergegate.site.link_header import header_links
from mergegate.site.seo.checks import languages
from mergegate.site.seo.checks.indexing import is_noindexed
from mergegate.site.seo.checks.point import RULES, Rule, attribute, examples, is_gone, quoted
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import alike, canonical_address, is_preview, is_web, plain, site
from mergegate.site.words import cut

_DEFAULT = "x-default"
_SEVERAL_LANGUAGES = 3
"""The number of versions from which a default page (``x-default``) is recommended."""

INVALID = RULES["hreflang-invalid"]
NO_SELF = RULES["hreflang-no-self"]
NO_RETURN = RULES["hreflang-no-return"]
BROKEN = RULES["hreflang-broken"]
REDIRECTS = RULES["hreflang-redirects"]
NOT_INDEXABLE = RULES["hreflang-not-indexable"]
NO_DEFAULT = RULES["hreflang-no-default"]
RELATIVE = RULES["hreflang-relative"]
CONFLICT = RULES["hreflang-conflict"]
IN_BODY = RULES["hreflang-in-body"]
_TROUBLES = (
    (BROKEN, "answer with an error"),
    (REDIRECTS, "redirect"),
    (NOT_INDEXABLE, "name another page as canonical, or must not be indexed"),
    (NO_RETURN, "do not name this page in turn"),
)
_OF_PUBLIC = (NOT_INDEXABLE, NO_RETURN)
"""What cannot be told of a preview, whose pages name their public host."""
_LONGEST_TAG = 60


@dataclass(frozen=True, slots=True)
class Version:
    """One language version that a page names."""

    tag: str
    url: str
    """Absolute; empty when it cannot be read."""
    written: str


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the language versions; nothing for a page that names none."""
    given = (*versions(facts.best, facts.page), *of_sitemaps(facts))
    yield from _misplaced(facts)
    if not given:
        return
    yield from _tags(facts, given)
    yield from _addresses(facts, given)
    yield from _set(facts, given)
    yield from _others(facts)


def versions(document: Document, fetched: Fetched | None) -> tuple[Version, ...]:
    """The versions in the page's head, then those in its ``Link`` headers."""
    links = tuple(
        Version(one.hreflang, one.href, one.raw_href or one.href)
        for one in document.linked("alternate")
        if one.hreflang and one.in_head
    )
    return links + tuple(_of_headers(fetched))


def _of_headers(fetched: Fetched | None) -> Iterator[Version]:
    for link in header_links(fetched):
        if "alternate" in link.rels:
            yield from (Version(tag, link.url, link.written) for tag in link.hreflang if tag)


def of_sitemaps(facts: SearchFacts) -> Iterator[Version]:
    """The versions in sitemaps for the page, each once; a preview's sitemap is the public one's."""
    if not _is_preview(facts):
        named = dict.fromkeys(version for one in facts.sitemaps for version in one.alternates)
        yield from (Version(tag, url if is_web(url) else "", url) for tag, url in named)


def _misplaced(facts: SearchFacts) -> Iterator[Point]:
    outside = [one for one in facts.best.linked("alternate") if one.hreflang and not one.in_head]
    if outside:
        yield IN_BODY.point(
            facts.url, selector=outside[0].selector, found=[one.hreflang for one in outside]
        )


def _tags(facts: SearchFacts, given: tuple[Version, ...]) -> Iterator[Point]:
    wrong = {one.tag: flaw for one in given if (flaw := _flaw(one.tag))}
    if wrong:
        told = [f"{cut(tag, _LONGEST_TAG)}: {flaw}{_meant(tag)}" for tag, flaw in wrong.items()]
        yield INVALID.point(
            facts.url,
            "Search engines ignore a version whose language or country they do not know: "
            f"{'; '.join(told[:3])}.",
            found=tuple(wrong),
        )


def _flaw(tag: str) -> str:
    return "" if tag.lower() == _DEFAULT else languages.flaw(tag)


def _meant(tag: str) -> str:
    meant = languages.mended(tag)
    return f" ({meant}?)" if meant else ""


def _addresses(facts: SearchFacts, given: tuple[Version, ...]) -> Iterator[Point]:
    url = facts.url
    relative = [one.written for one in given if not is_web(one.written)]
    if relative:
        yield RELATIVE.point(url, found=relative)
    named: dict[str, set[str]] = {}
    for one in given:
        named.setdefault(one.tag.lower(), set()).add(plain(one.url))
    for tag in sorted(tag for tag, pages in named.items() if len(pages) > 1):
        message = f"{len(named[tag])} different pages are named for {quoted(tag)}."
        yield CONFLICT.point(url, message, place=tag, evidence=examples(sorted(named[tag])))


def _set(facts: SearchFacts, given: tuple[Version, ...]) -> Iterator[Point]:
    """What a set of versions needs; a preview's versions stand on its public host."""
    url = facts.url
    tags = {one.tag.lower() for one in given}
    if not _is_preview(facts) and not _names(given, _own(facts)):
        message = f"{len(given)} versions are named, and this page is not among them."
        yield NO_SELF.point(url, message, snippet=_self(facts))
    if len(tags - {_DEFAULT}) >= _SEVERAL_LANGUAGES and _DEFAULT not in tags:
        yield NO_DEFAULT.point(url, f"{len(tags)} languages are named, and no page for all others.")


def _others(facts: SearchFacts) -> Iterator[Point]:
    """What became of the versions that were read, one point a kind of trouble."""
    page, own, found = facts.url, _own(facts), dict[str, list[str]]()
    for tag, fetched, document in facts.alternates:
        elsewhere = _is_preview(facts) and site(fetched.url) != site(page)
        rule = None if tag.lower() == _DEFAULT else _trouble(fetched, document, own)
        # Where a sitemap names the versions it may name the way back, too.
        listed = rule is NO_RETURN and any(of_sitemaps(facts))
        if rule and not elsewhere and not listed:
            status = f" ({fetched.status})" if rule is BROKEN else ""
            found.setdefault(rule.id, []).append(f"{tag}: {fetched.url}{status}")
    for rule, what in _TROUBLES:
        if (shown := found.get(rule.id)) and not (rule in _OF_PUBLIC and _is_preview(facts)):
            message = f"Of the language versions that were read {len(shown)} {what}."
            yield rule.point(page, message, found=shown)


def _trouble(fetched: Fetched, document: Document | None, own: frozenset[str]) -> Rule | None:
    """The worst that is wrong with a version; None for one that could not be read."""
    if is_gone(fetched):
        return BROKEN
    if fetched.ok and len(fetched.answers) > 1:
        return REDIRECTS
    if document is None:
        return None
    named = canonical_address(document, fetched)
    if is_noindexed(document, fetched) or (named and not alike(named, fetched.final_url)):
        return NOT_INDEXABLE
    return None if _names(versions(document, fetched), own) else NO_RETURN


def _is_preview(facts: SearchFacts) -> bool:
    return facts.local or is_preview(facts.url)


def _own(facts: SearchFacts) -> frozenset[str]:
    """The addresses that this page goes by."""
    named = canonical_address(facts.best, facts.page)
    return frozenset(plain(url) for url in (facts.page.url, facts.url, named) if url)


def _names(given: tuple[Version, ...], own: frozenset[str]) -> bool:
    return any(plain(one.url) in own for one in given)


def _self(facts: SearchFacts) -> str:
    tag = facts.best.lang if facts.best.lang and not languages.flaw(facts.best.lang) else "en"
    return f'<link rel="alternate" hreflang="{tag}" href="{attribute(facts.url)}">'
