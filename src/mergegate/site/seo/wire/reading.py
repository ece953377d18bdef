"""The API's SEO scan result → report; another machine wrote it, so all of it is hostile."""

from collections.abc import Iterable, Sequence

from mergegate.core.severity import Severity
from mergegate.site.seo.facts import CrawlerAnswer
from mergegate.site.seo.report import (
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
from mergegate.site.seo.report_page import (
    PageData,
    Proposal,
    Recoverable,
    ResultPreview,
    SharePreview,
)
from mergegate.site.seo.score import Deduction, draw_up
from mergegate.site.seo.wire.crawl_reading import facts, row
from mergegate.site.seo.wire.shapes import (
    CrawlerOut,
    KeywordOut,
    PageDataOut,
    PointOut,
    QueryOut,
    RecommendationOut,
    SearchConsoleOut,
    SeoResult,
)
from mergegate.site.wire.document_reading import engine_runs, read_as

_WHAT = "a finished SEO analysis"
_PAIRS = {"headings", "hreflang", "social"}


def read_seo(content: bytes) -> SeoReport:
    """The report in ``content``, of a scan that is done; raises UsageError."""
    return read_as(content, SeoResult, _report, _WHAT)


def _report(result: SeoResult) -> SeoReport:
    if result.status != "done":
        raise ValueError("status is not done")
    page, told = _page(result.page_data), result.ai_suggestions
    sent, rival = result.sent_page_data, result.competitor_page_data
    points, theirs = _points(result.findings), _points(result.competitor_findings or ())
    score, deductions = _score(result, points)
    return SeoReport(
        id=result.id,
        url=result.url,
        score=score,
        facts=facts(result, page),
        points=points,
        keywords=tuple(map(_keyword, result.keyword_analyses)),
        passages=tuple(Passage(**one.model_dump()) for one in told.passages),
        crawlers=tuple(map(_crawler, result.crawlability.crawlers)),
        recommendations=tuple(map(_recommendation, told.recommendations)),
        competitor_score=result.competitor_score,
        competitor_points=theirs,
        gaps=tuple(Gap(**one.model_dump()) for one in result.competitor_gaps or ()),
        deductions=deductions,
        page=page,
        sent_page=_page(sent) if sent else None,
        competitor_page=_page(rival) if rival else None,
        results=tuple(ResultPreview(**one.model_dump()) for one in result.search_previews),
        shares=tuple(SharePreview(**one.model_dump()) for one in result.share_previews),
        proposals=tuple(Proposal(**one.model_dump()) for one in told.proposals),
        queries=_queries(result.search_console),
        skipped=result.skipped,
        summary=told.summary,
        engines=engine_runs(result.engines),
        created_at=result.created_at,
        completed_at=result.completed_at,
        tool_version=result.tool_version,
    )


def _score(result: SeoResult, points: Sequence[Point]) -> tuple[int, tuple[Deduction, ...]]:
    """As it is told, and never better than the findings make it."""
    drawn, deductions = draw_up(points)
    if drawn < result.score:
        return drawn, deductions
    told = ((Theme(one.category), one.points, one.counted) for one in result.score_breakdown)
    return result.score, tuple(told)


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
    answer = CrawlerAnswer(
        token=given.token, status=given.status, same=given.same_text, failure=given.failure
    )
    return CrawlerPolicy(
        token=given.token,
        operator=given.operator,
        purpose=given.purpose,
        allowed=given.allowed,
        answer=answer if given.asked else None,
    )


def _queries(given: SearchConsoleOut | None) -> tuple[Recoverable, ...]:
    return tuple(map(_query, given.queries)) if given else ()


def _query(given: QueryOut) -> Recoverable:
    return Recoverable(
        row=row(given), expected_ctr=given.expected_ctr, clicks=given.recoverable_clicks
    )
