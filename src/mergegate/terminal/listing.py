"""Output of an operator's lists: a table for people, JSON for scripts."""

import datetime as dt
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mergegate.core.render.escape import terminal
from mergegate.terminal.output import is_coloured, say

T = TypeVar("T")
_ANY_WIDTH = 100_000
_WHOLE = "Id"
"""A column that people copy from."""
JSON = "json"
Command = Callable[..., Any]


def styles(*others: str) -> Callable[[Command], Command]:
    """Give a command ``--format``, of console, JSON and ``others``, and a short word for JSON."""

    def decorate(command: Command) -> Command:
        command = click.option("--json", "style", flag_value=JSON, help="As --format json.")(
            command
        )
        return click.option(
            "--format",
            "style",
            type=click.Choice(["console", JSON, *others]),
            default="console",
            show_default=True,
            help="For people, or for scripts.",
        )(command)

    return decorate


FORMAT = styles()
Columns = Mapping[str, Callable[[T], str]]
"""Heading → what stands below it."""


def listed(
    style: str, found: Sequence[T], columns: Columns[T], plain: Callable[[T], Mapping[str, object]]
) -> None:
    """Print ``found`` as a table of ``columns``, or as a JSON array of what ``plain`` makes."""
    if style == JSON:
        say(f"{json.dumps([plain(one) for one in found], indent=2)}\n")
        return
    table = Table(box=None, pad_edge=False)
    for heading in columns:
        table.add_column(heading, overflow="fold", no_wrap=heading == _WHOLE)
    for one in found:
        table.add_row(*(Text(terminal(cell(one))) for cell in columns.values()))
    # A reader of the pipe, such as grep, gets one line each, however long.
    console = Console(
        file=sys.stdout,
        width=None if sys.stdout.isatty() else _ANY_WIDTH,
        force_terminal=is_coloured(),
        color_system="standard" if is_coloured() else None,
    )
    with console.capture() as page:
        console.print(table)
    say("".join(f"{line.rstrip()}\n" for line in page.get().splitlines()))


def told(style: str, plain: Mapping[str, object], *lines: str) -> None:
    """Print what was done, as a JSON object or in words."""
    said = [json.dumps(plain)] if style == JSON else map(terminal, lines)
    say("".join(f"{line}\n" for line in said))


def moment(when: dt.datetime | None) -> str | None:
    """``when`` in the API's format: ISO 8601 in UTC with milliseconds."""
    if when is None:
        return None
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
