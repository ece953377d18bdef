"""Which address the page says it should be found under, and whether that can work."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.facts.document import Document
from mergegate.site.link_header import header_links
from mergegate.site.seo.checks.directives import is_noindexed
from mergegate.site.seo.checks.point import GOOGLE, Rule, attribute, examples, is_gone, quoted
from mergegate.site.seo.checks.urls import (
    alike,
    host,
    is_preview,
    is_secure,
    is_web,
    parts,
    plain,
    same,
    site,
)
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point, Theme

_SOURCE = f"{GOOGLE}/crawling-indexing/consolidate-duplicate-urls"
_BEST_PRACTICES = f"{_SOURCE}#rel-canonical-link-method"
_MISTAKES = "https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical"

MISSING = Rule(
    id="canonical-missing",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="No canonical address",
    remedy="Name the address that the page should be found under in its head.",
    source=_SOURCE,
)
DUPLICATES = Rule(
    id="duplicate-variants",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The same page answers at several addresses",
    remedy="Redirect the others to one address with 301, and name it as canonical.",
    source=_SOURCE,
)
SEVERAL = Rule(
    id="canonical-several",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="Several canonical addresses",
    remedy="Keep one canonical address; of several that differ none is believed.",
    source=_MISTAKES,
)
RELATIVE = Rule(
    id="canonical-relative",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="The canonical address is relative",
    remedy="Write the whole address, with https:// and host.",
    source=_BEST_PRACTICES,
)
UNREADABLE = Rule(
    id="canonical-unreadable",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The canonical address cannot be read",
    remedy="Write the whole address, with https:// and host.",
    source=_SOURCE,
)
INSECURE = Rule(
    id="canonical-insecure",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The canonical address is not the secure one",
    remedy="Write https:// in the canonical address.",
    source=_BEST_PRACTICES,
)
OTHER_HOST = Rule(
    id="canonical-other-host",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="Another site is named as the original",
    remedy="Name this page, unless the other site's should be found in its place.",
    source=_SOURCE,
)
TO_HOME = Rule(
    id="canonical-to-home",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The canonical address is the home page",
    remedy="Name this page's own address; the home page is another page.",
    source=_MISTAKES,
)
ELSEWHERE = Rule(
    id="canonical-elsewhere",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="The canonical address is another page",
    remedy="Name this page's own address, unless the other one has the same content.",
    source=_SOURCE,
)
FRAGMENT = Rule(
    id="canonical-fragment",
    theme=Theme.INDEXING,
    severity=Severity.LOW,
    title="The canonical address has a fragment",
    remedy="Leave out what follows #; search engines do.",
    source=_BEST_PRACTICES,
)
IN_BODY = Rule(
    id="canonical-in-body",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The canonical address stands outside the head",
    remedy="Move the link element into the head, before anything that ends the head early.",
    source=_MISTAKES,
)
BROKEN = Rule(
    id="canonical-broken",
    theme=Theme.INDEXING,
    severity=Severity.HIGH,
    title="The canonical address does not answer with success",
    remedy="Name an address that answers 200.",
    source=_MISTAKES,
)
REDIRECTS = Rule(
    id="canonical-redirects",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The canonical address redirects",
    remedy="Name the address that the redirect ends at.",
    source=_SOURCE,
)
LOOP = Rule(
    id="canonical-loop",
    theme=Theme.INDEXING,
    severity=Severity.HIGH,
    title="The canonical address leads back here",
    remedy="Let redirect and canonical address name the same one of the two.",
    source=_SOURCE,
)
CHAIN = Rule(
    id="canonical-chain",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="The canonical page names yet another one",
    remedy="Name the last address of the chain at once.",
    source=_SOURCE,
)
NOINDEXED = Rule(
    id="canonical-noindexed",
    theme=Theme.INDEXING,
    severity=Severity.HIGH,
    title="The canonical page asks not to be indexed",
    remedy="Remove noindex there, or name this page instead.",
    source=f"{GOOGLE}/crawling-indexing/robots-meta-tag",
)
OVERRULED = Rule(
    id="google-chose-another-canonical",
    theme=Theme.INDEXING,
    severity=Severity.MEDIUM,
    title="Google chose another canonical address",
    remedy="Make links, redirects and sitemaps agree with the canonical address, or the pages "
    "differ more.",
    source=f"{GOOGLE}/crawling-indexing/canonicalization-troubleshooting",
)
_NEAR = 0.02
_TITLE = re.compile(r"<title[^>]{0,200}>(.{1,500}?)</title", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """A canonical address."""

    url: str
    """Absolute; empty when it cannot be read."""
    written: str
    selector: str = ""
    """Empty for one of a header."""


def points(facts: SearchFacts) -> Iterator[Point]:
    """What is wrong with the page's canonical address; the target's answer only when it was got."""
    named = named_by(facts.best, facts.page)
    if not named:
        yield from _nothing_named(facts)
        return
    if len({plain(one.url) for one in named}) > 1:
        yield _several(facts, named)
        return
    yield from _form(facts, named[0])
    if named[0].url:
        yield from _place(facts, named[0])
    yield from _overruled(facts)


def named_by(document: Document, fetched: Fetched | None) -> tuple[Named, ...]:
    """Every canonical address of a page's head and of its ``Link`` headers, in that order."""
    links = tuple(
        Named(one.href, one.raw_href or one.href, one.selector)
        for one in document.linked("canonical")
        if one.in_head
    )
    headers = (one for one in header_links(fetched) if "canonical" in one.rels)
    return links + tuple(Named(one.url, one.written) for one in headers)


