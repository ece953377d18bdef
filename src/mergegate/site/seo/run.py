"""The line of an SEO analysis: visit → what crawlers are told and get → points → score → report."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from mergegate.core.errors import (
    EngineError,
    MergegateError,
    TargetError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
)
from mergegate.core.render.escape import visible
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.site.report import Toolbox, finished
from mergegate.site.seo.checks import points
from mergegate.site.seo.checks.ai_search import policies
from mergegate.site.seo.checks.competitor import gaps
from mergegate.site.seo.checks.keywords import analyse as analyse_keywords
from mergegate.site.seo.checks.keywords import points as keyword_points
from mergegate.site.seo.checks.page import DESCRIPTION_PX, TITLE_PX, description_px, title_px
from mergegate.site.seo.checks.passages import passages
from mergegate.site.seo.checks.point import worst_first
from mergegate.site.seo.checks.rendering import is_empty, is_unfilled
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.keywords import keywords_of
from mergegate.site.seo.previews import page_data, proposals, ranked, results, shares
from mergegate.site.seo.report import KeywordAnalysis, Point, SeoReport, draw_up, gain
from mergegate.site.seo.summary import recommend, summarise_seo
from mergegate.site.seo.urls import site
from mergegate.site.words import cut

_LONGEST_REASON = 300
_LONGEST_HOST = 200
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_MARKUP = ("<!doctype html", "<html")
_REFUSALS = frozenset({401, 403, 407})
_LOCAL = (
    "The page stands on this machine or a private host: what only a public site has is not judged."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeoRequest:
    """What is to be analysed."""

    visit: Visit
    keywords: tuple[str, ...] = ()
    """Keywords in the form that :func:`keywords_of` returns."""
    competitor: Visit | None = None
    """A page to compare with; it is visited without credentials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeoToolbox(Toolbox):
    """What an analysis works with; built in ``tools.py``."""

    look: Callable[[Visit, dt.datetime], SearchFacts]
    """Gathers the facts about the page and what belongs to it."""
    look_at_competitor: Callable[[Visit, dt.datetime], SearchFacts]
    """Gathers the same facts about a competitor's page."""


@dataclass(frozen=True, slots=True)
class _Rival:
    """The competitor's page, or why there is nothing of it."""

    facts: SearchFacts | None = None
    points: tuple[Point, ...] = ()
    mishap: str = ""


def analyse(request: SeoRequest, toolbox: SeoToolbox) -> SeoReport:
    """Analyse a page, and another beside it; raises UsageError, TargetError or EngineError.

    Raises TargetNotAllowed, TargetUnreachable or TargetNotAnalysable when there is no page to
    analyse; what befalls the competitor's is told in ``SeoReport.skipped``.
    """
    keywords = keywords_of(request.keywords)
    started = toolbox.now()
    facts = _looked(toolbox.look, request.visit, started)
    rival = _rival(request.competitor, keywords, toolbox, started)
    report = _report(facts, keywords, rival, request)
    return finished(
        report,
        "seo_",
        started,
        toolbox,
        summarise=summarise_seo,
        credentials=request.visit.credentials,
    )


def judged(
    facts: SearchFacts, keywords: Sequence[str] = ()
) -> tuple[tuple[Point, ...], tuple[KeywordAnalysis, ...]]:
    """Everything that is wrong with a page, worst first, and where its keywords stand."""
    analyses = analyse_keywords(facts, keywords) if keywords else ()
    return worst_first(iter((*points(facts), *keyword_points(facts, analyses)))), analyses


def _looked(
    look: Callable[[Visit, dt.datetime], SearchFacts], visit: Visit, now: dt.datetime
) -> SearchFacts:
    facts = look(visit, now)
    mishap = _mishap(facts.page, visit.url)
    if mishap:
        raise mishap
    return _of_one_site(facts)


def _of_one_site(facts: SearchFacts) -> SearchFacts:
    """Scripts may lead a browser elsewhere: what it ends on is then not this page."""
    rendered = facts.rendered
    if rendered is None or rendered.failure:
        return facts
    ended = site(rendered.final_url)
    if ended == site(facts.url):
        return facts
    led = f"its scripts lead to {visible(ended[:_LONGEST_HOST]) or 'an address without a host'}"
    return replace(facts, rendered=replace(rendered, failure=led))


