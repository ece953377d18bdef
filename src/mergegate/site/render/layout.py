"""A site tool's report as a layout that knows no format: sections, tables, findings, pictures.

A tool fills it, a renderer draws it. Every text in it is raw and may be hostile: the renderers make
it inert, each in one place. What only some readers need says so by its :class:`Medium`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar

from mergegate.core.render.suites import Case
from mergegate.site.level import Level
from mergegate.site.report import SiteReport

MOST_PASTED = 6_000
"""Characters of code that are shown: part of a configuration is worse than none."""
TOO_LONG = "It is too long to be shown here; the JSON report has it whole."


class Medium(Flag):
    """What a part of the layout is meant for; a renderer draws one of them."""

    TERMINAL = auto()
    """Read at a glance: short, and nothing folds."""
    COMMENT = auto()
    """A comment or a job's summary: of bounded length, details fold."""
    PAGE = auto()
    """A page of its own, with charts and pictures."""
    TEXT = TERMINAL | COMMENT
    ALL = TERMINAL | COMMENT | PAGE


TERMINAL, COMMENT, PAGE = Medium.TERMINAL, Medium.COMMENT, Medium.PAGE
TEXT, ALL = Medium.TEXT, Medium.ALL


class Look(Enum):
    """How a piece of text is set apart."""

    PLAIN = "plain"
    QUOTE = "quote"
    """Words of the site in a table: code where markup would act, else plain."""
    CODE = "code"
    PATH = "path"
    """An address or a selector: code that may break anywhere."""
    STRONG = "strong"
    HINT = "hint"
    TAG = "tag"
    """A label in a frame."""
    WORD = "word"
    """A verdict; its tone says how good it is."""
    JUDGED = "judged"
    """A text in the colour of the row it stands in."""
    LEAD = "lead"
    """What a bullet is about, before its text."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text."""

    text: str
    look: Look = Look.PLAIN
    tone: str = ""
    """A band, a level or a state such as ``new``; it chooses the colour."""
    most: int = 220
    """Characters that are shown, where the renderer has room for them."""
    link: str = ""
    """Where it leads: an https address, or ``#`` and the id of a finding; others are not linked."""
    title: str = ""
    """More about it, for those who point at it."""


class Most(NamedTuple):
    """How many entries of a list each medium shows."""

    terminal: int
    comment: int
    page: int

    def of(self, medium: Medium) -> int:
        """The number of one medium."""
        return {Medium.TERMINAL: self.terminal, Medium.COMMENT: self.comment}.get(medium, self.page)


@dataclass(frozen=True, slots=True)
class Listing:
    """Things in a row: ``a, b and 3 more``."""

    lines: tuple["Line", ...]
    most: Most = Most(20, 20, 40)


@dataclass(frozen=True, slots=True)
class Only:
    """Pieces for some readers."""

    on: Medium
    line: "Line"


Piece = Span | Listing | Only | str
"""A ``str`` is never cut."""
Line = tuple[Piece, ...]
"""Text in pieces."""


quote = partial(Span, look=Look.QUOTE)
code = partial(Span, look=Look.CODE)
path = partial(Span, look=Look.PATH)
strong = partial(Span, look=Look.STRONG)
hint = partial(Span, look=Look.HINT)
tag = partial(Span, look=Look.TAG)
word = partial(Span, look=Look.WORD)
judged = partial(Span, look=Look.JUDGED)
lead = partial(Span, look=Look.LEAD)


def in_text(*line: Piece) -> Only:
    """A line for terminals and comments only."""
    return Only(TEXT, line)


