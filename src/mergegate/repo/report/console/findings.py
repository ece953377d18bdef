"""Rows of findings, new ones first: place, title, message, excerpt, fix, reference, id."""

import re
from collections.abc import Sequence

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from mergegate.core.finding import Finding
from mergegate.core.render import escape, wording
from mergegate.core.render.screen import bullet, hanging, indented, more
from mergegate.core.report import Fix, Report
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.report import excerpt, news
from mergegate.repo.report.entries import Entry, entries, remedy
from mergegate.repo.report.news import Chapter

STYLES = {
    Severity.CRITICAL: "bold red",
    Severity.HIGH: "red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "blue",
    Severity.INFO: "dim",
}
_SUBJECT = re.compile(r" \([^()]{1,200}\)")
"""What a message is about: a resource, a task, a step."""
_MOST_RULES = 10
_MOST_MEMBERS = 5
_MOST_LINES = 6


def parts(report: Report, limit: int, verbose: bool) -> list[RenderableType]:
    """What is new first, and in full; of the rest a line each, but for what blocks the merge.

    At most ``limit`` rows of each, and a line that says what is left.
    """
    if not report.findings:
        return [Text("\nNo findings.")]
    page = _Page(report, limit, verbose)
    return [part for one in news.chapters(report) for part in page.chapter(one)]


def explanation(report: Report, finding: Finding) -> list[RenderableType]:
    """All that is known of one finding: why it matters, its lines, its fix or why there is none."""
    fix = excerpt.Fixes(report).told(finding)
    lines = [
        _unfolded(escape.terminal(wording.place(finding.place)), "cyan"),
        Text.assemble(
            (f"{finding.severity.label:<9}", STYLES[finding.severity]),
            (escape.terminal(finding.title), "bold"),
        ),
        Text(),
        *(Text(line) for line in _message(finding)),
        *_excerpt(finding),
        *(_fix(fix, finding) if fix else _refused(report, finding)),
        *_proved(fix, finding),
        *_reference(finding),
        indented(Text(_identity(finding), style="dim")),
    ]
    return [*lines, Text(f"\nOf the rule: mergegate explain {finding.rule_id}")]


def _refused(report: Report, finding: Finding) -> list[RenderableType]:
    told = [one for one in report.refused_fixes if one.finding_id == finding.id]
    lines = [f"Tried and refused at the gate “{one.gate}”: {one.why}." for one in told]
    lines += [f"  {line}" for one in told for line in one.said]
    lines = lines or ["No fix is known that would be right wherever this is found."]
    return [*(indented(Text(escape.terminal(one))) for one in lines), Text()]


def _proved(fix: Fix | None, finding: Finding) -> list[RenderableType]:
    if fix is None:
        return []
    lines = [f"Passed: {', '.join(fix.verified)}."]
    if fix.edits:  # else its place says so
        lines.append(f"Apply it: mergegate fix {finding.id[: wording.SHORT_ID]}")
    return [*(indented(Text(one)) for one in lines), Text()]


class _Page:
    def __init__(self, report: Report, limit: int, verbose: bool) -> None:
        self._fixes = excerpt.Fixes(report)
        self._blocking = news.blocking(report)
        self._limit = max(0, limit)
        self._verbose = verbose

    def chapter(self, chapter: Chapter) -> list[RenderableType]:
        """Its heading, where there is more than one, and its rows by severity."""
        rows = entries(chapter.findings) if self._verbose else chapter.entries
        notes = () if self._verbose else chapter.notes
        shown = rows[: self._limit]
        title = [Text(f"\n{chapter.heading}", style="bold underline")] if chapter.state else []
        return [
            *title,
            *(self._news(shown, rows) if chapter.is_news else self._known(shown)),
            *_rest(shown, rows),
            *_notes(notes),
        ]

    def _news(self, shown: Sequence[Entry], rows: Sequence[Entry]) -> list[RenderableType]:
        return [part for level in wording.WORST_FIRST for part in self._group(level, shown, rows)]

    def _group(
        self, level: Severity, shown: Sequence[Entry], rows: Sequence[Entry]
    ) -> list[RenderableType]:
        mine = [row for row in shown if row.severity is level]
        if not mine:
            return []
        total = sum(one.severity is level for row in rows for one in row.findings)
        title = Text(f"{level.label.upper()} ({total:,})", style=STYLES[level])
        rule = Rule(title, align="left", style="dim")
        return [Text(), rule, *self._rows(mine)]

    def _known(self, shown: Sequence[Entry]) -> list[RenderableType]:
        full = [row for row in shown if self._verbose or row.blocking(self._blocking)]
        brief = [row for row in shown if row not in full]
        return [*self._rows(full), *([Text()] if brief else []), *map(_line, brief)]

    def _rows(self, rows: Sequence[Entry]) -> list[RenderableType]:
        above = (None, *rows)
        return [
            part
            for row, before in zip(rows, above, strict=False)
            for part in self._row(row, before)
        ]

    def _row(self, row: Entry, before: Entry | None) -> list[RenderableType]:
        """What the row before has said in the same words is not said again."""
        finding = row.lead
        same = before.lead if before and _said(before.lead) == _said(finding) else None
        words = _again(finding, same) if same else _message(finding)
        fix = self._fixes.told(finding)
        blocks = row.blocking(self._blocking)
        return [
            Text(),
            _heading(row, blocks, fix),
            indented(Text(escape.terminal(row.title), style="bold")),
            *(indented(Text(line)) for line in words),
            *_members(row),
            *_excerpt(finding),
            *_fix(fix, finding),
            *([] if same else _reference(finding)),
            indented(Text(_identity(finding), style="dim")),
        ]