def _mishap(page: Fetched, url: str) -> MergegateError | None:
    """The error that the page is, where it is none to analyse."""
    reason = visible(page.failure[:_LONGEST_REASON])
    if page.refused:
        return TargetNotAllowed(
            f"{url} may not be visited: {reason}",
            remedy="A private host of your own is named by --allow HOST:PORT.",
        )
    if page.final is None and not page.answered:
        return TargetUnreachable(
            f"{url} cannot be reached: {reason}", remedy="Is the address right, and the site up?"
        )
    if not page.ok:
        said = reason if page.final is None else f"it answers {page.status}"
        return _unanalysable(url, said, page.status)
    if not page.body.strip():
        return _unanalysable(url, "its answer is empty", page.status)
    if not _is_html(page):
        kind = visible(page.header("content-type")[:_LONGEST_REASON]) or "nothing that says so"
        return _unanalysable(url, f"it is no HTML but {kind}", page.status)
    return None


def _unanalysable(url: str, reason: str, status: int | None) -> TargetNotAnalysable:
    remedy = (
        "Send what opens it by --header or --cookie."
        if status in _REFUSALS
        else "Open it in a browser: what it says there is what people see."
    )
    return TargetNotAnalysable(f"{url} cannot be analysed: {reason}", remedy=remedy)


def _is_html(page: Fetched) -> bool:
    kind = page.header("content-type").partition(";")[0].strip().lower()
    return kind in _HTML or (not kind and page.text.lstrip()[:20].lower().startswith(_MARKUP))


def _rival(
    visit: Visit | None, keywords: Sequence[str], toolbox: SeoToolbox, now: dt.datetime
) -> _Rival:
    """The competitor's page, judged by the same keywords: else the scores were of two kinds."""
    if visit is None:
        return _Rival()
    try:
        facts = _looked(toolbox.look_at_competitor, visit, now)
    except (TargetError, EngineError) as error:
        return _Rival(mishap=f"The competitor's page was left out: {error.what}.")
    return _Rival(facts, judged(facts, keywords)[0])


def _report(
    facts: SearchFacts, keywords: Sequence[str], rival: _Rival, request: SeoRequest
) -> SeoReport:
    found, analyses = judged(facts, keywords)
    score, deductions = draw_up(found)
    page, sent = facts.best, facts.document
    report = SeoReport(
        url=request.visit.url,
        score=score,
        facts=facts,
        points=found,
        keywords=analyses,
        passages=passages(facts),
        crawlers=policies(facts),
        recommendations=recommend(found, lambda ended: gain(found, ended)),
        deductions=deductions,
        page=page_data(facts),
        sent_page=page_data(facts, sent) if page is not sent else None,
        results=results(facts),
        shares=shares(facts),
        proposals=proposals(page, found, _fits_title, _fits_description),
        queries=ranked(facts.console.rows) if facts.console else (),
        skipped=tuple(dict.fromkeys(_skipped(request.visit.url, facts, rival))),
        gaps=tuple(_gaps(facts)),
    )
    return _compared(report, rival)


def _compared(report: SeoReport, rival: _Rival) -> SeoReport:
    if rival.facts is None:
        return report
    return replace(
        report,
        competitor=rival.facts,
        competitor_score=draw_up(rival.points)[0],
        competitor_points=rival.points,
        competitor_page=page_data(rival.facts),
        competitor_gaps=gaps(report.facts, rival.facts),
    )


def _skipped(url: str, facts: SearchFacts, rival: _Rival) -> Iterator[str]:
    """What disturbs the picture, or is missing from it; each a sentence."""
    ended = site(facts.url)
    if ended != site(url):
        yield f"The address leads to {ended[:_LONGEST_HOST]}: the analysis is of that site."
    yield from facts.notes
    if facts.local:
        yield _LOCAL
    yield from _unrendered(facts, "The page")
    if facts.console and facts.console.failure:
        yield f"Search Console told nothing: {_clause(facts.console.failure)}."
    if rival.mishap:
        yield rival.mishap
    if rival.facts:
        yield from (f"The competitor's page: {note}" for note in rival.facts.notes)
        yield from _unrendered(rival.facts, "The competitor's page")


def _gaps(facts: SearchFacts) -> Iterator[str]:
    """What there was no time or browser to check; Google and a competitor decide nothing."""
    google = facts.console.notes if facts.console else ()
    yield from dict.fromkeys(one for one in facts.notes if one not in google)
    yield from _unrendered(facts, "The page")
    if is_unfilled(facts):
        yield (
            "As it is sent the page has nothing to judge but its head, and what its scripts make "
            "of it was not looked at (--render-js)."
        )
    elif is_empty(facts):
        yield "The page is empty: there is nothing to judge but its head."


def _unrendered(facts: SearchFacts, page: str) -> Iterator[str]:
    if facts.rendered and facts.rendered.failure:
        yield f"{page} was not rendered: {_clause(facts.rendered.failure)}."


def _clause(reason: str) -> str:
    return cut(reason, _LONGEST_REASON).rstrip(".")


def _fits_title(text: str) -> bool:
    return title_px(text) <= TITLE_PX


def _fits_description(text: str) -> bool:
    return description_px(text) <= DESCRIPTION_PX
