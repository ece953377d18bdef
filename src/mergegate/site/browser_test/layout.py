"""A browser test as a layout: the problems by list, the pages, what the browser saw."""

from collections.abc import Iterator

from mergegate.core.render import wording
from mergegate.core.render.suites import ERROR, Case
from mergegate.sandbox.visit import Device
from mergegate.site import words
from mergegate.site.audit.budget import Key
from mergegate.site.browser_test.checks.suggest import VITALS, Vital
from mergegate.site.browser_test.facts import LinkState, PageVisit, StackFrame, Vitals
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem
from mergegate.site.level import Level
from mergegate.site.render import figures
from mergegate.site.render import layout as ui

_UNKNOWN = "–"
KINDS = {
    Kind.SCRIPT: "Scripts",
    Kind.LINK: "Links",
    Kind.FORM: "Forms",
    Kind.IMAGE: "Images",
    Kind.ACCESSIBILITY: "Accessibility",
}
STATES = {
    LinkState.ALIVE: "alive",
    LinkState.DEAD: "dead",
    LinkState.SOFT_404: "answer, but say that there is nothing",
    LinkState.BLOCKED: "closed to robots",
    LinkState.FLAKY: "failing at the moment",
    LinkState.UNCHECKED: "not checked",
}
_AS = {
    Device.MOBILE: "Looked at as on a phone, 412 pixels wide; pictures show the desktop too.",
    Device.DESKTOP: "Looked at as on a desktop, 1,350 pixels wide; pictures show a phone too.",
}
_MOST_SPOTS = 20
_MOST_PAGES = 10
_MOST_FRAMES = 8


def layout(report: BrowserReport) -> ui.Layout:
    """The layout of a browser test's report."""
    found = tuple(_finding(report, one) for one in report.problems)
    return ui.Layout(
        report=report,
        category="browser-test",
        tool="Browser test",
        subject="Browser test",
        headline=_counts(report),
        tab=f"Browser test, {_counts(report)}",
        address=report.url,
        verdict=(
            ui.strong(_counts(report), tone="poor" if report.errors or report.gaps else "good"),
            f"  {_extent(report)}",
        ),
        totals=_totals(report),
        noted="Keep in mind",
        parts=tuple(_parts(report, found)),
        findings=found,
        checks=tuple(_visited(report, visit) for visit in report.visits),
        properties={"pages": len(report.visits)},
    )


def _parts(report: BrowserReport, found: tuple[ui.Finding, ...]) -> Iterator[ui.Part]:
    yield ui.Steps(tuple(ui.Step(one.title, one.message) for one in report.suggestions))
    if report.screenshots:
        shots = (
            ui.Shot(one.page, one.viewport, one.image, len(one.boxed)) for one in report.screenshots
        )
        yield ui.section("pictures", "What the browser saw", ui.Shots(tuple(shots)), on=ui.PAGE)
    vitals = _vitals(report.vitals)
    yield _measured(vitals if any(one.text != _UNKNOWN for one in vitals) else ())
    yield _links(report)
    yield _problems(report, found)
    yield _pages(report)


def _counts(report: BrowserReport) -> str:
    """``3 errors, 12 warnings``."""
    warnings = len(report.problems) - report.errors
    return f"{wording.counted(report.errors, 'error')}, {wording.counted(warnings, 'warning')}"


def _extent(report: BrowserReport) -> str:
    """``5 pages visited of 8 found``."""
    visited = wording.counted(len(report.visits), "page")
    return f"{visited} visited" + (f" of {report.found:,} found" if report.found else "")


def _totals(report: BrowserReport) -> ui.Counts:
    visits, warnings = len(report.visits), len(report.problems) - report.errors
    asked = sum(number for state, number in report.links.items() if state in STATES)
    found = f"of {report.found:,} found" if report.found else ""
    counts = (
        ui.Count(report.errors, "error" if report.errors == 1 else "errors", "critical"),
        ui.Count(warnings, "warning" if warnings == 1 else "warnings", "medium"),
        ui.Count(visits, f"{'page' if visits == 1 else 'pages'} visited", hint=found),
        ui.Count(asked - report.links.get(LinkState.UNCHECKED, 0), "links checked"),
    )
    return ui.Counts(counts, "totals", "Problems")


