"""Which address the page says it should be found under, and whether that can work."""

import re
from collections.abc import Iterator

from mergegate.sandbox.fetched import Fetched
from mergegate.site.seo.checks.indexing import is_noindexed
from mergegate.site.seo.checks.point import RULES, attribute, is_gone, quoted
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Point
from mergegate.site.seo.urls import (
    Named,
    alike,
    canonical_address,
    host,
    is_preview,
    is_secure,
    is_web,
    named_by,
    parts,
    plain,
    same,
    site,
)

MISSING = RULES["canonical-missing"]
DUPLICATES = RULES["duplicate-variants"]
SEVERAL = RULES["canonical-several"]
RELATIVE = RULES["canonical-relative"]
UNREADABLE = RULES["canonical-unreadable"]
INSECURE = RULES["canonical-insecure"]
OTHER_HOST = RULES["canonical-other-host"]
TO_HOME = RULES["canonical-to-home"]
ELSEWHERE = RULES["canonical-elsewhere"]
FRAGMENT = RULES["canonical-fragment"]
IN_BODY = RULES["canonical-in-body"]
BROKEN = RULES["canonical-broken"]
REDIRECTS = RULES["canonical-redirects"]
LOOP = RULES["canonical-loop"]
CHAIN = RULES["canonical-chain"]
NOINDEXED = RULES["canonical-noindexed"]
OVERRULED = RULES["google-chose-another-canonical"]
_NEAR = 0.02
_TITLE = re.compile(r"<title[^>]{0,200}>(.{1,500}?)</title", re.IGNORECASE | re.DOTALL)


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
    if is_web(named[0].url):
        yield from _place(facts, named[0])
    yield from _overruled(facts)


def _nothing_named(facts: SearchFacts) -> Iterator[Point]:
    url = facts.url
    in_body = facts.best.linked("canonical")
    if in_body:
        first = in_body[0]
        yield IN_BODY.point(
            url, selector=first.selector, evidence=first.href, snippet=_snippet(first.href)
        )
        return
    if variants := _duplicates(facts):
        yield _duplicated(url, variants)
        return
    yield MISSING.point(url, snippet=_snippet(url))


def _duplicates(facts: SearchFacts) -> list[Fetched]:
    """The variants that answer by themselves with what seems to be the same page."""
    return [
        one
        for one in facts.variants
        if one.ok and not same(one.final_url, facts.url) and _equal(one, facts.page)
    ]


def _equal(one: Fetched, page: Fetched) -> bool:
    """Whether titles are equal; without a text ETags are compared, or about the lengths."""
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
        snippet=_snippet(url),
        found=[one.final_url for one in variants],
    )


def _several(facts: SearchFacts, named: tuple[Named, ...]) -> Point:
    different = tuple(dict.fromkeys(plain(one.url) or one.written for one in named))
    return SEVERAL.point(
        facts.url,
        f"The page names {len(different)} different addresses; search engines then ignore all.",
        selector=named[0].selector,
        found=different,
    )


def _form(facts: SearchFacts, one: Named) -> Iterator[Point]:
    """How the address is written."""
    page = facts.url
    if not is_web(one.url):
        message = f"{quoted(one.written)} is no address of a page."
        yield UNREADABLE.point(page, message, selector=one.selector, snippet=_snippet(page))
        return
    if not is_web(one.written):
        message = f"{quoted(one.written)} depends on where the page is read from."
        yield RELATIVE.point(page, message, selector=one.selector, snippet=_snippet(one.url))
    if "#" in one.url:
        yield FRAGMENT.point(page, evidence=one.url, snippet=_snippet(plain(one.url)))
    if is_secure(page) and not is_secure(one.url):
        yield INSECURE.point(
            page, evidence=one.url, snippet=_snippet(one.url.replace("http://", "https://", 1))
        )


def _place(facts: SearchFacts, one: Named) -> Iterator[Point]:
    """Whether the canonical leads elsewhere; a preview's public host may not have the page yet."""
    page = facts.url
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
        yield TO_HOME.point(page, evidence=one.url)
    else:
        yield ELSEWHERE.point(page, evidence=one.url)


def _is_of_phones(page: str, named: str) -> bool:
    """Whether the page is the one for phones, which has to name the one for desktops."""
    return any(site(page) == f"{prefix}.{site(named)}" for prefix in ("m", "mobile", "amp"))


def _troubles(facts: SearchFacts, one: Named) -> Iterator[Point]:
    """What keeps the canonical address from being indexed, worst first."""
    target, page = facts.canonical, facts.url
    if target is None or target.final is None:
        return
    if is_gone(target):
        message = f"It answers {target.status}; search engines then choose by themselves."
        yield BROKEN.point(page, message, evidence=one.url)
        return
    if facts.canonical_document and is_noindexed(facts.canonical_document, target):
        yield NOINDEXED.point(page, evidence=one.url)
    if target.ok:
        yield from _ways(facts, one, target)


def _ways(facts: SearchFacts, one: Named, target: Fetched) -> Iterator[Point]:
    """Whether the target redirects, and where to."""
    page = facts.url
    # That an http address leads on to https is no further news.
    if is_secure(page) and not is_secure(one.url):
        return
    further = (
        canonical_address(facts.canonical_document, target) if facts.canonical_document else ""
    )
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
        yield OVERRULED.point(facts.url, message, evidence=console.user_canonical)


def _snippet(url: str) -> str:
    return f'<link rel="canonical" href="{attribute(url)}">'
