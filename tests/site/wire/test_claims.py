"""What a host claims of a site and its own figures do not bear out passes no gate."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.render.formats import Surface
from mergegate.sandbox.fetched import Answer, Fetched
from mergegate.site.audit.budget import Violation
from mergegate.site.audit.report import AuditReport
from mergegate.site.audit.wire import result
from mergegate.site.audit.wire.result import read_audit_report
from mergegate.site.browser_test.wire import result as browser_test
from mergegate.site.browser_test.wire.result import read_browser_test
from mergegate.site.render.formats import SEO_FORMATS
from mergegate.site.security.report import risk_score
from mergegate.site.security.wire import result as security
from mergegate.site.security.wire.result import read_security_scan
from mergegate.site.seo.facts import CrawlerAnswer, SearchFacts, Sitemap
from mergegate.site.seo.report import SeoReport, draw_up
from mergegate.site.seo.wire import result as seo
from mergegate.site.seo.wire.result import read_seo
from tests.site.render import samples, seo_samples
from tests.site.security.render import samples as security_samples

Change = Callable[[dict[str, Any]], object]


def changed(text: str, change: Change) -> bytes:
    document = json.loads(text)
    change(document)
    return json.dumps(document).encode()


def test_a_security_score_is_never_better_than_its_findings() -> None:
    honest = security_samples.bad()
    best: dict[str, Any] = {"riskScore": 100, "grade": "A+", "deductions": {}}
    report = read_security_scan(changed(security.to_json(honest), lambda one: one.update(best)))
    drawn = risk_score(honest.flaws)
    assert (report.score, report.grade, report.deductions) == (
        drawn.score,
        drawn.grade,
        drawn.deductions,
    )
    assert report.score < 100


def test_an_seo_score_is_never_better_than_its_findings() -> None:
    honest = seo_samples.tea()
    best: dict[str, Any] = {"score": 100, "scoreBreakdown": []}
    report = read_seo(changed(seo.to_json(honest), lambda one: one.update(best)))
    assert (report.score, report.deductions) == draw_up(honest.points)
    assert report.score < 100


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.update(findings=[]),
        lambda one: one["counts"].update(critical=9),
        lambda one: one.update(engines=[]),
    ],
)
def test_a_security_scan_that_leaves_out_what_it_counts_is_refused(change: Change) -> None:
    with pytest.raises(UsageError, match="no result of a security scan"):
        read_security_scan(changed(security.to_json(security_samples.bad()), change))


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.update(pages=[], pagesVisited=0),
        lambda one: one["pages"].pop(),
        lambda one: one["pages"][0].update(failure="it crashed"),
        lambda one: one["pages"][0].update(status=503),
        lambda one: one.update(engines=[]),
    ],
)
def test_a_browser_test_of_no_page_is_refused(change: Change) -> None:
    with pytest.raises(UsageError, match="no result of a browser test"):
        read_browser_test(changed(browser_test.to_json(samples.broken()), change))


def heard(honest: AuditReport, change: Change) -> AuditReport:
    return read_audit_report(changed(result.to_json(honest), change), honest.held_to)


def held() -> AuditReport:
    """Over its budget: LCP and a third party for certain, TBT within the noise."""
    return samples.shop()


def told(violations: tuple[Violation, ...] | None) -> dict[str, bool]:
    return {one.key: one.certain for one in violations or ()}


def test_an_audit_that_is_silent_on_its_budget_is_held_to_it_all_the_same() -> None:
    honest = held()
    report = heard(honest, lambda one: one.update(budgetViolations=[], violationDetails=[]))
    assert told(report.violations) == told(honest.violations)


def test_an_audit_that_calls_noise_what_is_none_is_not_believed() -> None:
    honest = held()

    def calm(document: dict[str, Any]) -> None:
        for one in document["violationDetails"]:
            one["certain"] = False

    assert heard(honest, calm).violations == honest.violations


def test_what_only_the_host_knows_to_be_over_the_budget_stays() -> None:
    def add(document: dict[str, Any]) -> None:
        document["budgetViolations"].append({"key": "inp", "limit": 200, "actual": 300})
        document["violationDetails"].append({"key": "inp", "cause": "", "certain": True})

    assert told(heard(held(), add).violations) == told(held().violations) | {"inp": True}


def test_an_audit_as_another_device_than_the_budgets_is_refused() -> None:
    def swap(document: dict[str, Any]) -> None:
        document["device"] = document["perfBudget"]["device"] = "desktop"

    with pytest.raises(UsageError, match="the budget is for mobile"):
        heard(held(), swap)


def rich() -> SeoReport:
    """With everything of the facts that some format shows."""
    report = seo_samples.tea()
    facts = report.facts
    robots = facts.robots
    assert robots is not None
    index = Sitemap(
        fetched=Fetched(url="https://tea.example.org/index.xml"),
        source="robots.txt",
        kind="index",
        children=tuple(f"https://tea.example.org/{number}.xml" for number in range(300)),
    )
    first, *others = report.crawlers
    silent = CrawlerAnswer(token=first.token, status=None, failure="it hung up")
    page = Answer(url="", status=200, headers=(("content-type", "text/html; charset=utf-8"),))
    more = replace(
        facts,
        robots=replace(robots, sitemaps=tuple(f"https://a.example/{n}.xml" for n in range(150))),
        sitemaps=(*facts.sitemaps, index),
        llms=Fetched(url="https://tea.example.org/llms.txt", answers=(page,)),
    )
    return replace(report, facts=more, crawlers=(replace(first, answer=silent), *others))


@pytest.mark.parametrize("name", SEO_FORMATS)
def test_every_fact_that_a_format_shows_is_told(name: str) -> None:
    report = rich()
    again = read_seo(seo.to_json(report).encode())
    surface = Surface(width=100, verbose=True)
    assert SEO_FORMATS[name].render(again, surface) == SEO_FORMATS[name].render(report, surface)


def test_what_a_search_console_leaves_out_is_told_apart_from_what_the_scan_does() -> None:
    report = seo_samples.tea()
    assert report.console is not None
    noted = replace(report.console, notes=("No queries.",))
    facts: SearchFacts = replace(report.facts, console=noted, notes=("No queries.", "No robots."))
    again = read_seo(seo.to_json(replace(report, facts=facts)).encode())
    assert again.console is not None
    assert (again.console.notes, again.facts.notes) == (noted.notes, facts.notes)


def test_hosts_of_before_tell_less_of_a_page() -> None:
    def forget(document: dict[str, Any]) -> None:
        for name in ("sentPageData", "sharePreviews", "sharePicture"):
            del document[name]
        for name in ("redirectStatuses", "sitemapsNamed", "llmsTxtType"):
            del document["crawlability"][name]
        for one in document["crawlability"]["crawlers"]:
            del one["failure"]

    report = read_seo(changed(seo.to_json(seo_samples.tea()), forget))
    assert (report.sent_page, report.shares, report.facts.social_image) == (None, (), None)
    assert [one.status for one in report.facts.page.answers] == [200]
    for form in SEO_FORMATS.values():
        form.render(report, Surface())


@pytest.mark.parametrize(
    "picture",
    [
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:image/png;base64,%%%",
        "data:image/png;base64,A",
        "https://pictures.example.org/1.png",
        "data:image/png;base64," + "A" * 1_000_000,
    ],
)
def test_a_picture_that_is_none_is_left_out(picture: str) -> None:
    content = changed(seo.to_json(seo_samples.tea()), lambda one: one.update(sharePicture=picture))
    assert read_seo(content).facts.social_image is None


def test_as_many_statuses_as_hops_or_it_is_refused() -> None:
    def drop(document: dict[str, Any]) -> None:
        document["crawlability"]["redirectStatuses"].pop()

    with pytest.raises(UsageError, match="no result of a finished SEO analysis"):
        read_seo(changed(seo.to_json(seo_samples.tea()), drop))
