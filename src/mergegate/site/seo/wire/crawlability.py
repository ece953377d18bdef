"""What an SEO report says of crawlers → ``crawlability`` of the API's SEO scan result."""

from mergegate.sandbox.web.fetched import Fetched
from mergegate.site.seo.facts import RobotsRule, SearchFacts, Sitemap
from mergegate.site.seo.report import CrawlerPolicy, SeoReport
from mergegate.site.seo.wire.shapes import (
    CrawlabilityOut,
    CrawlerOut,
    RenderingOut,
    RobotsOut,
    RobotsProblemOut,
    RobotsRuleOut,
    SitemapOut,
    VariantOut,
)

_KINDS = frozenset({"urlset", "index", "text"})
_MOST_SITEMAPS = 100
"""Of those that robots.txt names: a hostile one names thousands."""


def crawlability(report: SeoReport) -> CrawlabilityOut:
    """Whether and how crawlers get to the page."""
    facts = report.facts
    reasons = tuple(one.title for one in report.hidden_by)
    return CrawlabilityOut(
        indexable=not reasons,
        reasons=reasons,
        redirect_chain=tuple(one.url for one in facts.page.answers),
        redirect_statuses=tuple(one.status for one in facts.page.answers),
        robots=_robots(facts),
        sitemaps=tuple(map(_sitemap, facts.sitemaps)),
        sitemaps_named=facts.sitemaps_named,
        in_sitemap=any(one.lists_page for one in facts.sitemaps),
        crawlers=tuple(_crawler(one, facts) for one in report.crawlers),
        canonical_status=_status(facts.canonical),
        variants=tuple(map(_variant, facts.variants)),
        unknown_address_status=_status(facts.nonsense),
        llms_txt_status=_status(facts.llms),
        llms_txt_type=facts.llms.header("content-type") if facts.llms else "",
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
        failure=one.answer.failure if one.answer else "",
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
