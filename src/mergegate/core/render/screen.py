"""A page of text for a terminal: Rich lays it out, nothing of a report's text acts on it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

from rich import box
from rich.console import Console, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mergegate.core.render import escape

_INDENT = (0, 0, 0, 2)
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
    """Whether to write ASCII alone, for terminals without UTF-8."""


PLAIN = Screen()
"""80 columns, no colour."""


def shown(parts: Iterable[RenderableType], screen: Screen) -> str:
    """The page as text, with a final line break, and no line that a CI runner would obey."""
    page = StringIO()
    console = _console(page, screen)
    for part in parts:
        _print(console, part)
    return _finished(page.getvalue(), screen)


def heading(text: str) -> Text:
    """A section's first line, with a blank line above."""
    return Text(f"\n{text}", style="bold")


def indented(part: RenderableType) -> Padding:
    """``part``, two columns to the right."""
    return Padding(part, _INDENT)


def bullet(text: str) -> RenderableType:
    """A list's entry; further lines stand under its text."""
    return hanging(Text("-"), Text(escape.terminal(text)))


def hanging(*cells: Text) -> RenderableType:
    """Cells side by side, of which only the last wraps."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for _ in cells[:-1]:
        grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(*cells)
    return indented(grid)


def table(*columns: tuple[str, JustifyMethod]) -> Table:
    """An empty table; no column cuts its text."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim")
    for name, justify in columns:
        made.add_column(name, justify=justify, overflow="fold")
    return made


def more(left: int) -> Sequence[RenderableType]:
    """A line that says how many were left out; nothing for none."""
    return [indented(Text(f"and {left:,} more", style="dim"))] if left > 0 else []


def _print(console: Console, part: RenderableType) -> None:
    """Print ``part``; Rich forgets a lone text's own wrapping unless told again."""
    if isinstance(part, Text):
        console.print(part, no_wrap=part.no_wrap, overflow=part.overflow, crop=False)
    else:
        console.print(part)


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
        soft_wrap=False,
        _environ={},
    )


def _finished(page: str, screen: Screen) -> str:
    """Without the blanks Rich fills lines with."""
    text = page if screen.colour else "\n".join(line.rstrip() for line in page.split("\n"))
    if screen.ascii_only:
        text = text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")
    return f"{escape.log(text).strip()}\n"
