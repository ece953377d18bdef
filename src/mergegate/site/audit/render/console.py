"""An audit for a terminal: the scores, what is over the budget, what to do, then why."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mergegate.core.render import wording
from mergegate.site.audit.render import rows
from mergegate.site.audit.report import AuditReport, Difference, Issue
from mergegate.site.render import figures
from mergegate.site.render.bands import UNKNOWN
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
_MOST_ISSUES = 15
_LINE = 160
_STATES = {"over": "red", "perhaps over": "yellow", "within": "green"}
_VERDICTS = {"worse": "red", "better": "green"}


def render(report: AuditReport, screen: Screen = PLAIN, *, verbose: bool = False) -> str:
    """The page as text, with a final line break; ``verbose`` lists every issue."""
    most = len(report.issues) if verbose else _MOST_ISSUES
    parts = [
        *_opening(report),
        *_violations(report),
        *_duel(report),
        *steps([f"{one.title} ({one.impact} impact)" for one in report.recommendations]),
        *_metrics(report),
        *_issues(report, most),
        *_made_of(report),
    ]
    return page(report, parts, screen)


def _opening(report: AuditReport) -> list[RenderableType]:
    where = words(report.final_url or report.url, "bold")
    how = words(rows.conditions(report), "dim")
    return [
        *(where, how, Text(), _scores(report)),
        *summed_up(report.summary),
        *listed("Warnings", report.warnings, _MOST_LISTED),
    ]


def _scores(report: AuditReport) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    for one in rows.scores(report):
        said = f"{one.band} ({one.spread})" if one.spread else one.band
        style = BANDS[one.band]
        grid.add_row(Text(one.name), Text(f"{one.text:>3}", f"bold {style}"), Text(said, style))
    return indented(grid)


def _violations(report: AuditReport) -> list[RenderableType]:
    if report.violations is None:
        return []
    found = rows.violations(report)
    if not found:
        return section("Budget", [bullet("kept: every figure is within its limit")])
    lines = [bullet(_violation(one)) for one in found[:_MOST_LISTED]]
    title = f"Over the budget ({len(found):,})"
    return section(title, lines, len(found) - len(lines))


def _violation(one: rows.Over) -> str:
    cause = f", because of {plain(one.cause, _LINE)}" if one.cause else ""
    return f"{plain(one.said, _LINE)}{cause}{'' if one.certain else ', perhaps by chance'}"


def _duel(report: AuditReport) -> list[RenderableType]:
    if report.duel is None:
        return []
    made = table(("Figure", "left"), ("Before", "right"), ("After", "right"), ("Verdict", "left"))
    for one in rows.differences(report):
        made.add_row(*_difference(one))
    new, fixed = len(report.duel.new_issues), len(report.duel.fixed_issues)
    said = f"{wording.counted(new, 'new issue')}, {wording.counted(fixed, 'issue')} put right"
    vendors = report.duel.new_vendors[:_MOST_LISTED]
    extra = f"; new third parties: {plain(', '.join(vendors))}" if vendors else ""
    title = f"Against {plain(report.duel.against, _LINE)}"
    return section(title, [indented(made), indented(Text(f"{said}{extra}"))])


def _difference(one: Difference) -> tuple[Text, ...]:
    sure = "" if one.verdict == "same" else f", {rows.confidence(one)}"
    return (
        words(figures.name(one.key)),
        Text(figures.figure(one.key, one.before)),
        Text(figures.figure(one.key, one.after)),
        words(f"{one.verdict}{sure}", _VERDICTS.get(one.verdict, "dim")),
    )


def _metrics(report: AuditReport) -> list[RenderableType]:
    made = table(("Metric", "left"), ("Measured", "right"))
    if report.spread:
        made.add_column("Runs", justify="right")
    if report.held_to:
        made.add_column("Limit", justify="right")
        made.add_column("Budget")
    for one in rows.metrics(report):
        made.add_row(*_metric(report, one))
    return section("Metrics", [indented(made)])


def _metric(report: AuditReport, one: rows.Metric) -> Iterator[Text]:
    yield Text(one.name)
    yield Text(one.text, "" if one.band == UNKNOWN else BANDS[one.band])
    if report.spread:
        yield Text(one.spread_text, "dim")
    if report.held_to:
        yield Text(one.limit_text)
        yield Text(one.state, _STATES[one.state])


def _issues(report: AuditReport, most: int) -> list[RenderableType]:
    if not report.issues:
        return section("Issues", [bullet("nothing to put right")])
    found = report.issues[:most]
    title = f"Issues ({rows.counts(report)})"
    left = len(report.issues) - len(found)
    return section(title, [_issue(one) for one in found], left) + full_list(left)


def _issue(one: Issue) -> RenderableType:
    line = words(one.title, most=_LINE)
    line.append(f"  {figures.name(one.area)}", style="dim")
    return levelled(one.level, line)


def _made_of(report: AuditReport) -> list[RenderableType]:
    """Technologies and third parties, a line each."""
    stack = ", ".join(map(rows.technology, report.technologies)) or "nothing on the page tells"
    vendors = ", ".join(
        f"{one.name} ({figures.size(one.transfer_bytes)})" for one in report.vendors
    )
    lines = (f"Built with: {plain(stack)}", f"Third parties: {plain(vendors or 'none')}")
    return section("The site", [bullet(line) for line in lines])
