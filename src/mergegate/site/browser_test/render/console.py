"""A browser test for a terminal: the counts, what to do, the problems by list, the pages."""

from rich.console import RenderableType
from rich.text import Text

from mergegate.site.browser_test.render import rows
from mergegate.site.browser_test.report import BrowserReport, Problem
from mergegate.site.render import phrases
from mergegate.site.render.screen import (
    BANDS,
    PLAIN,
    Screen,
    bullet,
    full_list,
    indented,
    levelled,
    listed,
    page,
    plain,
    section,
    steps,
    summed_up,
    table,
    words,
)

_MOST_LISTED = 10
_MOST_PAGES = 30
_LINE = 200
_SHORT = 60
_EVIDENCE = 140


def render(report: BrowserReport, screen: Screen = PLAIN, *, verbose: bool = False) -> str:
    """The page as text, with a final line break; ``verbose`` lists every problem."""
    most = len(report.problems) if verbose else _MOST_LISTED
    parts = [
        *_opening(report),
        *steps([one.title for one in report.suggestions]),
        *_problems(report, most),
        *_vitals(report),
        *_pages(report),
    ]
    links = rows.link_line(report)
    return page(report, parts, screen, looked_at=f"Links: {links}" if links else "")


def _opening(report: BrowserReport) -> list[RenderableType]:
    counts = Text(rows.counts(report), style="bold red" if report.errors else "bold green")
    counts.append(f"  {rows.extent(report)}", style="default")
    return [
        *(words(report.url, "bold"), counts),
        *summed_up(report.summary),
        *listed("The test ended early", report.notes, _MOST_LISTED),
    ]


def _problems(report: BrowserReport, most: int) -> list[RenderableType]:
    groups = list(rows.by_kind(report))
    if not groups:
        return section("Problems", [bullet("nothing to put right")])
    left = sum(max(0, len(found) - most) for _, found in groups)
    parts = [part for name, found in groups for part in _group(report, name, found, most)]
    return [*parts, *full_list(left)]


def _group(
    report: BrowserReport, name: str, found: tuple[Problem, ...], most: int
) -> list[RenderableType]:
    lines = [_problem(report, one) for one in found[:most]]
    return section(f"{name} ({len(found):,})", lines, len(found) - len(lines))


def _problem(report: BrowserReport, one: Problem) -> RenderableType:
    line = words(one.message, most=_LINE)
    place = [phrases.short_address(one.page, report.url), phrases.selector_end(one.selector)]
    vendor = f"by {one.vendor}" if one.vendor else ""
    known = (plain(part, 100) for part in (*place, rows.occurrence(one), vendor) if part)
    line.append(f"\n{'  '.join(known)}", style="dim")
    if one.evidence:
        line.append(f"\n{plain(one.evidence, _EVIDENCE)}", style="dim")
    return levelled(one.level, line)


def _vitals(report: BrowserReport) -> list[RenderableType]:
    told = [one for one in rows.vitals(report.vitals) if one.text != rows.UNKNOWN]
    line = Text("  ").join(Text(f"{one.short} {one.text}", BANDS[one.band]) for one in told)
    return section("Core web vitals of the first page", [indented(line)] if told else [])


def _pages(report: BrowserReport) -> list[RenderableType]:
    made = table(("Page", "left"), ("Answer", "left"), ("Errors", "right"), ("Warnings", "right"))
    for visit in report.visits[:_MOST_PAGES]:
        errors, warnings = rows.level_counts(report, visit)
        made.add_row(
            words(phrases.short_address(visit.url, report.url), most=_SHORT),
            words(rows.ending(visit), "red" if visit.failure else "", most=_SHORT),
            *(Text(f"{errors:,}"), Text(f"{warnings:,}")),
        )
    left = len(report.visits) - _MOST_PAGES
    return section("Pages", [indented(made)] if report.visits else [], left)