def address(document: Document, fetched: Fetched | None) -> str:
    """The one canonical address of a page; empty when there is none, or several that differ."""
    urls = {plain(one.url) for one in named_by(document, fetched) if one.url}
    return urls.pop() if len(urls) == 1 else ""


def _nothing_named(facts: SearchFacts) -> Iterator[Point]:
    url = facts.page.final_url
    in_body = facts.best.linked("canonical")
    if in_body:
        message = "It stands in the body, where search engines ignore it."
        first = in_body[0]
        yield IN_BODY.point(
            url,
            message,
            selector=first.selector,
            evidence=first.href,
            snippet=_snippet(first.href),
        )
        return
    if variants := _duplicates(facts):
        yield _duplicated(url, variants)
        return
    message = "Search engines choose among the page's addresses by themselves."
    yield MISSING.point(url, message, snippet=_snippet(url))


def _duplicates(facts: SearchFacts) -> list[Fetched]:
    """The variants that answer by themselves with what seems to be the same page."""
    return [
        one
        for one in facts.variants
        if one.ok and not same(one.final_url, facts.page.final_url) and _equal(one, facts.page)
    ]


def _equal(one: Fetched, page: Fetched) -> bool:
    """By title; of an answer that was kept without its text by version, or by about its length."""
    if one.text:
        return bool(_title(page)) and _title(one) == _title(page)
    if one.header("etag"):
        return one.header("etag") == page.header("etag")
    return abs(one.wire_bytes - page.wire_bytes) < _NEAR * page.wire_bytes


def _title(fetched: Fetched) -> str:
    found = _TITLE.search(fetched.text)
    return " ".join(found[1].split()) if found else ""


def _duplicated(url: str, variants: list[Fetched]) -> Point:
    number = "Another address" if len(variants) == 1 else f"{len(variants)} other addresses"
    return DUPLICATES.point(
        url,
        f"{number} answered with the same page, without a redirect, and none is canonical.",
        evidence=examples([one.final_url for one in variants]),
        snippet=_snippet(url),
        count=len(variants),
    )


def _several(facts: SearchFacts, named: tuple[Named, ...]) -> Point:
    different = tuple(dict.fromkeys(plain(one.url) or one.written for one in named))
    return SEVERAL.point(
        facts.page.final_url,
        f"The page names {len(different)} different addresses; search engines then ignore all.",
        selector=named[0].selector,
        evidence=examples(different),
        count=len(different),
    )