def _vitals(of: Vitals) -> tuple[ui.Fact, ...]:
    """All five vitals, first those that Google ranks by."""
    return tuple(_vital(one, getattr(of, one.id)) for one in VITALS.values())


def _vital(of: Vital, value: float | None) -> ui.Fact:
    band = figures.band_of((of.good, of.poor), value)
    said = "not measured" if value is None else band
    return ui.Fact(of.id.upper(), _figure(of.id, value), said, band, title=of.name)


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return _UNKNOWN
    return figures.figure(Key.CLS, value) if name == "cls" else words.duration(value)


def _measured(vitals: tuple[ui.Fact, ...]) -> ui.Section:
    note = ui.paragraph("Of the first page, in this laboratory.", "hint after-list")
    none = ui.paragraph("Nothing was measured.")
    about = (ui.Facts(vitals, "vitals"), note) if vitals else (none,)
    return ui.section("vitals", "Core web vitals", *about, is_half=True)


def _links(report: BrowserReport) -> ui.Section:
    counts = (ui.Count(number, words, state.value) for state, words, number in _by_state(report))
    return ui.section(
        "links",
        "Links",
        ui.Counts(tuple(counts)),
        ui.paragraph("Only a dead link is an error.", "hint after-list"),
        on=ui.PAGE,
        is_half=True,
    )


def _by_state(report: BrowserReport) -> tuple[tuple[LinkState, str, int], ...]:
    """State, words and number of each state that any link has; those that are alive always."""
    found = ((state, words, report.links.get(state, 0)) for state, words in STATES.items())
    return tuple(one for one in found if one[2] or one[0] is LinkState.ALIVE)


def _link_line(report: BrowserReport) -> str:
    """``6 alive, 3 dead``; empty when no link was seen."""
    if not any(report.links.values()):
        return ""
    return ", ".join(f"{number:,} {words}" for _, words, number in _by_state(report))


def _problems(report: BrowserReport, found: tuple[ui.Finding, ...]) -> ui.Findings:
    """The problems, grouped by list in the specification's order."""
    lists = ((name, [one for one in found if one.topic == kind]) for kind, name in KINDS.items())
    groups = (
        ui.Group(name=name, findings=tuple(mine), counted=wording.counted(len(mine), "problem"))
        for name, mine in lists
        if mine
    )
    return ui.Findings(id="problems", counted=_counts(report), groups=tuple(groups))


def _finding(report: BrowserReport, one: Problem) -> ui.Finding:
    page = figures.short_address(one.page, report.url)
    selector = figures.selector_end(one.selector)
    return ui.Finding(
        id=one.id,
        rule=one.rule,
        label=one.level.value,
        level=one.level,
        title=one.message,
        notes=(f"by {one.vendor[:60]}" if one.vendor else "", _occurrence(one)),
        evidence=one.evidence,
        where=(page, selector),
        tags=ui.spaced(
            ui.tag(one.vendor or "", most=40),
            ui.tag(str(one.status) if one.status and one.status >= 400 else ""),
            ui.tag(f"{one.count:,}×" if one.count > 1 else ""),
        ),
        body=tuple(_body(report, one)),
        references=(one.reference,),
        suite=KINDS[one.kind].lower(),
        is_failure=one.level is Level.ERROR,
        reasons=(one.message, *_places(one), one.evidence, one.remedy, one.reference),
        topic=one.kind.value,
        text=" ".join(part for part in (f"{one.message}.", one.evidence, one.remedy) if part),
        spots=_spots(one),
        properties=(("count", one.count), ("pages", len(one.pages))),
    )


def _occurrence(one: Problem) -> str:
    """``3 times on 2 pages``; empty when it is once on one page."""
    if one.count <= 1 and len(one.pages) <= 1:
        return ""
    times = f"{one.count:,} times" if one.count > 1 else "once"
    return f"{times} on {wording.counted(len(one.pages), 'page')}"


