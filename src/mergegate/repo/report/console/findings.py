"""Findings worst first: place, title, message, excerpt, fix, reference, id."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from mergegate.core.finding import Finding
from mergegate.core.render import escape, wording
from mergegate.core.render.screen import indented
from mergegate.core.report import Fix, Report
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import remedy

STYLES = {
    Severity.CRITICAL: "bold red",
    Severity.HIGH: "red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "blue",
    Severity.INFO: "dim",
}
_MOST_RULES = 10
_MOST_LINES = 6


def parts(report: Report, limit: int, verbose: bool) -> list[RenderableType]:
    """A group a severity; at most ``limit`` findings, and a line that says what is left."""
    everything = report.findings
    if not everything:
        return [Text("\nNo findings.")]
    full = [one for one in everything if verbose or one.severity > Severity.INFO]
    shown = full[: max(0, limit)]
    notes = [] if verbose else [one for one in everything if one.severity is Severity.INFO]
    fixes = excerpt.Fixes(report)
    return [
        *(part for level in wording.WORST_FIRST for part in _group(level, shown, full, fixes)),
        *_rest(len(shown), len(full)),
        *_notes(notes),
    ]


def _group(
    level: Severity, shown: Sequence[Finding], full: Sequence[Finding], fixes: excerpt.Fixes
) -> list[RenderableType]:
    mine = [finding for finding in shown if finding.severity is level]
    if not mine:
        return []
    total = sum(finding.severity is level for finding in full)
    title = Text(f"{level.label.upper()} ({total:,})", style=STYLES[level])
    rule = Rule(title, align="left", style="dim")
    return [Text(), rule, *(part for finding in mine for part in _finding(finding, fixes))]


def _rest(shown: int, total: int) -> list[RenderableType]:
    if shown == total:
        return []
    text = f"\nShown {shown:,} of {total:,} findings; full list: --format html"
    return [Text(text, style="bold")]


def _notes(notes: Sequence[Finding]) -> list[RenderableType]:
    """Findings for information as counts a rule: they take no points."""
    if not notes:
        return []
    ranked = wording.by_rule(notes)
    lines = [f"{count:>5,}  {escape.terminal(rule)}" for rule, count in ranked[:_MOST_RULES]]
    left = sum(count for _, count in ranked[_MOST_RULES:])
    if left:
        lines.append(f"{left:>5,}  of other rules")
    title = Text(f"INFO ({len(notes):,})", style=STYLES[Severity.INFO])
    said = Text("No points are taken for these; --verbose shows them.", style="dim")
    rule = Rule(title, align="left", style="dim")
    return [Text(), rule, indented(said), *map(Text, lines)]


def _finding(finding: Finding, fixes: excerpt.Fixes) -> list[RenderableType]:
    fix = fixes.of(finding)
    return [
        Text(),
        _heading(finding, fix),
        indented(Text(escape.terminal(finding.title), style="bold")),
        *(indented(Text(line)) for line in _message(finding)),
        *_excerpt(finding),
        *_fix(fix, finding),
        *_reference(finding),
        indented(Text(_identity(finding), style="dim")),
    ]


def _heading(finding: Finding, fix: Fix | None) -> Text:
    line = Text(escape.terminal(wording.place(finding.place)), style="cyan")
    if novelty := wording.novelty(finding):
        line.append(f"  {novelty}", style="bold" if finding.is_new else "dim")
    if fix is not None:
        line.append("  fix available", style="green")
    return line


def _message(finding: Finding) -> list[str]:
    lines = [*finding.message.strip().split("\n"), wording.route(finding)]
    return [escape.terminal(line) for line in lines if line.strip()]


def _excerpt(finding: Finding) -> list[RenderableType]:
    lines = excerpt.lines(finding, _MOST_LINES)
    if not lines:
        return []
    digits = max(4, *(len(str(line.number)) for line in lines))
    body = [text for line in lines for text in _code(line, digits, finding.severity)]
    return [Text(), *body, Text()]


def _code(line: excerpt.Line, digits: int, severity: Severity) -> list[Text]:
    mark = ">" if line.marked else " "
    number = str(line.number) if line.number else ""
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f"  {mark} ", style=STYLES[severity])
    text.append(f"{number:>{digits}} │ ", style="dim")
    text.append(escape.terminal(line.text), style="default")
    if not line.length:
        return [text]
    under = Text(no_wrap=True, overflow="crop")
    under.append(f"    {'':>{digits}} │ ", style="dim")
    under.append(" " * line.start + "^" * line.length, style=STYLES[severity])
    return [text, under]


def _fix(fix: Fix | None, finding: Finding) -> list[RenderableType]:
    if fix is None:
        return []
    verified = "Fix, verified" if fix.verified else "Fix"
    title, *explanation = remedy(finding, fix) or ("",)
    said = f"{verified}: {escape.terminal(title)}" if title else verified
    lines = (Text(said, style="green"), *(Text(escape.terminal(one)) for one in explanation))
    changes = [_change(change) for change in excerpt.diff(fix, [finding])]
    return [*(indented(text) for text in lines), *changes, Text()]


def _change(change: excerpt.Change) -> Text:
    style = {"-": "red", "+": "green"}.get(change.sign, "dim")
    sign = change.sign if change.sign in "-+" else "@@"
    line = f"    {sign} {escape.terminal(change.text)}"
    return Text(line, style=style, no_wrap=True, overflow="ellipsis")


def _reference(finding: Finding) -> list[RenderableType]:
    links = wording.links(finding)
    if not links:
        return []
    line = f"  See {escape.terminal(links[0])}"
    # Not folded, however long: a terminal opens a link only in one piece.
    return [Text(line, style="dim", no_wrap=True, overflow="ignore")]


def _identity(finding: Finding) -> str:
    sure = finding.confidence is Confidence.HIGH
    parts = (
        f"id {finding.id[: wording.SHORT_ID]}",
        finding.rule_id,
        *finding.cwe,
        *(() if sure else (f"{finding.confidence.label} confidence",)),
    )
    return escape.terminal(" · ".join(parts))
