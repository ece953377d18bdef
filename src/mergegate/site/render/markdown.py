"""A site tool's layout for a comment, a job's summary or a file: details folded, length bounded.

Whatever a text holds shows as text: :func:`_span` alone lets it in.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mergegate.core.render import escape
from mergegate.core.render.formats import DEFAULT_LIMIT, SMALLEST_LIMIT
from mergegate.core.render.templates import clip
from mergegate.site.render import figures
from mergegate.site.render.layout import (
    COMMENT,
    MOST_PASTED,
    NOT_JUDGED,
    TOO_LONG,
    Block,
    Bullets,
    Code,
    Facts,
    Finding,
    Findings,
    Group,
    Layout,
    Line,
    Look,
    Most,
    Paragraph,
    Part,
    Section,
    Span,
    Step,
    Steps,
    Table,
    first,
    fitting,
    pieces,
    said,
)

_LENGTHS = (100, 40, 15, 5, 2, 0)
_LONGEST = 400
_LONGEST_TEXT = 600
_LONGEST_CELL = 160
_EXPLAINED = 3
"""Steps whose message is shown."""
_CODE = frozenset({Look.CODE, Look.PATH, Look.QUOTE})
_LANGUAGE = re.compile(r"[a-z]{0,20}")
_ORDER = re.compile(r"\s*/\w")
"""GitLab obeys lines such as ``/approve``."""
_NEXT_LINE = "  \n  "
_BETWEEN_FOLDS = ("</details>", "<details>")


def render(layout: Layout, *, limit: int = DEFAULT_LIMIT) -> str:
    """The page in at most ``limit`` characters: lists are cut until it fits, and say by how much.

    Raises ValueError below 10,000 characters: even a page without any list might be longer.
    """
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a report needs {SMALLEST_LIMIT} characters, not {limit}")
    return fitting(lambda length: _Page(length).text(layout), _LENGTHS, limit)


@dataclass(frozen=True, slots=True)
class _Page:
    length: int
    """How long a list may be."""

    def text(self, layout: Layout) -> str:
        """The whole layout as Markdown."""
        parts = (one for one in layout.parts if COMMENT in one.on)
        receipt = f"<sub>{_plain(figures.receipt(layout.report))}</sub>"
        texts = [
            *_opening(layout),
            self._gaps(layout),
            self._notes(layout),
            *map(self._part, parts),
            receipt,
        ]
        return "\n\n".join(filter(None, texts)) + "\n"

    def _gaps(self, layout: Layout) -> str:
        shown, left = first(layout.report.gaps, layout.most_notes, COMMENT, self.length)
        lines = [f"- ❔ {_plain(one, 300)}" for one in shown]
        return f"### {NOT_JUDGED}\n\n{_joined([*lines, *_more(left)])}" if lines else ""

    def _notes(self, layout: Layout) -> str:
        shown, left = first(layout.notes, layout.most_notes, COMMENT, self.length)
        return _joined([*(f"- ⚠️ {_plain(one, 300)}" for one in shown), *_more(left)])

    def _part(self, part: Part) -> str:
        if isinstance(part, Steps):
            return self._steps(part)
        if isinstance(part, Findings):
            return self._findings(part)
        return self._section(part)

    def _steps(self, of: Steps) -> str:
        shown, left = first(of.steps, of.most, COMMENT, self.length)
        lines = [_step(number, one) for number, one in enumerate(shown, start=1)]
        return f"### What to do first\n\n{_joined([*lines, *_more(left)])}" if of.steps else ""

    def _findings(self, of: Findings) -> str:
        """Those that fold stand close to one another."""
        text = ""
        for group in of.groups:
            part = self._group(group, of.most)
            close = text.endswith(_BETWEEN_FOLDS[0]) and part.startswith(_BETWEEN_FOLDS[1])
            text += f"{chr(10) * (1 if close else 2) if text else ''}{part}"
        return text

    def _group(self, group: Group, most: Most) -> str:
        shown, left = first(group.findings, most, COMMENT, self.length)
        body = _joined([*(_finding(one, group) for one in shown), *_more(left)])
        name = f"{group.sign} {group.name}".strip()
        return (
            f"### {name}\n\n{body}" if group.is_grave else _folded(f"{name}: {group.counted}", body)
        )

    def _section(self, section: Section) -> str:
        title = said(section.title, COMMENT)
        seen = [one for one in section.blocks if COMMENT in one.on]
        drawn = [_DRAWN[type(one)](self, one) for one in seen if type(one) in _DRAWN]
        body = "\n\n".join(filter(None, drawn))
        if not body or not title:
            return body
        return _folded(title, body) if section.is_folded else f"### {_plain(title)}\n\n{body}"

    def paragraph(self, of: Paragraph) -> str:
        """A line of its own."""
        return self._line(of.line)

    def bullets(self, of: Bullets) -> str:
        """An entry's further lines stand under its first."""
        shown, left = first(of.entries, of.most, COMMENT, self.length)
        lines = [f"- {text}" for text in map(self._entry, shown) if text]
        return _joined([*lines, *_more(left + of.left_out)])

    def table(self, of: Table) -> str:
        """The table without its chart columns."""
        columns = [
            (index, one)
            for index, one in enumerate(of.columns)
            if COMMENT in one.on and not one.is_chart
        ]
        shown, left = first(of.rows, of.most, COMMENT, self.length)
        head = "".join(f" {one.name} |" if one.name else " |" for _, one in columns)
        rule = "".join("--:|" if one.is_number else ":--|" for _, one in columns)
        rows = [
            "".join(f" {self._cell(row.cells[index])} |" for index, _ in columns) for row in shown
        ]
        lines = _joined([f"|{one}" for one in (head, rule, *rows)])
        return "\n\n".join([lines, *_more(left)])

    def facts(self, of: Facts) -> str:
        """A table of two columns."""
        rows = [
            f"| {_plain(one.name)} | {escape.code_cell(clip(one.text, 200))} |" for one in of.facts
        ]
        return _joined(["| | |", "|:--|:--|", *rows]) if rows else ""

    def code(self, of: Code) -> str:
        """Whole and as it is, or not at all where a forge might take a line for an order."""
        if len(of.text) > MOST_PASTED:
            return TOO_LONG
        lines = tuple(of.text.split("\n"))
        is_plain = _LANGUAGE.fullmatch(of.language) and not any(map(_ORDER.match, lines))
        return escape.fence(lines, of.language) if is_plain and of.text else ""

    def _cell(self, cell: Any) -> str:
        return "".join(self._pieces(cell, cell=True))

    def _entry(self, entry: Sequence[Line]) -> str:
        return _NEXT_LINE.join(filter(None, map(self._line, entry)))

    def _line(self, line: Line) -> str:
        return "".join(self._pieces(line))

    def _pieces(self, line: Line, *, cell: bool = False) -> Iterator[str]:
        for one in pieces(line, COMMENT, self.length):
            yield escape.markdown(one) if isinstance(one, str) else _span(one, cell=cell)


