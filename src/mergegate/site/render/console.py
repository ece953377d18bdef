"""A site tool's layout for a terminal: what a reader takes in at a glance.

What a site says gets in by :func:`plain` and :func:`words` alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from mergegate.core.render import escape, templates, wording
from mergegate.core.render.screen import (
    PLAIN,
    Screen,
    bullet,
    hanging,
    heading,
    indented,
    more,
    shown,
    table,
)
from mergegate.site.render import figures
from mergegate.site.render.layout import (
    INCOMPLETE,
    NOT_JUDGED,
    TERMINAL,
    Bar,
    Block,
    Bullets,
    Code,
    Dial,
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
    Piece,
    Plot,
    Section,
    Span,
    Steps,
    Table,
    first,
    pieces,
    strong,
)

_INKS = {
    style: ink
    for styles, ink in (
        (("error", "high", "worse", "over", "failed", "poor"), "red"),
        (("warning", "medium", "perhaps over", "needs improvement"), "yellow"),
        (("better", "within", "good"), "green"),
        (("info", "same", "unsure", "unknown"), "dim"),
        (("critical",), "bold red"),
        (("low",), "cyan"),
    )
    for style in styles
}
"""The style of each tone and label."""
_LOOKS = {Look.STRONG: "bold", Look.HINT: "dim", Look.LEAD: "bold"}
_LONGEST = 400
_LONGEST_STEP = 200
_LONGEST_SUMMARY = 600
_LONGEST_CODE = 4_000
_WIDE, _NARROW = 8, 7
_LEVELS = frozenset({"error", "warning"})


def render(layout: Layout, screen: Screen = PLAIN, *, verbose: bool = False) -> str:
    """The page as text, with a final line break; ``verbose`` lists every finding."""
    page = [*_opening(layout)]
    for part in layout.parts:
        if TERMINAL in part.on:
            page += _part(part, layout, verbose=verbose)
    return shown([*page, *_receipt(layout)], screen)


def _opening(layout: Layout) -> Iterator[RenderableType]:
    yield words(layout.target or layout.address, "bold")
    yield _text(_verdict(layout))
    if len(layout.dials) > 1:
        yield from (Text(), _dials(layout.dials))
    summary = figures.opening(layout.report.summary)[0]
    yield from (Text(), indented(words(summary, most=_LONGEST_SUMMARY)))
    yield from _noted(NOT_JUDGED, layout.report.gaps, layout.most_notes)
    yield from _noted(layout.noted, layout.notes, layout.most_notes)


def _verdict(layout: Layout) -> Line:
    if not layout.is_incomplete:
        return layout.verdict
    return (strong(INCOMPLETE.upper(), tone="poor"), "  ", *layout.verdict)


def _noted(title: str, notes: Sequence[str], most: Most) -> Iterator[RenderableType]:
    lines = tuple(((Span(one, most=_LONGEST),),) for one in notes)
    yield from _section(title, _bullets(Bullets(lines, most)))


def _dials(dials: Sequence[Dial]) -> RenderableType:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for one in dials:
        said = f"{one.band} ({one.note})" if one.note else one.band
        style = _INKS[one.band]
        grid.add_row(Text(one.name), Text(f"{one.text:>3}", f"bold {style}"), Text(said, style))
    return indented(grid)


def _part(part: Part, layout: Layout, *, verbose: bool) -> list[RenderableType]:
    if isinstance(part, Steps):
        return _steps(part)
    if isinstance(part, Findings):
        return _findings(part, layout, verbose=verbose)
    return _blocks(part)


def _section(title: str, parts: Iterable[RenderableType]) -> list[RenderableType]:
    """``parts`` under a heading; nothing when there are none."""
    listed = list(parts)
    return [heading(title), *listed] if listed else []


def _blocks(section: Section) -> list[RenderableType]:
    title = _text(section.title).plain
    seen = [one for one in section.blocks if TERMINAL in one.on]
    drawn = (part for one in seen if type(one) in _DRAWN for part in _DRAWN[type(one)](one))
    return _section(plain(title), drawn)


def _steps(of: Steps) -> list[RenderableType]:
    kept, left = first(of.steps, of.most, TERMINAL)
    titles = [f"{one.title} ({one.impact} impact)" if one.impact else one.title for one in kept]
    lines = [
        hanging(Text(f"{number}."), words(title, most=_LONGEST_STEP))
        for number, title in enumerate(titles, start=1)
    ]
    return _section("What to do first", [*lines, *more(left)])


def _findings(of: Findings, layout: Layout, *, verbose: bool) -> list[RenderableType]:
    """Each group of findings as a section; without findings, a line that says so."""
    if not any(group.findings for group in of.groups):
        return _section(of.id.capitalize(), [bullet(layout.nothing(of))])
    parts, left = [], 0
    for group in of.groups:
        kept = [one for one in group.findings if verbose or not one.is_minor]
        kept = kept if verbose else kept[: of.most.terminal]
        parts += _group(group, kept)
        left += len(group.findings) - len(kept)
    return [*parts, *([Text("\nFull list: --format html", style="bold")] if left else [])]


def _group(group: Group, kept: Sequence[Finding]) -> list[RenderableType]:
    title = f"{group.name} ({group.number or format(len(group.findings), ',')})"
    left = more(len(group.findings) - len(kept)) if kept else []
    return _section(title, [*map(_finding, kept), *left])


def _finding(one: Finding) -> RenderableType:
    label = Text(f"{one.label:<{_NARROW if one.label in _LEVELS else _WIDE}}", _INKS[one.label])
    title = ", ".join(filter(None, (plain(one.title, 180), *map(plain, one.notes))))
    places = "  ".join(plain(place, 100) for place in one.where if place)
    told = (plain(one.message, 240), places, plain(one.evidence, 140))
    return hanging(label, Text("\n").join([Text(title), *(Text(x, "dim") for x in told if x)]))


def _paragraph(of: Paragraph) -> Iterator[RenderableType]:
    if text := _text(of.line, "dim" if "hint" in of.look else ""):
        yield indented(text)


def _bullets(of: Bullets) -> Iterator[RenderableType]:
    kept, left = first(of.entries, of.most, TERMINAL)
    for entry in kept:
        lead, *rest = entry[0]
        if isinstance(lead, Span) and lead.look is Look.LEAD:
            yield hanging(words(lead.text, most=lead.most), _lines((tuple(rest), *entry[1:])))
        elif text := _lines(entry):
            yield hanging(Text("-"), text)
    yield from more(left + of.left_out)


def _table(of: Table) -> Iterator[RenderableType]:
    indices = [
        index for index, one in enumerate(of.columns) if TERMINAL in one.on and not one.is_chart
    ]
    columns = [of.columns[index] for index in indices]
    made = table(*((one.name, "right" if one.is_number else "left") for one in columns))
    kept, left = first(of.rows, of.most, TERMINAL)
    for row in kept:
        cells = [row.cells[index] for index in indices]
        made.add_row(*(_text(one, most=60) for one in cells if not isinstance(one, Bar | Plot)))
    yield from (indented(made), *more(left)) if kept else ()


def _facts(of: Facts) -> Iterator[RenderableType]:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for one in of.facts:
        grid.add_row(Text(one.name, "dim"), words(one.text, _INKS.get(one.band, ""), most=160))
    yield from [indented(grid)] if of.facts else []


def _code(of: Code) -> Iterator[RenderableType]:
    """Wrapped, to be read; the other formats have it in one piece, to be copied."""
    yield indented(words(of.text, most=_LONGEST_CODE))


_DRAWN: Mapping[type[Block], Callable[[Any], Iterator[RenderableType]]] = {
    Paragraph: _paragraph,
    Bullets: _bullets,
    Table: _table,
    Facts: _facts,
    Code: _code,
}


def _lines(entry: Sequence[Line]) -> Text:
    told = [line for line in map(_text, entry) if line.plain]
    return Text("\n").join(told)


def _text(line: Line | Piece, style: str = "", most: int = _LONGEST) -> Text:
    text = Text(style=style)
    for one in pieces(line, TERMINAL):
        if isinstance(one, str):
            text.append(escape.terminal(one))
        else:
            ink = " ".join(filter(None, (_LOOKS.get(one.look), _INKS.get(one.tone))))
            text.append_text(words(one.text, ink, most=min(one.most, most)))
    return text


def plain(text: str, most: int = _LONGEST) -> str:
    """Text of a site, made inert and cut."""
    return escape.terminal(templates.clip(text, most))


def words(text: str, style: str = "", *, most: int = _LONGEST) -> Text:
    """A piece of hostile text in a style."""
    return Text(plain(text, most), style=style)


def _receipt(layout: Layout) -> list[RenderableType]:
    """The tool and time of the scan, and each engine that did not do well."""
    report = layout.report
    notes = [f"{run.name}: {note}" for run in report.engines if (note := wording.engine_note(run))]
    lines = [figures.receipt(report), *notes]
    return [Text(), *(words(line, "dim") for line in lines)]
