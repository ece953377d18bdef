"""The API's SEO scan result → report; another machine wrote it, so all of it is hostile.

The result tells what the analysis came to, not every fact that it rests on. What cannot be told
from it stays out of the report: statuses of redirects, the picture of a shared link, and of the
page as it was sent all that ``rendering`` does not repeat.
"""

from collections.abc import Iterable
from dataclasses import replace

from mergegate.checks.seo.previews import shares
from mergegate.model.facts.document import Document, Meta
from mergegate.model.facts.search import (
    CrawlerAnswer,
    QueryRow,
    Rendered,
    Robots,
    RobotsRule,
    SearchConsole,
    SearchFacts,
    Sitemap,
)
from mergegate.model.facts.web import Answer, Fetched
from mergegate.model.severity import Severity
from mergegate.model.site.seo import (
    CrawlerPolicy,
    Gap,
    Ground,
    KeywordAnalysis,
    Passage,
    Point,
    Recommendation,
    SeoReport,
    Theme,
)
from mergegate.model.site.seo_page import PageData, Proposal, Recoverable, ResultPreview
from mergegate.wire.site.document_reading import engine_runs, read_as
from mergegate.wire.site.seo_shapes import (
    CrawlerOut,
    KeywordOut,
    PageDataOut,
    PointOut,
    QueryOut,
    RecommendationOut,
    RenderingOut,
    RobotsOut,
    SearchConsoleOut,
    SeoResult,
    SitemapOut,
    VariantOut,
)

_WHAT = "a finished SEO analysis"
_PAIRS = {"headings", "hreflang", "social"}


def read_seo(content: bytes) -> SeoReport:
    """The report in ``content``, of a scan that is done; raises UsageError."""
    return read_as(content, SeoResult, _report, _WHAT)


def _report(result: SeoResult) -> SeoReport:
    if result.status != "done":
        raise ValueError("status is not done")
    page, told = _page(result.page_data), result.ai_suggestions
    facts = _facts(result, page)
    rival = result.competitor_page_data
    return SeoReport(
        id=result.id,
        url=result.url,
        score=result.score,
        facts=facts,
        points=_points(result.findings),
        keywords=tuple(map(_keyword, result.keyword_analyses)),
        passages=tuple(Passage(**one.model_dump()) for one in told.passages),
        crawlers=tuple(map(_crawler, result.crawlability.crawlers)),
        recommendations=tuple(map(_recommendation, told.recommendations)),
        competitor_score=result.competitor_score,
        competitor_points=_points(result.competitor_findings or ()),
        gaps=tuple(Gap(**one.model_dump()) for one in result.competitor_gaps or ()),
        deductions=tuple(
            (Theme(one.category), one.points, one.counted) for one in result.score_breakdown
        ),
        page=page,
        sent_page=_sent(page, result.crawlability.rendering),
        competitor_page=_page(rival) if rival else None,
        results=tuple(ResultPreview(**one.model_dump()) for one in result.search_previews),
        shares=shares(facts),
        proposals=tuple(Proposal(**one.model_dump()) for one in told.proposals),
        queries=_queries(result.search_console),
        skipped=result.skipped,
        summary=told.summary,
        engines=engine_runs(result.engines),
        created_at=result.created_at,
        completed_at=result.completed_at,
        tool_version=result.tool_version,
    )


def _page(given: PageDataOut) -> PageData:
    return PageData(
        **given.model_dump(exclude=_PAIRS),
        headings=tuple((one.level, one.text) for one in given.headings),
        hreflang=tuple((one.language, one.url) for one in given.hreflang),
        social=tuple((one.name, one.content) for one in given.social),
    )


def _points(given: Iterable[PointOut]) -> tuple[Point, ...]:
    return tuple(map(_point, given))


def _point(given: PointOut) -> Point:
    apart = {"rule_id", "severity", "category", "ground", "references"}
    return Point(
        **given.model_dump(exclude=apart),
        rule=given.rule_id,
        severity=Severity.named(given.severity),
        theme=Theme(given.category),
        ground=Ground(given.ground),
        source=next(iter(given.references), ""),
    )