def _body(report: BrowserReport, one: Problem) -> Iterator[ui.Block]:
    """Evidence, the call stack, what to do, and where else it is."""
    more = len(one.selectors) - 10
    known = (
        ui.Fact("Evidence", one.evidence, look=ui.Look.CODE),
        ui.Fact("Address", one.url, look=ui.Look.PATH),
        *(ui.Fact("Element", selector, look=ui.Look.CODE) for selector in one.selectors[:10]),
        ui.Fact("Elsewhere", f"{more} more elements" if more > 0 else ""),
    )
    yield ui.Facts(tuple(fact for fact in known if fact.text), "notes")
    if len(one.frames) > 1:
        yield ui.Code("\n".join(map(_frame, one.frames[:_MOST_FRAMES])), "Stack")
    yield ui.paragraph(ui.Span(one.remedy, most=600))
    if len(one.pages) > 1:
        short = (figures.short_address(page, report.url) for page in one.pages)
        pages = tuple((ui.path(page, most=180),) for page in short)
        line = (f"{_occurrence(one)}: ", ui.Listing(pages, ui.Most(0, 0, 12)))
        yield ui.Paragraph(line, "facts")


def _frame(one: StackFrame) -> str:
    return f"{one.function[:60] or '(anonymous)'}  {one.url[:160]}:{one.line}:{one.column}"


def _places(one: Problem) -> Iterator[str]:
    yield from one.pages[:_MOST_PAGES]
    if len(one.pages) > _MOST_PAGES:
        yield f"and {len(one.pages) - _MOST_PAGES:,} more pages"
    yield from one.selectors


def _spots(one: Problem) -> tuple[ui.Spot, ...]:
    """The places of a problem: its elements on the first page, then the other pages."""
    selectors = one.selectors or (one.selector,)
    elements = (ui.Spot(url=one.page, selector=selector) for selector in selectors)
    others = (ui.Spot(url=page) for page in one.pages if page != one.page)
    return (*elements, *others)[:_MOST_SPOTS]


def _pages(report: BrowserReport) -> ui.Section:
    links = _link_line(report)
    columns = (
        *ui.columns("Page"),
        *ui.columns("Title", on=ui.PAGE),
        *ui.columns("Answer", "Errors#", "Warnings#", "LCP#"),
        *ui.columns("Visit#", on=ui.PAGE),
    )
    rows = tuple(_page(report, visit) for visit in report.visits)
    notes = tuple(_page_notes(report, visit) for visit in report.visits if visit.notes)
    return ui.section(
        "pages",
        "Pages",
        ui.Table(columns, rows, ui.Most(30, 20, 60)),
        ui.Bullets(notes, ui.Most(10, 10, 60), "places"),
        ui.paragraph(f"Links: {links}." if links else "", on=ui.TEXT),
        ui.paragraph(_AS[report.device], "hint after-list"),
    )


def _page(report: BrowserReport, visit: PageVisit) -> ui.Row:
    address = figures.short_address(visit.url, report.url)
    mine = [one for one in report.problems if visit.url in one.pages]
    errors = sum(one.level is Level.ERROR for one in mine)
    answer = "no answer" if visit.status is None else str(visit.status)
    failure = ui.on_page(ui.word(visit.failure, tone="failed", most=120))
    plain = ui.in_text(ui.quote(visit.failure, tone="failed", most=80))
    return ui.row(
        ui.path(address, most=120),
        ui.Span(visit.title, most=80),
        (failure, plain) if visit.failure else (ui.quote(answer),),
        f"{errors:,}",
        f"{len(mine) - errors:,}",
        _figure("lcp", visit.vitals.lcp),
        words.duration(visit.load_ms),
    )


def _page_notes(report: BrowserReport, visit: PageVisit) -> tuple[ui.Line, ...]:
    address = figures.short_address(visit.url, report.url)
    notes = "; ".join(visit.notes[:3])
    return ((ui.path(address, most=180), " ", ui.hint(notes, most=300)),)


def _visited(report: BrowserReport, visit: PageVisit) -> Case:
    return Case(
        suite="pages",
        about="page",
        name=figures.short_address(visit.url, report.url),
        outcome=ERROR if visit.failure else "",
        lines=(visit.failure, visit.url) if visit.failure else (),
        seconds=visit.load_ms / 1000,
    )
