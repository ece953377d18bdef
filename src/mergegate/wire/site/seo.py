"""SEO report → the API's SEO scan result (service specification, decisions)."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from mergegate.model.facts.search import RobotsRule, SearchConsole, SearchFacts, Sitemap
from mergegate.model.facts.web import Fetched
from mergegate.model.site.seo import (
    CrawlerPolicy,
    KeywordAnalysis,
    Point,
    Recommendation,
    SeoReport,
)
from mergegate.model.site.seo_page import PageData, Recoverable
from mergegate.wire.receipt import engine
from mergegate.wire.site.seo_shapes import (
    AlternateOut,
    CrawlabilityOut,
    CrawlerOut,
    DeductionOut,
    GapOut,
    HeadingOut,
    KeywordOut,
    PageDataOut,
    PassageOut,
    PointOut,
    ProposalOut,
    QueryOut,
    RecommendationOut,
    RenderingOut,
    ResultPreviewOut,
    RobotsOut,
    RobotsProblemOut,
    RobotsRuleOut,
    SearchConsoleOut,
    SeoResult,
    SitemapOut,
    SocialTagOut,
    SuggestionsOut,
    VariantOut,
)

_KINDS = frozenset({"urlset", "index", "text"})
_MOST_SITEMAPS = 100
"""Of those that robots.txt names: a hostile one names thousands."""
_TOLD_OF_CONSOLE = SearchConsoleOut.model_fields.keys() - {"queries"}
_TOLD_OF_PAGE = PageDataOut.model_fields.keys() - {"headings", "hreflang", "social"}


def to_json(report: SeoReport) -> str:
    """The result resource as indented JSON with a final line break."""
    return result(report).model_dump_json(by_alias=True, indent=2) + "\n"


def result(report: SeoReport) -> SeoResult:
    """Every field of the specification, and what is known beyond it."""
    rival = report.competitor_page
    return SeoResult(
        id=report.id,
        status="done",
        score=report.score,
        page_data=page_data(report.page),
        findings=_points(report.points),
        keyword_analyses=tuple(map(_keyword, report.keywords)),
        crawlability=_crawlability(report),
        ai_suggestions=_suggestions(report),
        competitor_page_data=page_data(rival) if rival else None,
        competitor_findings=_points(report.competitor_points) if rival else None,
        url=report.url,
        score_breakdown=tuple(_deductions(report)),
        competitor_score=report.competitor_score if rival else None,
        competitor_gaps=tuple(GapOut(**asdict(one)) for one in report.gaps) if rival else None,
        search_previews=tuple(ResultPreviewOut(**asdict(one)) for one in report.results),
        search_console=_console(report.console, report.queries) if report.console else None,
        skipped=report.skipped,
        engines=tuple(map(engine, report.engines)),
        created_at=report.created_at,
        completed_at=report.completed_at,
        tool_version=report.tool_version,
    )


def page_data(page: PageData) -> PageDataOut:
    """``pageData`` of one page."""
    plain = {name: getattr(page, name) for name in _TOLD_OF_PAGE}
    return PageDataOut(
        **plain,
        headings=tuple(HeadingOut(level=level, text=text) for level, text in page.headings),
        hreflang=tuple(AlternateOut(language=code, url=url) for code, url in page.hreflang),
        social=tuple(SocialTagOut(name=name, content=text) for name, text in page.social),
    )


def _points(points: Iterable[Point]) -> tuple[PointOut, ...]:
    return tuple(map(_point, points))


def _point(one: Point) -> PointOut:
    return PointOut(
        id=one.id,
        rule_id=one.rule,
        severity=one.severity.label,
        category=one.theme.value,
        ground=one.ground.value,
        title=one.title,
        message=one.message,
        url=one.url,
        selector=one.selector,
        evidence=one.evidence,
        remedy=one.remedy,
        snippet=one.snippet,
        references=(one.source,) if one.source else (),
        count=one.count,
    )


def _keyword(one: KeywordAnalysis) -> KeywordOut:
    return KeywordOut(**asdict(one))


def _crawlability(report: SeoReport) -> CrawlabilityOut:
    facts = report.facts
    reasons = tuple(one.title for one in report.hidden_by)
    return CrawlabilityOut(
        indexable=not reasons,
        reasons=reasons,
        redirect_chain=tuple(one.url for one in facts.page.answers),
        robots=_robots(facts),
        sitemaps=tuple(map(_sitemap, facts.sitemaps)),
        in_sitemap=any(one.lists_page for one in facts.sitemaps),
        crawlers=tuple(_crawler(one, facts) for one in report.crawlers),
        canonical_status=_status(facts.canonical),
        variants=tuple(map(_variant, facts.variants)),
        unknown_address_status=_status(facts.nonsense),
        llms_txt_status=_status(facts.llms),
        rendering=_rendering(report),
        notes=facts.notes,
    )


def _robots(facts: SearchFacts) -> RobotsOut | None:
    robots = facts.robots
    if robots is None:
        return None
    return RobotsOut(
        url=robots.fetched.url,
        state=robots.state,
        status=robots.fetched.status,
        sitemaps=robots.sitemaps[:_MOST_SITEMAPS],
        problems=tuple(RobotsProblemOut(line=at, problem=what) for at, what in robots.problems),
    )


def _sitemap(one: Sitemap) -> SitemapOut:
    return SitemapOut(
        url=one.fetched.url,
        source=one.source,
        status=one.fetched.status,
        kind=one.kind if one.kind in _KINDS else "",
        entries=one.entries,
        lists_page=one.lists_page,
        page_lastmod=one.page_lastmod,
        problems=one.problems,
    )


def _crawler(one: CrawlerPolicy, facts: SearchFacts) -> CrawlerOut:
    rule = facts.robots.matched.get(one.token) if facts.robots else None
    return CrawlerOut(
        token=one.token,
        operator=one.operator,
        purpose=one.purpose,
        allowed=one.allowed,
        rule=_rule(rule) if rule else None,
        asked=one.answer is not None,
        status=one.answer.status if one.answer else None,
        same_text=one.answer.same if one.answer else None,
    )


def _rule(rule: RobotsRule) -> RobotsRuleOut:
    return RobotsRuleOut(allow=rule.allow, pattern=rule.pattern, line=rule.line)


def _variant(one: Fetched) -> VariantOut:
    return VariantOut(url=one.url, status=one.status, leads_to=one.final_url)


def _status(fetched: Fetched | None) -> int | None:
    return fetched.status if fetched else None


def _rendering(report: SeoReport) -> RenderingOut | None:
    """Present when it was asked for, also when it failed."""
    rendered, seen, sent = report.facts.rendered, report.page, report.sent_page or report.page
    if rendered is None:
        return None
    return RenderingOut(
        failure=rendered.failure,
        words_sent=sent.words,
        words_rendered=seen.words,
        links_sent=sent.internal_links + sent.external_links,
        links_rendered=seen.internal_links + seen.external_links,
        title_sent=sent.title,
        description_sent=sent.description,
        headings_sent=sent.heading_count,
        headings_rendered=seen.heading_count,
        schema_types_sent=sent.schema_types,
    )


def _suggestions(report: SeoReport) -> SuggestionsOut:
    return SuggestionsOut(
        summary=report.summary,
        recommendations=tuple(map(_recommendation, report.recommendations)),
        proposals=tuple(ProposalOut(**asdict(one)) for one in report.proposals),
        passages=tuple(PassageOut(**asdict(one)) for one in report.passages),
    )


def _recommendation(one: Recommendation) -> RecommendationOut:
    return RecommendationOut(
        title=one.title, message=one.message, finding_ids=one.point_ids, gain=one.gain
    )


def _deductions(report: SeoReport) -> Iterator[DeductionOut]:
    for theme, points, counted in report.deductions:
        yield DeductionOut(category=theme.value, points=points, counted=counted)


def _console(console: SearchConsole, queries: Iterable[Recoverable]) -> SearchConsoleOut:
    plain = {name: getattr(console, name) for name in _TOLD_OF_CONSOLE}
    return SearchConsoleOut(**plain, queries=tuple(map(_query, queries)))


def _query(one: Recoverable) -> QueryOut:
    return QueryOut(
        **asdict(one.row), expected_ctr=one.expected_ctr, recoverable_clicks=round(one.clicks, 1)
    )
