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
from mergegate.repo.report import news
from mergegate.repo.report.console import findings
from mergegate.repo.report.console.findings import STYLES

_MOST_ROWS = 10


def _receipt(report: Report) -> list[RenderableType]:
    """Every table that has something to say."""
    return [
        *_ledger(report),
        *_suppressed(report),
        *_coverage(report),
        *_engines(report),
        *_model(report),
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
    title = "Score of the whole repository" if report.comparison else "Score"
    return [heading(title), indented(made), Text(), indented(total)]


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


def _model(report: Report) -> list[RenderableType]:
    used = wording.model_use(report)
    return [heading("Language model"), bullet(used)] if used else []


_GATE_STYLES = {Gate.PASSED: "bold green", Gate.FAILED: "bold red", Gate.INCOMPLETE: "bold yellow"}
_BLOCKS = "bold red"


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


def explain(report: Report, finding: Finding, surface: Screen) -> str:
    """One finding of ``report`` in full, for a terminal."""
    return screen.shown(findings.explanation(report, finding), surface)


def _parts(report: Report, limit: int, verbose: bool) -> list[RenderableType]:
    return [
        *_verdict(report),
        *_next(report),
        *_ready(report),
        *_site(report),
        *findings.parts(report, limit, verbose),
        *_fixed(report),
        *_receipt(report),
    ]


def _verdict_line(report: Report) -> Text:
    gate = wording.whole(report).gate
    line = Text(gate.upper(), style=_GATE_STYLES[gate], no_wrap=True, overflow="ignore")
    line.append(f"  {wording.headline_score(report)}", style="bold")
    line.append(f"  {news.brought(report)}", style="default")
    return line


def _verdict(report: Report) -> list[RenderableType]:
    line = _verdict_line(report)
    line.no_wrap, line.overflow = None, None
    since = f", since {report.comparison.base[: wording.SHORT_ID]}" if report.comparison else ""
    where = Text(escape.terminal(f"{wording.target(report.target)}{since}"), style="dim")
    blind = wording.unsearched(report)
    unsearched = f"Not searched: {blind}" if blind else ""
    told = filter(None, (*wording.whole(report).reasons, news.beside(report), unsearched))
    reasons = [bullet(reason) for reason in told]
    return [line, where, *([Text()] if reasons else []), *reasons]


def _next(report: Report) -> list[RenderableType]:
    """A line where nothing is to be done, else the first rows of what is."""
    gate = wording.whole(report).gate
    if gate is Gate.PASSED:
        return [Text(f"\nNext: {news.next_step(report)}")]
    repairs = wording.repairs(report) if gate is Gate.INCOMPLETE else ()
    steps = [heading("To complete the scan"), *map(bullet, repairs)] if repairs else []
    ways = news.exits(report)
    if not ways:
        return steps or [heading(f"Next: {news.next_step(report)}")]
    numbered = [(f"{number}.", one) for number, one in enumerate(ways[: news.MOST_NAMED], start=1)]
    left = len(ways) - news.MOST_NAMED
    rest = Text(f"and {left:,} more, {news.MARKED}", style="dim")
    return [
        *steps,
        heading(f"Next: {_lower(news.fixing(ways, report))}"),
        *(_entry(mark, one.lead, one.place, one.step) for mark, one in numbered),
        *([indented(rest)] if left > 0 else []),
    ]


def _ready(report: Report) -> list[RenderableType]:
    """How what was proved is applied."""
    ready = [one for one in report.findings if one.fix_id and one.is_new is not False]
    if not ready:
        return []
    since = f" --base {report.target.base[: wording.SHORT_ID]}" if report.target.base else ""
    return [Text(f"Apply what was proved: mergegate scan{since} --fix", style="green")]


def _fixed(report: Report) -> list[RenderableType]:
    fixed = report.comparison.fixed if report.comparison else ()
    if not fixed:
        return []
    listed = [_entry("-", one, wording.place(one.place), one.title) for one in fixed[:_MOST_ROWS]]
    return [
        heading(f"Fixed by this change ({len(fixed):,})"),
        *listed,
        *more(len(fixed) - len(listed)),
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


def _entry(mark: str, finding: Finding, place: str, said: str) -> RenderableType:
    line = Text(escape.terminal(place), style="cyan")
    line.append(f"  {escape.terminal(said)}", style="default")
    level = Text(f"{finding.severity.label:<8}", style=STYLES[finding.severity])
    return screen.hanging(Text(f"{mark:<3}", style="dim"), level, line)