_DRAWN: Mapping[type[Block], Callable[[_Page, Any], str]] = {
    Paragraph: _Page.paragraph,
    Bullets: _Page.bullets,
    Table: _Page.table,
    Facts: _Page.facts,
    Code: _Page.code,
}


def _opening(layout: Layout) -> Iterator[str]:
    host = escape.code(clip(figures.host(layout.target or layout.address), 80))
    headline = f": {_plain(layout.outcome)}" if layout.outcome else ""
    yield f"## {layout.subject} of {host}{headline}"
    if len(layout.dials) > 1:
        notes = [f" ({one.note})" if one.note else "" for one in layout.dials]
        told = zip(layout.dials, notes, strict=True)
        yield _joined(
            [
                f"|{''.join(f' {one.name} |' for one in layout.dials)}",
                f"|{'--:|' * len(layout.dials)}",
                f"|{''.join(f' **{one.text}**{note} |' for one, note in told)}",
            ]
        )
    yield _plain(figures.opening(layout.report.summary)[0], _LONGEST_TEXT)
    if layout.conditions:
        yield f"{escape.code(clip(layout.address, 200))}, {layout.conditions}"


def _step(number: int, one: Step) -> str:
    impact = f" ({_plain(one.impact, 10)} impact)" if one.impact else ""
    message = f"  \n   {_plain(one.message)}" if number <= _EXPLAINED else ""
    return f"{number}. **{_plain(one.title, 160)}**{impact}{message}"


def _finding(one: Finding, group: Group) -> str:
    """Label and title, then what is known: a line each. A group may be called by the label."""
    label = one.label.capitalize()
    before = "" if group.name == label else f"{label}: "
    title = ", ".join([f"**{_plain(one.title, 180)}**", *map(_plain, filter(None, one.notes))])
    lines = (
        f"{before}{title}",
        _plain(one.message, 300),
        " ".join(escape.code(clip(place, 140)) for place in one.where if place),
        escape.code(clip(one.evidence, 200)) if one.evidence else "",
        _plain(one.remedy, 300),
    )
    return f"- {_NEXT_LINE.join(filter(None, lines))}"


def _span(one: Span, *, cell: bool) -> str:
    text = clip(one.text, min(one.most, _LONGEST_CELL if cell else _LONGEST))
    if one.look is Look.QUOTE and not cell:
        return escape.markdown(text)
    if one.look in _CODE:
        return escape.code_cell(text) if cell else escape.code(text)
    shown = escape.markdown(text)
    return {Look.STRONG: f"**{shown}**", Look.LEAD: f"{shown} "}.get(one.look, shown)


def _plain(text: str, most: int = _LONGEST) -> str:
    return escape.markdown(clip(text, most))


def _folded(title: str, body: str) -> str:
    # An apostrophe means nothing outside attributes.
    shown = escape.inline_html(title).replace("&#x27;", "'")
    return f"<details><summary>{shown}</summary>\n\n{body}\n\n</details>"


def _more(left: int) -> list[str]:
    return [f"- and {left:,} more"] if left > 0 else []


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)