def _form(facts: SearchFacts, one: Named) -> Iterator[Point]:
    """How the address is written."""
    page = facts.page.final_url
    if not one.url:
        message = f"{quoted(one.written)} is no address."
        yield UNREADABLE.point(page, message, selector=one.selector, snippet=_snippet(page))
        return
    if not is_web(one.written):
        message = f"{quoted(one.written)} depends on where the page is read from."
        yield RELATIVE.point(page, message, selector=one.selector, snippet=_snippet(one.url))
    if "#" in one.url:
        message = "Search engines do not heed what follows #."
        yield FRAGMENT.point(page, message, evidence=one.url, snippet=_snippet(plain(one.url)))
    if is_secure(page) and not is_secure(one.url):
        yield INSECURE.point(
            page,
            "The page is served over https and names an http address as its own.",
            evidence=one.url,
            snippet=_snippet(one.url.replace("http://", "https://", 1)),
        )


def _place(facts: SearchFacts, one: Named) -> Iterator[Point]:
    """Where the address leads; a preview names its public host, which may not have the page yet."""
    page = facts.page.final_url
    foreign = site(one.url) != site(page)
    if same(one.url, page) or (foreign and (facts.local or is_preview(page))):
        return
    if trouble := next(_troubles(facts, one), None):
        yield trouble
    elif alike(one.url, page) or _is_of_phones(page, one.url):
        return
    elif foreign:
        message = f"This page hands its place to one of {quoted(host(one.url))}."
        yield OTHER_HOST.point(page, message, evidence=one.url)
    elif parts(one.url).path in {"", "/"}:
        yield TO_HOME.point(page, "This page hands its place to the home page.", evidence=one.url)
    else:
        message = "This page hands its place to another one of the site."
        yield ELSEWHERE.point(page, message, evidence=one.url)


def _is_of_phones(page: str, named: str) -> bool:
    """Whether the page is the one for phones, which has to name the one for desktops."""
    return any(site(page) == f"{prefix}.{site(named)}" for prefix in ("m", "mobile", "amp"))


def _troubles(facts: SearchFacts, one: Named) -> Iterator[Point]:
    """What keeps the canonical address from being indexed, worst first."""
    target, page = facts.canonical, facts.page.final_url
    if target is None or target.final is None:
        return
    if is_gone(target):
        message = f"It answers {target.status}; search engines then choose by themselves."
        yield BROKEN.point(page, message, evidence=one.url)
        return
    if facts.canonical_document and is_noindexed(facts.canonical_document, target):
        message = "The page gives way to one that must not be indexed: neither will be found."
        yield NOINDEXED.point(page, message, evidence=one.url)
    if target.ok:
        yield from _ways(facts, one, target)


def _ways(facts: SearchFacts, one: Named, target: Fetched) -> Iterator[Point]:
    """Where the target sends on to."""
    page = facts.page.final_url
    # That an http address leads on to https is no further news.
    if is_secure(page) and not is_secure(one.url):
        return
    further = address(facts.canonical_document, target) if facts.canonical_document else ""
    if len(target.answers) > 1:
        yield _redirected(page, one, target)
    elif further and same(further, page):
        message = "That page in turn names this one: search engines choose by themselves."
        yield LOOP.point(page, message, evidence=one.url)
    elif further and not same(further, target.final_url):
        message = f"It names {quoted(further)} in turn."
        yield CHAIN.point(page, message, evidence=one.url, snippet=_snippet(further))


def _redirected(page: str, one: Named, target: Fetched) -> Point:
    if same(target.final_url, page):
        message = "It redirects to this page: the two name each other."
        return LOOP.point(page, message, evidence=one.url, snippet=_snippet(page))
    message = f"It redirects to {quoted(target.final_url)}."
    return REDIRECTS.point(page, message, evidence=one.url, snippet=_snippet(target.final_url))


def _overruled(facts: SearchFacts) -> Iterator[Point]:
    console = facts.console
    if console is None or not console.google_canonical or not console.user_canonical:
        return
    if not same(console.google_canonical, console.user_canonical):
        message = f"Google shows {quoted(console.google_canonical)} instead."
        yield OVERRULED.point(facts.page.final_url, message, evidence=console.user_canonical)


def _snippet(url: str) -> str:
    return f'<link rel="canonical" href="{attribute(url)}">'
