"""A security scan for a terminal: the grade, what to do, the findings, headers, connection."""

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mergegate.core.render.screen import hanging
from mergegate.core.severity import Severity
from mergegate.site.render import phrases
from mergegate.site.render.bands import UNKNOWN
from mergegate.site.render.screen import (
    BANDS,
    PLAIN,
    Screen,
    bullet,
    full_list,
    indented,
    listed,
    page,
    plain,
    section,
    steps,
    summed_up,
    table,
    words,
)
from mergegate.site.security.render import rows
from mergegate.site.security.report import Flaw, SecurityReport

_MOST_LISTED = 10
_LINE = 160
_EVIDENCE = 140
_VALUE = 60
_POLICY = 4_000
_STYLES = {
    Severity.CRITICAL: "bold red",
    Severity.HIGH: "red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}


def render(report: SecurityReport, screen: Screen = PLAIN, *, verbose: bool = False) -> str:
    """The page as text, with a final line break; ``verbose`` lists every finding."""
    most = len(report.flaws) if verbose else _MOST_LISTED
    parts = [
        *_opening(report),
        *steps([one.title for one in rows.steps(report)]),
        *_flaws(report, most),
        *_headers(report),
        *_connection(report),
        *_policy(report),
        *listed("Not judged", report.skipped, _MOST_LISTED),
    ]
    return page(report, parts, screen)


def _opening(report: SecurityReport) -> list[RenderableType]:
    grade = Text(f"{report.grade}  {report.score}/100", f"bold {BANDS[rows.band(report)]}")
    grade.append(f"  {rows.counts(report)}", style="default")
    return [words(report.final_url, "bold"), grade, *summed_up(report.summary)]


def _flaws(report: SecurityReport, most: int) -> list[RenderableType]:
    if not report.flaws:
        return section("Findings", [bullet("nothing unsafe")])
    found = report.flaws[:most]
    lines = [_flaw(report, one) for one in found]
    left = len(report.flaws) - len(found)
    return section(f"Findings ({len(report.flaws):,})", lines, left) + full_list(left)


def _flaw(report: SecurityReport, one: Flaw) -> RenderableType:
    line = words(one.title, most=_LINE)
    place = (rows.place(report, one), phrases.selector_end(one.selector), rows.doubt(one))
    line.append(f"\n{'  '.join(plain(part, 100) for part in place if part)}", style="dim")
    if one.evidence:
        line.append(f"\n{plain(one.evidence, _EVIDENCE)}", style="dim")
    return hanging(Text(f"{one.severity.label:<8}", _STYLES[one.severity]), line)


def _headers(report: SecurityReport) -> list[RenderableType]:
    made = table(("Header", "left"), ("Verdict", "left"), ("Sent", "left"))
    for one in report.headers:
        style = BANDS[rows.verdict_band(one)]
        made.add_row(words(one.name), words(one.verdict, style), words(one.value, most=_VALUE))
    return section("Security headers", [indented(made)] if report.headers else [])


def _connection(report: SecurityReport) -> list[RenderableType]:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for one in rows.connection(report.tls):
        style = "" if one.band == UNKNOWN else BANDS[one.band]
        grid.add_row(Text(one.name, "dim"), words(one.text, style, most=_LINE))
    return section("Connection", [indented(grid)] if grid.row_count else [])


def _policy(report: SecurityReport) -> list[RenderableType]:
    """Wrapped, to be read; Markdown, HTML and JSON have it in one piece, to be copied."""
    trial = report.trial
    if trial is None:
        return []
    state, band = rows.policy_state(trial)
    lines: list[RenderableType] = [indented(words(state, BANDS[band]))]
    if trial.policy:
        lines.append(indented(words(trial.policy, most=_POLICY)))
    told = [rows.nonce(trial), *map(rows.breach, trial.breaches), *trial.errors]
    lines += [bullet(plain(one)) for one in told[:_MOST_LISTED] if one]
    return section("Proposed Content-Security-Policy", lines, len(told) - _MOST_LISTED)
