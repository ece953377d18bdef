"""Browser report → the API's browser test result (service specification, decisions)."""

import base64
from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from mergegate.core.wire.camel import Camel
from mergegate.repo.wire.receipt import engine
from mergegate.repo.wire.shapes import EngineOut
from mergegate.site.browser_test.facts import LinkState, PageVisit, Screenshot, Vitals
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem, Suggestion

Count = Annotated[int, Field(ge=0)]
Figure = Annotated[float, Field(ge=0, allow_inf_nan=False)]
UrlOf = Callable[[Screenshot], str]


class FrameOut(Camel):
    """A line of a script's stack; ``line`` and ``column`` count from 1."""

    url: str
    line: int
    column: int
    function: str


class ProblemOut(Camel):
    """An element of the five lists: one thing that is wrong, however many pages have it.

    ``severity``, ``page``, ``selector`` and ``evidence`` are in every one; ``selector`` is empty
    where the problem has no element. Of a link, ``url`` is its target and ``linkState`` what
    became of it, null where the entry stands for several; of a script or a request, ``url`` is the
    script or what was asked for.
    """

    id: str
    """Equal in every test of this site, under whatever host."""
    rule_id: str
    severity: Literal["error", "warning"]
    message: str
    page: str
    pages: tuple[str, ...]
    selector: str
    selectors: tuple[str, ...]
    """The first few elements, ``selector`` the first of them."""
    evidence: str
    url: str
    status: int | None
    link_state: Literal["dead", "flaky", "soft-404"] | None
    vendor: str | None
    frames: tuple[FrameOut, ...]
    count: Count
    remedy: str
    reference: str


class SuggestionOut(Camel):
    """An element of ``suggestions``."""

    title: str
    message: str
    problem_ids: tuple[str, ...]


class VitalsOut(Camel):
    """Milliseconds, ``cls`` without a unit; null where there was nothing to measure."""

    lcp: Figure | None
    cls: Figure | None
    inp: Figure | None
    fcp: Figure | None
    ttfb: Figure | None


class ScreenshotOut(Camel):
    """An element of ``screenshots``; ``url`` is a data URI, or where the picture lies."""

    page: str
    viewport: Literal["desktop", "mobile"]
    url: str
    boxed: tuple[str, ...]
    """Selectors of the elements that are boxed in it."""


class PageOut(Camel):
    """An element of ``pages``."""

    url: str
    final_url: str
    status: int | None
    title: str
    depth: Count
    load_ms: Count
    failure: str
    notes: tuple[str, ...]
    web_vitals: VitalsOut


class LinkCountsOut(Camel):
    """How many addresses ended how; ``blocked`` are no problem, and listed nowhere."""

    alive: Count
    dead: Count
    blocked: Count
    flaky: Count
    soft404: Count
    unchecked: Count


class BrowserTestResult(Camel):
    """POST /api/browser-test; what follows ``aiSummary`` is additive."""

    test_id: str
    pages_visited: Count
    js_errors: tuple[ProblemOut, ...]
    broken_links: tuple[ProblemOut, ...]
    form_issues: tuple[ProblemOut, ...]
    image_issues: tuple[ProblemOut, ...]
    accessibility_issues: tuple[ProblemOut, ...]
    suggestions: tuple[SuggestionOut, ...]
    ai_summary: str
    summary_source: Literal["template", "model"] = "template"
    url: str
    pages_found: Count
    """Same-origin pages that were seen linked, visited or not."""
    web_vitals: VitalsOut
    """Of the first page."""
    screenshots: tuple[ScreenshotOut, ...]
    pages: tuple[PageOut, ...]
    link_counts: LinkCountsOut
    notes: tuple[str, ...]
    """Why the test ended before its time."""
    engines: tuple[EngineOut, ...]
    created_at: str
    completed_at: str
    tool_version: str


def data_uri(shot: Screenshot) -> str:
    """The picture itself, as an address."""
    return f"data:image/jpeg;base64,{base64.b64encode(shot.image).decode('ascii')}"


def to_json(report: BrowserReport, url_of: UrlOf = data_uri) -> str:
    """The result resource as indented JSON with a final line break."""
    return result(report, url_of).model_dump_json(by_alias=True, indent=2) + "\n"


def result(report: BrowserReport, url_of: UrlOf = data_uri) -> BrowserTestResult:
    """The result; ``url_of`` says where a screenshot is found."""
    return BrowserTestResult(
        test_id=report.id,
        pages_visited=len(report.visits),
        js_errors=_problems(report, Kind.SCRIPT),
        broken_links=_problems(report, Kind.LINK),
        form_issues=_problems(report, Kind.FORM),
        image_issues=_problems(report, Kind.IMAGE),
        accessibility_issues=_problems(report, Kind.ACCESSIBILITY),
        suggestions=tuple(map(_suggestion, report.suggestions)),
        ai_summary=report.summary,
        url=report.url,
        pages_found=report.found,
        web_vitals=_vitals(report.vitals),
        screenshots=tuple(_screenshot(shot, url_of(shot)) for shot in report.screenshots),
        pages=tuple(map(_page, report.visits)),
        link_counts=_counts(report.links),
        notes=report.notes,
        engines=tuple(map(engine, report.engines)),
        created_at=report.created_at,
        completed_at=report.completed_at,
        tool_version=report.tool_version,
    )


def _problems(report: BrowserReport, kind: Kind) -> tuple[ProblemOut, ...]:
    return tuple(map(_problem, report.of(kind)))


def _problem(one: Problem) -> ProblemOut:
    return ProblemOut(
        id=one.id,
        rule_id=one.rule,
        severity=one.level.value,
        message=one.message,
        page=one.page,
        pages=one.pages,
        selector=one.selector,
        selectors=one.selectors,
        evidence=one.evidence,
        url=one.url,
        status=one.status,
        link_state=_link_state(one.state),
        vendor=one.vendor,
        frames=tuple(
            FrameOut(url=at.url, line=at.line, column=at.column, function=at.function)
            for at in one.frames
        ),
        count=one.count,
        remedy=one.remedy,
        reference=one.reference,
    )


def _link_state(state: LinkState | None) -> Literal["dead", "flaky", "soft-404"] | None:
    match state:
        case LinkState.DEAD:
            return "dead"
        case LinkState.FLAKY:
            return "flaky"
        case LinkState.SOFT_404:
            return "soft-404"
        case _:
            return None


def _suggestion(one: Suggestion) -> SuggestionOut:
    return SuggestionOut(title=one.title, message=one.message, problem_ids=one.problem_ids)


def _vitals(vitals: Vitals) -> VitalsOut:
    return VitalsOut(
        lcp=vitals.lcp, cls=vitals.cls, inp=vitals.inp, fcp=vitals.fcp, ttfb=vitals.ttfb
    )


def _screenshot(shot: Screenshot, url: str) -> ScreenshotOut:
    viewport: Literal["desktop", "mobile"] = "mobile" if shot.viewport == "mobile" else "desktop"
    return ScreenshotOut(page=shot.page, viewport=viewport, url=url, boxed=shot.boxed)


def _page(visit: PageVisit) -> PageOut:
    return PageOut(
        url=visit.url,
        final_url=visit.final_url,
        status=visit.status,
        title=visit.title,
        depth=visit.depth,
        load_ms=visit.load_ms,
        failure=visit.failure,
        notes=visit.notes,
        web_vitals=_vitals(visit.vitals),
    )


def _counts(links: Mapping[LinkState, int]) -> LinkCountsOut:
    return LinkCountsOut(
        **{state.value.replace("-", ""): links.get(state, 0) for state in LinkState}
    )