def _said(finding: Finding) -> tuple[str, str]:
    """The rule and its words, whatever they are about."""
    return finding.rule_id, _SUBJECT.sub("", finding.message)


def _again(finding: Finding, before: Finding) -> list[str]:
    """What a message is about, where the row before has said the rest of it."""
    known = _SUBJECT.findall(before.message)
    own = (one for one in _SUBJECT.findall(finding.message) if one not in known)
    return _lines(f"As above{''.join(own)}.", wording.route(finding))


def _line(row: Entry) -> RenderableType:
    line = Text(escape.terminal(row.place), style="cyan")
    line.append(f"  {escape.terminal(row.title)}", style="default")
    return hanging(Text(f"{row.severity.label:<8}", style=STYLES[row.severity]), line)


def _members(row: Entry) -> list[RenderableType]:
    """The advisories of a package, or the places of a habit: the first, and how many are left."""
    if row.is_package:
        told = [f"{one.severity.label:<9}{row.flaw_of(one)}" for one in row.findings]
        listed = [bullet(one) for one in told[:_MOST_MEMBERS]]
    elif row.is_habit:
        told = [wording.place(place) for place in row.places]
        listed = [_unfolded(f"  - {escape.terminal(one)}") for one in told[:_MOST_MEMBERS]]
    else:
        return []
    return [*listed, *more(len(told) - len(listed))]


def _unfolded(line: str, style: str = "") -> Text:
    """One line, however long: a terminal opens a place or a link only in one piece."""
    return Text(line, style=style, no_wrap=True, overflow="ignore")


def _rest(shown: Sequence[Entry], rows: Sequence[Entry]) -> list[RenderableType]:
    told, total = (sum(len(row.findings) for row in some) for some in (shown, rows))
    if told == total:
        return []
    text = f"\nShown {told:,} of {total:,} findings; full list: --format html"
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


def _heading(row: Entry, blocks: str, fix: Fix | None) -> Text:
    line = _unfolded(escape.terminal(row.place), "cyan")
    if blocks:
        line.append(f"  {blocks}", style="bold red")
    if fix is not None:
        line.append("  fix available", style="green")
    return line


def _message(finding: Finding) -> list[str]:
    return _lines(*finding.message.strip().split("\n"), wording.route(finding))


def _lines(*lines: str) -> list[str]:
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
    if not fix.edits:
        lines += (Text(f"{wording.UNSHOWN} mergegate fix {finding.id[: wording.SHORT_ID]}"),)
    changes = [_change(change) for change in excerpt.diff(fix, [finding])]
    return [*(indented(text) for text in lines), *changes, Text()]


def _change(change: excerpt.Change) -> Text:
    if change.sign == "@":
        return _unfolded(f"    @@ {escape.terminal(change.text)}", "dim")
    line = f"    {change.sign} {escape.terminal(change.text)}"
    style = {"-": "red", "+": "green"}[change.sign]
    return Text(line, style=style, no_wrap=True, overflow="ellipsis")


def _reference(finding: Finding) -> list[RenderableType]:
    links = wording.links(finding)
    if not links:
        return []
    return [_unfolded(f"  See {escape.terminal(links[0])}", "dim")]


def _identity(finding: Finding) -> str:
    sure = finding.confidence is Confidence.HIGH
    parts = (
        f"id {finding.id[: wording.SHORT_ID]}",
        finding.rule_id,
        *finding.cwe,
        *(() if sure else (f"{finding.confidence.label} confidence",)),
    )
    return escape.terminal(" · ".join(parts))
