"""``crawlability`` and what belongs to it → facts, as far as the result tells them; all hostile."""

import base64
import binascii
import re
from collections.abc import Iterable

from mergegate.sandbox.web.fetched import Answer, Fetched
from mergegate.site.document.facts import Document
from mergegate.site.render.images import LARGEST
from mergegate.site.seo.facts import (
    QueryRow,
    Rendered,
    Robots,
    RobotsRule,
    SearchConsole,
    SearchFacts,
    Sitemap,
)
from mergegate.site.seo.report_page import PageData
from mergegate.site.seo.wire.shapes import (
    CrawlabilityOut,
    CrawlerOut,
    QueryOut,
    RenderingOut,
    RobotsOut,
    SearchConsoleOut,
    SeoResult,
    SitemapOut,
    VariantOut,
)

_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+={0,2})")
_FOUND = 200
_NOTHING = "there was no answer"


def facts(result: SeoResult, page: PageData) -> SearchFacts:
    """What of the facts is told; the documents are empty, for a report has their figures."""
    crawling = result.crawlability
    return SearchFacts(
        page=_way(result.url, crawling, page),
        document=Document(url=page.url),
        rendered=_rendered(crawling.rendering, page),
        robots=_robots(crawling.robots, crawling.crawlers) if crawling.robots else None,
        sitemaps=tuple(map(_sitemap, crawling.sitemaps)),
        sitemaps_told=crawling.sitemaps_named,
        llms=_llms(crawling),
        nonsense=_answered("", crawling.unknown_address_status),
        canonical=_answered(page.canonical, crawling.canonical_status),
        social_image=_picture(result.share_picture or ""),
        variants=tuple(map(_variant, crawling.variants)),
        console=_console(result.search_console) if result.search_console else None,
        notes=crawling.notes,
    )


def row(given: QueryOut) -> QueryRow:
    """What people searched for."""
    return QueryRow(**given.model_dump(exclude={"expected_ctr", "recoverable_clicks"}))


def _way(url: str, crawling: CrawlabilityOut, page: PageData) -> Fetched:
    """Hosts of before tell no statuses but the last."""
    if page.status is None:
        return Fetched(url=url, failure=_NOTHING)
    chain, statuses = crawling.redirect_chain, crawling.redirect_statuses
    if not statuses:
        chain, statuses = chain[-1:] or (url,), (page.status,)
    hops = zip(chain, statuses, strict=True)
    return Fetched(url=url, answers=tuple(Answer(url=at, status=it) for at, it in hops))


def _rendered(given: RenderingOut | None, page: PageData) -> Rendered | None:
    if given is None:
        return None
    return Rendered(document=Document(url=page.url), final_url=page.url, failure=given.failure)


def _robots(given: RobotsOut, crawlers: Iterable[CrawlerOut]) -> Robots:
    told = {one.token: one for one in crawlers}
    rules = {name: one.rule for name, one in told.items() if one.rule is not None}
    return Robots(
        fetched=_fetched(given.url, given.status),
        state=given.state,
        sitemaps=given.sitemaps,
        problems=tuple((one.line, one.problem) for one in given.problems),
        allowed={name: one.allowed for name, one in told.items()},
        matched={name: RobotsRule(**rule.model_dump()) for name, rule in rules.items()},
    )


def _sitemap(given: SitemapOut) -> Sitemap:
    return Sitemap(
        **given.model_dump(exclude={"url", "status"}), fetched=_fetched(given.url, given.status)
    )


def _variant(given: VariantOut) -> Fetched:
    return _fetched(given.url, given.status, given.leads_to)


def _llms(crawling: CrawlabilityOut) -> Fetched | None:
    if crawling.llms_txt_status is None:
        return None
    headers = (("content-type", crawling.llms_txt_type),)
    answer = Answer(url="", status=crawling.llms_txt_status, headers=headers)
    return Fetched(url="", answers=(answer,))


def _picture(uri: str) -> Fetched | None:
    """None for what is none; how large it unpacks is looked at where it is shown."""
    found = _PICTURE.fullmatch(uri) if len(uri) <= LARGEST else None
    try:
        image = base64.b64decode(found[1], validate=True) if found else b""
    except binascii.Error:
        return None
    return Fetched(url="", answers=(Answer(url="", status=_FOUND),), body=image) if image else None


def _answered(url: str, status: int | None) -> Fetched | None:
    return None if status is None else _fetched(url, status)


def _fetched(url: str, status: int | None, ended: str = "") -> Fetched:
    if status is None:
        return Fetched(url=url, failure=_NOTHING)
    return Fetched(url=url, answers=(Answer(url=ended or url, status=status),))


def _console(given: SearchConsoleOut) -> SearchConsole:
    rows = tuple(map(row, given.queries))
    return SearchConsole(**given.model_dump(exclude={"queries"}), rows=rows)
