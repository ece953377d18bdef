"""The report for a terminal: verdict first, then what to do, then why, then the receipt."""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mergegate.core.finding import Finding
from mergegate.core.render import escape, screen, wording
from mergegate.core.render.screen import Screen, bullet, heading, indented, more, table
from mergegate.core.report import Cell, Gate, Group, Line, Report, Suppression
from mergegate.core.tree import Skipped
from mergegate.repo.report.console import findings
from mergegate.repo.report.console.findings import STYLES

_MOST_ROWS = 10


def _receipt(report: Report, limit: int) -> list[RenderableType]:
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
        taken = wording.counted_points(one, report)
        _row(made, one.category, str(one.points), str(one.cap), taken, str(one.cap - one.counted))
    total = Text(wording.sum_line(report))
    title = "Score of the whole repository" if wording.is_of_change(report) else "Score"
    return [heading(title), indented(made), Text(), indented(total)]


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
        *map(wording.searched, coverage.languages[:_MOST_ROWS]),
        *(f"Limit reached: {limit}" for limit in coverage.limits),
        *_named("Not seen in full", coverage.limited),
        *_named("Known and not read", coverage.unread),
        *_named("Dependencies without an exact version", coverage.unresolved),
        f"Advisories: {wording.advisories(report)}",
    ]
    if report.policy:
        lines.append(f"Policy: {wording.policy(report.policy)}")
        lines += [f"Policy: {note}" for note in report.policy.notes]
    if coverage.lowered:
        lines.append(f"Files in which findings weigh less: {wording.lowered(report)}")
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


_GATE_STYLES = {Gate.PASSED: "bold green", Gate.FAILED: "bold red", Gate.INCOMPLETE: "bold yellow"}
_BLOCKS = "bold red"
_MOST_LISTED = 10


def render(
    report: Report,
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    limit: int = 30,
    verbose: bool = False,
    quiet: bool = False,
) -> str:
    """The page as text, with a final line break.

    ``colour`` adds ANSI styles, nothing else does. ``ascii_only`` is for terminals without
    UTF-8. At most ``limit`` findings are shown in full; ``verbose`` shows those of
    severity info in full too. ``quiet`` leaves the verdict's own line, however long.
    """
    if quiet:
        return screen.shown([_verdict_line(report)], Screen(width, colour, ascii_only))
    return screen.shown(_parts(report, limit, verbose), Screen(width, colour, ascii_only))


def _parts(report: Report, limit: int, verbose: bool) -> list[RenderableType]:
    return [
        *_verdict(report),
        *_change(report),
        *_later_rules(report),
        *_way_out(report),
        *_site(report),
        *findings.parts(report, limit, verbose),
        *_receipt(report, limit),
    ]


def _verdict_line(report: Report) -> Text:
    gate = wording.whole(report).gate
    line = Text(gate.upper(), style=_GATE_STYLES[gate], no_wrap=True, overflow="ignore")
    line.append(f"  {wording.headline_score(report)}", style="bold")
    line.append(f"  {_brought(report)}", style="default")
    return line


def _verdict(report: Report) -> list[RenderableType]:
    verdict = wording.whole(report)
    gate = verdict.gate
    line = _verdict_line(report)
    line.no_wrap, line.overflow = None, None
    where = Text(escape.terminal(wording.target(report.target)), style="dim")
    blind = wording.unsearched(report)
    unsearched = f"Not searched: {blind}" if blind else ""
    told = filter(None, (*verdict.reasons, wording.beside(report), unsearched))
    reasons = [screen.bullet(reason) for reason in told]
    steps = wording.repairs(report) if gate is Gate.INCOMPLETE else ()
    next_steps = [screen.heading("To complete the scan"), *map(screen.bullet, steps)]
    return [line, where, *([Text()] if reasons else []), *reasons, *(next_steps if steps else [])]


def _brought(report: Report) -> str:
    """How many findings of each severity the verdict is about."""
    if not wording.is_of_change(report):
        return wording.severity_line(report.findings)
    new = [one for one in report.findings if one.is_new]
    return f"{wording.severity_line(new)}, new" if new else "nothing new"


def _change(report: Report) -> list[RenderableType]:
    comparison = report.comparison
    if comparison is None:
        return []
    base = escape.terminal(comparison.base[: wording.SHORT_ID])
    counts = Text(wording.change(comparison))
    alone = () if wording.is_of_change(report) else wording.unsaid(report)
    if not wording.is_of_change(report):
        said = wording.change_verdict(comparison)
        counts.append(". This change alone: ").append(said, _GATE_STYLES[comparison.verdict.gate])
    return [
        screen.heading(f"What changed since {base}"),
        screen.indented(counts),
        *map(screen.bullet, alone),
        *_listed([("fixed", finding) for finding in comparison.fixed]),
    ]


def _later_rules(report: Report) -> list[RenderableType]:
    """What came with an upgrade, apart."""
    later = report.later_rules
    if later is None:
        return []
    since = f"blocking from {later.block_from} on" if later.block_from else "not blocking"
    known = {one.id: one for one in report.findings}
    told = [("+", known[id]) for id in later.ids if id in known]
    title = f"From rules later than {later.version}, {since} ({len(told):,})"
    return [screen.heading(title), *_listed(told)] if told else []


def _way_out(report: Report) -> list[RenderableType]:
    exits = wording.way_out(report)
    if not exits:
        return []
    numbered = [(f"{number}.", finding) for number, finding in enumerate(exits, start=1)]
    return [
        screen.heading(f"Way out: {_lower(wording.way_out_heading(report))}"),
        *_listed(numbered),
    ]


def _site(report: Report) -> list[RenderableType]:
    if report.site is None:
        return []
    parts = (report.site.url, report.site.seen_as())
    where = Text(escape.terminal(", ".join(filter(None, parts))), style="dim")
    return [
        screen.heading(f"The site: {report.site.verdict.gate.value}"),
        screen.indented(where),
        *map(_site_score, report.site.scores()),
        *(part for group in report.site.groups() for part in _site_group(group)),
    ]


def _site_score(cell: Cell) -> RenderableType:
    spread = f" ({cell.spread})" if cell.spread else ""
    line = Text(f"{cell.name:<15}{cell.text:>3}{spread}")
    if cell.least is not None:
        line.append(f"  (blocks: at least {cell.least})", style=_BLOCKS)
    return screen.indented(line)


def _site_group(group: Group) -> list[RenderableType]:
    return [
        screen.indented(_marked(group.title, group.blocks)),
        *(_site_line(line) for line in group.lines),
        *screen.more(group.more),
    ]


def _site_line(line: Line) -> RenderableType:
    said = escape.terminal(f"{line.text} {line.place}".strip())
    return screen.hanging(Text("-"), _marked(said, line.blocks))


def _marked(said: str, blocks: bool) -> Text:
    line = Text(said)
    if blocks:
        line.append("  (blocks)", style=_BLOCKS)
    return line


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _listed(entries: list[tuple[str, Finding]]) -> list[RenderableType]:
    """The first ten, then how many are left."""
    shown: list[RenderableType] = [_entry(*entry) for entry in entries[:_MOST_LISTED]]
    return [*shown, *screen.more(len(entries) - len(shown))]


def _entry(mark: str, finding: Finding) -> RenderableType:
    line = Text(escape.terminal(wording.place(finding.place)), style="cyan")
    line.append(f"  {escape.terminal(finding.title)}", style="default")
    level = Text(f"{finding.severity.label:<8}", style=STYLES[finding.severity])
    return screen.hanging(Text(f"{mark:<3}", style="dim"), level, line)