def on_page(*line: Piece) -> Only:
    """A line for HTML pages only."""
    return Only(PAGE, line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A cell's chart of one figure."""

    said: str
    value: float
    end: float
    """The figure at the right end of the chart."""
    spread: tuple[float, float] | None = None
    """The lowest and the highest of all runs."""
    limit: float | None = None
    look: str = "amount"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A cell's chart of a figure before and after a change, and between what its runs lie."""

    said: str
    before: float
    after: float
    before_range: tuple[float, float]
    after_range: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    is_number: bool = False
    on: Medium = Medium.ALL
    is_chart: bool = False
    is_spare: bool = False
    """Left out where a page is narrow."""


Cell = Line | Piece | Bar | Plot


@dataclass(frozen=True, slots=True)
class Row:
    """A cell a column."""

    cells: tuple[Cell, ...]
    tone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Part of a section."""

    kind: ClassVar[str]
    on: Medium = Medium.ALL


@dataclass(frozen=True, slots=True)
class Paragraph(Block):
    """A piece of prose."""

    kind = "paragraph"
    line: Line
    look: str = ""
    """``hint``, ``intro``, ``facts``, ``legend``, ``blocked``, or nothing."""


@dataclass(frozen=True, slots=True)
class Bullets(Block):
    """A list; an entry is one line or a few under one another."""

    kind = "bullets"
    entries: tuple[tuple[Line, ...], ...]
    most: Most | None = None
    """None where it has but a few."""
    look: str = "list"
    left_out: int = 0
    """How many there are beyond the entries."""


@dataclass(frozen=True, slots=True)
class Table(Block):
    """Rows under named columns."""

    kind = "table"
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    most: Most | None = None
    """None where it has but a few."""
    look: str = ""
    label: str = "Table"


@dataclass(frozen=True, slots=True)
class Fact:
    """What something is called, and what it is."""

    name: str
    text: str
    hint: str = ""
    band: str = ""
    look: Look = Look.PLAIN
    title: str = ""
    """The name in full."""


@dataclass(frozen=True, slots=True)
class Facts(Block):
    """A card of facts."""

    kind = "facts"
    facts: tuple[Fact, ...]
    look: str = "pairs"


@dataclass(frozen=True, slots=True)
class Code(Block):
    """Something to paste; all of it or, where it has no room, none."""

    kind = "code"
    text: str
    label: str = "Ready to paste"
    language: str = "text"
    separator: str = "\n"
    """Where its lines may break."""


@dataclass(frozen=True, slots=True)
class Fold(Block):
    """Blocks that a page shows when asked."""

    kind = "fold"
    title: Line
    blocks: tuple[Block, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things; muted when there are none."""

    number: int
    noun: str
    tone: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Counts(Block):
    """Numbers side by side."""

    kind = "counts"
    counts: tuple[Count, ...]
    look: str = "state"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Film(Block):
    """Frames of a load: milliseconds since it began, and a data URI."""

    kind = "film"
    frames: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One bar of a waterfall."""

    name: str
    kind: str
    """What was loaded, as the browser calls it."""
    start_ms: float
    end_ms: float
    size: int
    """Bytes."""
    vendor: str = ""
    status: int = 200
    """Negative when there was no answer."""


@dataclass(frozen=True, slots=True)
class Waterfall(Block):
    """What a page loaded, over time."""

    kind = "waterfall"
    requests: tuple[Request, ...]
    marks: tuple[tuple[str, float], ...] = ()
    """Moments across it: a name, and milliseconds since the load began."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot."""

    page: str
    viewport: str
    image: bytes
    boxed: int
    """How many failing elements are boxed in it."""


@dataclass(frozen=True, slots=True)
class Shots(Block):
    """Screenshots, those of a page side by side."""

    kind = "shots"
    shots: tuple[Shot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """How another site shows the page."""

    where: str
    title: str
    text: str
    caption: str
    look: str
    """``serp desktop`` or ``serp mobile`` in a search; ``share`` or ``share large`` as a link."""
    picture: str = ""
    """A data URI, or in words why there is none."""


@dataclass(frozen=True, slots=True)
class Previews(Block):
    """Previews side by side."""

    kind = "previews"
    previews: tuple[Preview, ...]
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """The place of a finding."""

    url: str
    line: int | None = None
    selector: str = ""
    snippet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something to put right: as people read it, and as machines do."""

    id: str
    rule: str
    label: str
    """How bad it is, in a word; it chooses the colour."""
    level: Level
    title: str
    notes: tuple[str, ...] = ()
    """What a text says after the title: how sure it is, how often, whose; some are empty."""
    message: str = ""
    """Why it matters; a text shows it below the title, a page's card by its ``body``."""
    evidence: str = ""
    """What proves it, and ``remedy`` what to do: as ``message``."""
    remedy: str = ""
    is_minor: bool = False
    """Only worth knowing: a terminal leaves it out unless asked."""
    where: tuple[str, ...] = ()
    """Address and selector."""
    is_placed: bool = True
    """Whether its card names the place beside its title."""
    aside: str = ""
    """More beside the title."""
    tags: Line = ()
    body: tuple[Block, ...] = ()
    facts: Line = ()
    """What its card says last, after the rule."""
    fix_id: str = ""
    """The id of the fix that puts it right; empty when there is none."""
    references: tuple[str, ...] = ()
    suite: str
    """Its list or area, where machines group by it."""
    name: str = ""
    """What a test is called by; the title unless told otherwise."""
    is_failure: bool
    """Whether a test of it fails; else it is skipped with its reason."""
    reasons: tuple[str, ...]
    """All that is known, a line each: the headline first."""
    type: str = ""
    topic: str
    text: str
    """All in one line."""
    spots: tuple[Spot, ...]
    """At least one."""
    properties: tuple[tuple[str, Any], ...] = ()
    rule_tags: tuple[str, ...] = ()
    """Tags of its rule, beside the topic."""
    rule_properties: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Findings that belong together."""

    name: str
    findings: tuple[Finding, ...]
    number: str = ""
    """Beside the name in a terminal; how many there are unless told otherwise."""
    counted: str = ""
    """Beside the name in a comment: ``3 problems``."""
    sign: str = ""
    is_grave: bool = False
    """Whether a comment shows it unfolded."""
    is_open: bool = True
    """Whether a page does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the layout under a heading."""

    kind: ClassVar[str] = "section"
    id: str
    title: Line
    blocks: tuple[Block, ...]
    on: Medium = Medium.ALL
    is_folded: bool = True
    """Whether a comment folds it."""
    is_half: bool = False
    """Whether a page shows it beside the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The section of the findings; ``id`` is what it calls them."""

    kind: ClassVar[str] = "findings"
    id: str
    counted: str = ""
    groups: tuple[Group, ...]
    nothing: str = "nothing to put right"
    most: Most = Most(10, 20, 60)
    on: Medium = Medium.ALL
    fixes: tuple["Fix", ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """Code that puts findings right."""

    id: str
    title: str
    message: str
    language: str
    blocks: tuple[Block, ...]
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next."""

    title: str
    message: str
    impact: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """What to do, in order."""

    kind: ClassVar[str] = "steps"
    steps: tuple[Step, ...]
    most: Most = Most(5, 8, 30)
    on: Medium = Medium.ALL


Part = Section | Findings | Steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """A score as a ring."""

    name: str
    text: str
    value: int | None
    band: str
    said: str
    """All of it in words."""
    note: str = ""
    unit: str = ""
    caption: Line = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """All that a report shows, in the order in which it is read."""

    report: SiteReport
    category: str
    """The tool's name, for machines."""
    tool: str
    subject: str
    """The tool in a word, before ``of example.org``."""
    headline: str = ""
    """The outcome, after it."""
    tab: str
    """The outcome for a browser's tab."""
    address: str
    """The address of the page that was looked at."""
    target: str = ""
    """What a text calls it; its address unless told otherwise."""
    verdict: Line
    """The outcome in a line of a terminal."""
    conditions: str = ""
    """How it was measured."""
    dials: tuple[Dial, ...] = ()
    totals: Counts | None = None
    notice: tuple[Block, ...] = ()
    """What must not be missed, after the summary."""
    notes: tuple[str, ...] = ()
    """What the scan left out or has to say beside its findings; not the report's gaps."""
    noted: str
    """What the notes are."""
    most_notes: Most = Most(10, 5, 8)
    parts: tuple[Part, ...]
    receipt: tuple[Block, ...] = ()
    """What an HTML page's receipt says beside times and engines."""
    findings: tuple[Finding, ...]
    checks: tuple[Case, ...] = ()
    """What was looked at beside the findings, and how it ended."""
    suites: tuple[str, ...] = ()
    """The order of the suites, where it is not that of the findings."""
    properties: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_incomplete(self) -> bool:
        """Whether something was asked for and not judged: every format then says so first."""
        return bool(self.report.gaps)

    @property
    def outcome(self) -> str:
        """The headline, behind the word that not all was judged."""
        return ", ".join(filter(None, (INCOMPLETE if self.is_incomplete else "", self.headline)))

    def nothing(self, of: Findings) -> str:
        """What stands in the place of findings where there are none."""
        return f"{of.nothing} {IN_THE_REST}" if self.is_incomplete else of.nothing


INCOMPLETE = "incomplete"
"""What the headline of a scan begins with that has gaps."""
NOT_JUDGED = "Not judged"
"""What the gaps stand under."""
IN_THE_REST = "in what was judged"
"""What a scan with gaps adds where it found nothing."""
T = TypeVar("T")


def first(
    items: Sequence[T], most: Most | None, medium: Medium, length: int = 1_000
) -> tuple[Sequence[T], int]:
    """The ``items`` that a medium shows, at most ``length``, and how many are left out."""
    if most is None:
        return items, 0
    shown = items[: min(length, most.of(medium))]
    return shown, len(items) - len(shown)


def pieces(line: Line | Piece, medium: Medium, length: int = 1_000) -> Iterator[Span | str]:
    """What a medium shows of ``line``; ``length`` is how long a listing may be."""
    for one in line if isinstance(line, tuple) else (line,):
        if isinstance(one, Only):
            yield from pieces(one.line, medium, length) if medium in one.on else ()
        elif isinstance(one, Listing):
            yield from _listed(one, medium, length)
        elif one if isinstance(one, str) else one.text:
            yield one


def _listed(of: Listing, medium: Medium, length: int) -> Iterator[Span | str]:
    shown, more = first(of.lines, of.most, medium, length)
    for number, line in enumerate(shown):
        yield from (", ",) if number else ()
        yield from pieces(line, medium, length)
    if more:
        yield f" and {more:,} more"


def said(line: Line, medium: Medium) -> str:
    """The words of ``line``, raw."""
    return "".join(one if isinstance(one, str) else one.text for one in pieces(line, medium))


def columns(*names: str, on: Medium = ALL) -> tuple[Column, ...]:
    """A column a name; one that ends in ``#`` is of numbers, one that ends in ``~`` of charts."""
    return tuple(
        Column(one.rstrip("#~"), one.endswith("#"), on, one.endswith("~"), one.endswith("~"))
        for one in names
    )


def row(*cells: Cell, tone: str = "") -> Row:
    """A row of these cells."""
    return Row(cells, tone)


def section(id: str, title: Line | str, *blocks: Block, **how: Any) -> Section:
    """A section of these blocks; ``how`` are further fields of :class:`Section`."""
    line = (title,) if isinstance(title, str) else title
    return Section(id=id, title=line, blocks=blocks, **how)


def paragraph(text: Piece, look: str = "", on: Medium = ALL) -> Paragraph:
    """One of a single piece."""
    return Paragraph((text,), look, on=on)


def spaced(*spans: Span, by: str = " ") -> Line:
    """Those that say anything, with a blank between them."""
    kept = [one for one in spans if one.text]
    return tuple(piece for one in kept for piece in (one, by))[:-1]


def fitting(draw: Callable[[int], str], lengths: Sequence[int], limit: int) -> str:
    """The first page of at most ``limit`` characters; ``draw`` gets how long a list may be.

    ``lengths`` fall; the page of the last is returned as it is.
    """
    page = ""
    for length in lengths:
        page = draw(length)
        if len(page) <= limit:
            break
    return page
