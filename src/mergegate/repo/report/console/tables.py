"""The receipt: ledger, vulnerabilities, suppressions, coverage, engines."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mergegate.core.finding import Finding
from mergegate.core.render import escape, wording
from mergegate.core.render.screen import bullet, heading, indented, more, table
from mergegate.core.report import Report, Suppression
from mergegate.core.tree import Skipped
from mergegate.repo.report.console.findings import STYLES

_MOST_ROWS = 10


def parts(report: Report, limit: int) -> list[RenderableType]:
    """Every table that has something to say."""
    return [
        *_ledger(report),
        *_vulnerabilities(report, max(limit, 1)),
        *_suppressed(report),
        *_coverage(report),
        *_engines(report),
    ]


def _row(made: Table, *cells: str) -> None:
    made.add_row(*(Text(escape.terminal(cell)) for cell in cells))


def _ledger(report: Report) -> list[RenderableType]:
    ledger = report.ledger
    made = table(
        ("Category", "left"),
        ("Points", "right"),
        ("Cap", "right"),
        ("Counted", "right"),
        ("Remaining", "right"),
    )
    for one in ledger.subtotals:
        numbers = (one.points, one.cap, one.counted, one.cap - one.counted)
        _row(made, one.category, *map(str, numbers))
    total = Text(wording.sum_line(report))
    return [heading("Score"), indented(made), Text(), indented(total)]


def _vulnerabilities(report: Report, limit: int) -> list[RenderableType]:
    found = sorted(report.vulnerabilities, key=lambda finding: finding.order)
    if not found:
        return []
    made = table(
        ("Package", "left"),
        ("Installed", "left"),
        ("Fixed in", "left"),
        ("Advisory", "left"),
        ("Severity", "left"),
    )
    for finding in found[:limit]:
        _vulnerability(made, finding)
    title = f"Vulnerable dependencies ({len(found):,})"
    return [heading(title), indented(made), *more(len(found) - limit)]


def _vulnerability(made: Table, finding: Finding) -> None:
    advisory = finding.advisory
    if advisory is None:
        return
    cells = (
        f"{advisory.package} ({advisory.ecosystem})",
        advisory.installed_version,
        wording.repaired_in(finding),
        advisory.advisory_id,
    )
    severity = Text(finding.severity.label, style=STYLES[finding.severity])
    made.add_row(*(Text(escape.terminal(cell)) for cell in cells), severity)


def _suppressed(report: Report) -> list[RenderableType]:
    if not report.suppressed:
        return []
    shown = report.suppressed[:_MOST_ROWS]
    return [
        heading(f"Suppressed, not counted ({len(report.suppressed):,})"),
        *(bullet(_suppression(one)) for one in shown),
        *more(len(report.suppressed) - len(shown)),
    ]


def _suppression(one: Suppression) -> str:
    who = f", {one.owner}" if one.owner else ""
    until = f", until {one.expires}" if one.expires else ""
    place = wording.place(one.finding.place)
    return f"{place} {one.finding.rule_id}: {one.reason} ({one.source}{who}{until})"


def _coverage(report: Report) -> list[RenderableType]:
    coverage = report.coverage
    lines = [
        f"Files: {wording.files(report)}",
        *(f"  {count:>5,}  {reason}" for reason, count in wording.by_reason(coverage.skipped)),
        *(f"Limit reached: {limit}" for limit in coverage.limits),
        *_named("Not seen in full", coverage.limited),
        *_named("Dependencies without an exact version", coverage.unresolved),
        f"Advisories: {wording.advisories(report)}",
    ]
    if coverage.inline_suppressions:
        lines.append(f"In-line suppressions in the code: {coverage.inline_suppressions:,}")
    return [heading("Coverage"), *(indented(Text(escape.terminal(line))) for line in lines)]


def _named(title: str, items: Sequence[Skipped]) -> Iterable[str]:
    if not items:
        return
    yield f"{title}: {len(items):,}"
    yield from (f"  {item.path}: {item.reason}" for item in items[:_MOST_ROWS])
    if len(items) > _MOST_ROWS:
        yield f"  and {len(items) - _MOST_ROWS:,} more"


def _engines(report: Report) -> list[RenderableType]:
    if not report.engines:
        return []
    made = table(
        ("Engine", "left"),
        ("Version", "left"),
        ("Status", "left"),
        ("Time", "right"),
        ("Files", "right"),
        ("Reused", "right"),
    )
    for run in report.engines:
        counts = (f"{run.files:,}", f"{run.reused:,}")
        _row(made, run.name, run.version, run.status, wording.seconds(run.duration_ms), *counts)
    notes = [f"{run.name}: {note}" for run in report.engines if (note := wording.engine_note(run))]
    said = [bullet(note) for note in notes]
    return [heading("Engines"), indented(made), *([Text()] if said else []), *said]
