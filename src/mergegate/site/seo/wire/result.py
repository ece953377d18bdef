"""SEO report → the API's SEO scan result (service specification, decisions)."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from mergegate.repo.wire.receipt import engine
from mergegate.site.render.images import embedded
from mergegate.site.seo.facts import SearchConsole
from mergegate.site.seo.report import KeywordAnalysis, Point, Recommendation, SeoReport
from mergegate.site.seo.report_page import PageData, Recoverable
from mergegate.site.seo.wire.crawlability import crawlability
from mergegate.site.seo.wire.shapes import (
    AlternateOut,
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
    ResultPreviewOut,
    SearchConsoleOut,
    SeoResult,
    SharePreviewOut,
    SocialTagOut,
    SuggestionsOut,
)

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
        crawlability=crawlability(report),
        ai_suggestions=_suggestions(report),
        competitor_page_data=page_data(rival) if rival else None,
        competitor_findings=_points(report.competitor_points) if rival else None,
        url=report.url,
        score_breakdown=tuple(_deductions(report)),
        competitor_score=report.competitor_score if rival else None,
        competitor_gaps=tuple(GapOut(**asdict(one)) for one in report.gaps) if rival else None,
        sent_page_data=page_data(report.sent_page) if report.sent_page else None,
        search_previews=tuple(ResultPreviewOut(**asdict(one)) for one in report.results),
        share_previews=tuple(SharePreviewOut(**asdict(one)) for one in report.shares),
        share_picture=embedded(report.facts.social_image) or None,
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
