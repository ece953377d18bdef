"""The report for a terminal: 80 columns, verdict first, then what to do, then why."""

from io import StringIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from mergegate.model.finding import Finding
from mergegate.model.report import Gate, Report
from mergegate.report import escape, outcome, wording
from mergegate.report.console import findings, tables

_GATE_STYLES = {Gate.PASSED: "bold green", Gate.FAILED: "bold red", Gate.INCOMPLETE: "bold yellow"}
_MOST_LISTED = 10
# Same width, so that columns stay aligned.
_ASCII = str.maketrans({"│": "|", "─": "-", "…": "~", "·": "-", "−": "-", "×": "x", "→": ">"})


def render(
    report: Report,
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    limit: int = 30,
    verbose: bool = False,
) -> str:
    """The page as text, with a final line break.

    ``colour`` adds ANSI styles, nothing else does. ``ascii_only`` is for terminals without
    UTF-8. At most ``limit`` findings are shown in full; ``verbose`` shows those of
    severity info in full too.
    """
    page = StringIO()
    console = _console(page, width, colour)
    for part in _parts(report, limit, verbose):
        _print(console, part)
    return _finished(page.getvalue(), colour, ascii_only)


def _print(console: Console, part: RenderableType) -> None:
    """Print ``part``; Rich forgets a lone text's own wrapping unless told again."""
    if isinstance(part, Text):
        console.print(part, no_wrap=part.no_wrap, overflow=part.overflow, crop=False)
    else:
        console.print(part)


def _console(page: StringIO, width: int, colour: bool) -> Console:
    return Console(
        file=page,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
        _environ={},
    )


def _finished(page: str, colour: bool, ascii_only: bool) -> str:
    """Without the blanks Rich fills lines with, and with no line a CI runner would obey."""
    text = page if colour else "\n".join(line.rstrip() for line in page.split("\n"))
    if ascii_only:
        text = text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")
    return f"{escape.log(text).strip()}\n"


def _parts(report: Report, limit: int, verbose: bool) -> list[RenderableType]:
    return [
        *_verdict(report),
        *_change(report),
        *_way_out(report),
        *_site(report),
        *findings.parts(report, limit, verbose),
        *tables.parts(report, limit),
    ]


def _verdict(report: Report) -> list[RenderableType]:
    gate = report.verdict.gate
    line = Text(gate.upper(), style=_GATE_STYLES[gate])
    line.append(f"  {wording.score(gate, report.ledger.score)}", style="bold")
    line.append(f"  {wording.severity_line(report.findings)}", style="default")
    where = Text(escape.terminal(wording.target(report.target)), style="dim")
    reasons = [tables.bullet(reason) for reason in report.verdict.reasons]
    steps = wording.repairs(report) if gate is Gate.INCOMPLETE else ()
    next_steps = [tables.heading("To complete the scan"), *map(tables.bullet, steps)]
    return [line, where, *([Text()] if reasons else []), *reasons, *(next_steps if steps else [])]


def _change(report: Report) -> list[RenderableType]:
    comparison = report.comparison
    if comparison is None:
        return []
    base = escape.terminal(comparison.base[: wording.SHORT_ID])
    alone = wording.change_verdict(comparison)
    counts = Text(f"{wording.change(comparison)}. This change alone: ")
    counts.append(alone, style=_GATE_STYLES[comparison.verdict.gate])
    return [
        tables.heading(f"What changed since {base}"),
        Padding(counts, (0, 0, 0, 2)),
        *(tables.bullet(reason) for reason in comparison.verdict.reasons),
        *_listed([("fixed", finding) for finding in comparison.fixed]),
    ]


def _way_out(report: Report) -> list[RenderableType]:
    exits = wording.way_out(report)
    if not exits:
        return []
    numbered = [(f"{number}.", finding) for number, finding in enumerate(exits, start=1)]
    return [
        tables.heading(f"Way out: {_lower(wording.way_out_heading(report))}"),
        *_listed(numbered),
    ]


def _site(report: Report) -> list[RenderableType]:
    if report.site is None:
        return []
    where = Text(escape.terminal(report.site.url), style="dim")
    cells = outcome.scores(report.site)
    line = Text("  ".join(f"{cell.name} {cell.text}" for cell in cells))
    return [
        tables.heading(f"The site: {report.site.verdict.gate.value}"),
        Padding(where, (0, 0, 0, 2)),
        *([Padding(line, (0, 0, 0, 2))] if cells else []),
        *(part for group in outcome.groups(report.site) for part in _site_group(group)),
    ]


def _site_group(group: outcome.Group) -> list[RenderableType]:
    said = (escape.terminal(f"{line.text} {line.place}".strip()) for line in group.lines)
    title = Padding(Text(group.title), (0, 0, 0, 2))
    return [title, *map(tables.bullet, said), *tables.more(group.more)]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _listed(entries: list[tuple[str, Finding]]) -> list[RenderableType]:
    """The first ten, then how many are left."""
    shown: list[RenderableType] = [_entry(*entry) for entry in entries[:_MOST_LISTED]]
    return [*shown, *tables.more(len(entries) - len(shown))]


def _entry(mark: str, finding: Finding) -> RenderableType:
    line = Text(escape.terminal(wording.place(finding.place)), style="cyan")
    line.append(f"  {escape.terminal(finding.title)}", style="default")
    level = Text(f"{finding.severity.label:<8}", style=findings.STYLES[finding.severity])
    return tables.hanging(Text(f"{mark:<3}", style="dim"), level, line)