def _keyword(given: KeywordOut) -> KeywordAnalysis:
    return KeywordAnalysis(**given.model_dump())


def _recommendation(given: RecommendationOut) -> Recommendation:
    return Recommendation(
        title=given.title, message=given.message, point_ids=given.finding_ids, gain=given.gain
    )


def _crawler(given: CrawlerOut) -> CrawlerPolicy:
    answer = CrawlerAnswer(token=given.token, status=given.status, same=given.same_text)
    return CrawlerPolicy(
        token=given.token,
        operator=given.operator,
        purpose=given.purpose,
        allowed=given.allowed,
        answer=answer if given.asked else None,
    )


def _facts(result: SeoResult, page: PageData) -> SearchFacts:
    crawling = result.crawlability
    return SearchFacts(
        page=_way(result.url, crawling.redirect_chain, page),
        document=_document(page),
        rendered=_rendered(crawling.rendering, page),
        robots=_robots(crawling.robots, crawling.crawlers) if crawling.robots else None,
        sitemaps=tuple(map(_sitemap, crawling.sitemaps)),
        llms=_answered("", crawling.llms_txt_status),
        nonsense=_answered("", crawling.unknown_address_status),
        canonical=_answered(page.canonical, crawling.canonical_status),
        variants=tuple(map(_variant, crawling.variants)),
        console=_console(result.search_console) if result.search_console else None,
        notes=crawling.notes,
    )


def _way(url: str, chain: tuple[str, ...], page: PageData) -> Fetched:
    """The last answer alone: the result does not say what the others' statuses were."""
    if page.status is None:
        return Fetched(url=url, failure="there was no answer")
    return Fetched(url=url, answers=(Answer(url=chain[-1] if chain else url, status=page.status),))


def _document(page: PageData) -> Document:
    """What the previews of a shared link are made of."""
    metas = (*page.social, ("description", page.description))
    return Document(
        url=page.url,
        titles=(page.title,),
        metas=tuple(Meta(kind="name", name=name, content=text) for name, text in metas),
    )


def _rendered(given: RenderingOut | None, page: PageData) -> Rendered | None:
    if given is None:
        return None
    return Rendered(document=_document(page), final_url=page.url, failure=given.failure)


def _sent(page: PageData, given: RenderingOut | None) -> PageData | None:
    """The page as it was sent; None where it was not rendered too."""
    if given is None or given.failure:
        return None
    return replace(
        page,
        rendered=False,
        title=given.title_sent,
        description=given.description_sent,
        words=given.words_sent,
        internal_links=given.links_sent,
        external_links=0,
        heading_count=given.headings_sent,
        schema_types=given.schema_types_sent,
    )


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
    if given.status is None:
        return Fetched(url=given.url, failure="there was no answer")
    return Fetched(url=given.url, answers=(Answer(url=given.leads_to, status=given.status),))


def _answered(url: str, status: int | None) -> Fetched | None:
    return None if status is None else _fetched(url, status)


def _fetched(url: str, status: int | None) -> Fetched:
    if status is None:
        return Fetched(url=url, failure="there was no answer")
    return Fetched(url=url, answers=(Answer(url=url, status=status),))


def _console(given: SearchConsoleOut) -> SearchConsole:
    rows = tuple(one.row for one in _queries(given))
    return SearchConsole(**given.model_dump(exclude={"queries"}), rows=rows)


def _queries(given: SearchConsoleOut | None) -> tuple[Recoverable, ...]:
    return tuple(map(_query, given.queries)) if given else ()


def _query(given: QueryOut) -> Recoverable:
    row = QueryRow(**given.model_dump(exclude={"expected_ctr", "recoverable_clicks"}))
    return Recoverable(row=row, expected_ctr=given.expected_ctr, clicks=given.recoverable_clicks)
