"""A page of text for a terminal: Rich lays it out, nothing of a site's text acts on it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

from rich import box
from rich.console import Console, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mergegate.model.site.level import Level
from mergegate.report import escape, templates
from mergegate.report.console import tables

BANDS = {"good": "green", "needs improvement": "yellow", "poor": "red", "unknown": "dim"}
LEVELS = {Level.ERROR: "red", Level.WARNING: "yellow"}
_INDENT = (0, 0, 0, 2)
_LONGEST = 400
# Same width, so that columns stay aligned.
_ASCII = str.maketrans(
    {"│": "|", "─": "-", "…": "~", "·": "-", "–": "-", "−": "-", "×": "x", "→": ">", "“": '"'}
    | {"”": '"', "’": "'"}
)


@dataclass(frozen=True, slots=True)
class Screen:
    """Where the page is shown."""

    width: int = 80
    colour: bool = False
    """Whether to add ANSI styles; nothing else does."""
    ascii_only: bool = False
    """For terminals without UTF-8."""


PLAIN = Screen()
"""80 columns, no colour."""


def shown(parts: Iterable[RenderableType], screen: Screen) -> str:
    """The page as text, with a final line break, and no line that a CI runner would obey."""
    page = StringIO()
    console = _console(page, screen)
    for part in parts:
        console.print(part)
    text = page.getvalue()
    if not screen.colour:
        text = "\n".join(line.rstrip() for line in text.split("\n"))
    if screen.ascii_only:
        text = text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")
    return f"{escape.log(text).strip()}\n"


def plain(text: str, most: int = _LONGEST) -> str:
    """Text of a site, made inert and cut."""
    return escape.terminal(templates.clip(text, most))


def words(text: str, style: str = "", *, most: int = _LONGEST) -> Text:
    """A piece of hostile text in a style."""
    return Text(plain(text, most), style=style)


def indented(part: RenderableType) -> Padding:
    """``part``, two columns to the right."""
    return Padding(part, _INDENT)


def table(*columns: tuple[str, JustifyMethod]) -> Table:
    """An empty table in the style of the scan's report."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim")
    for name, justify in columns:
        made.add_column(name, justify=justify, overflow="fold")
    return made


def section(title: str, parts: Sequence[RenderableType], more: int = 0) -> list[RenderableType]:
    """``parts`` under a heading and how many are left out; nothing when there are none."""
    return [tables.heading(title), *parts, *tables.more(more)] if parts else []


def full_list(left_out: int) -> list[RenderableType]:
    """Where to find what is left out; nothing when there is none."""
    return [Text("\nFull list: --format html", style="bold")] if left_out else []


def _console(page: StringIO, screen: Screen) -> Console:
    return Console(
        file=page,
        width=screen.width,
        force_terminal=screen.colour,
        color_system="standard" if screen.colour else None,
        no_color=not screen.colour,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
