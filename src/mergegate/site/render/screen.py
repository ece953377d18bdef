"""The frame of a site tool's page for a terminal, and the inks that all of them use.

What a site says gets in by :func:`plain` and :func:`words` alone.
"""

from collections.abc import Iterable, Sequence

from rich.console import RenderableType
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
from mergegate.site.level import Level
from mergegate.site.render import phrases
from mergegate.site.render.scanned import Scanned

__all__ = [
    "BANDS",
    "PLAIN",
    "Screen",
    "bullet",
    "full_list",
    "indented",
    "levelled",
    "listed",
    "page",
    "plain",
    "section",
    "steps",
    "summed_up",
    "table",
    "words",
]

BANDS = {"good": "green", "needs improvement": "yellow", "poor": "red", "unknown": "dim"}
_LEVELS = {Level.ERROR: "red", Level.WARNING: "yellow"}
_MOST_STEPS = 5
_LONGEST = 400
_LONGEST_STEP = 200
_LONGEST_SUMMARY = 600


def page(
    report: Scanned, parts: Iterable[RenderableType], screen: Screen, *, looked_at: str = ""
) -> str:
    """``parts`` and the receipt, which ``looked_at`` opens."""
    return shown([*parts, *_receipt(report, looked_at)], screen)


def summed_up(summary: str) -> list[RenderableType]:
    """What a reader takes in at a glance of the summary."""
    return [Text(), indented(words(phrases.opening(summary)[0], most=_LONGEST_SUMMARY))]


def steps(titles: Sequence[str]) -> list[RenderableType]:
    """What to do first, numbered; nothing when there is nothing to do."""
    lines = [
        hanging(Text(f"{number}."), words(title, most=_LONGEST_STEP))
        for number, title in enumerate(titles[:_MOST_STEPS], start=1)
    ]
    return section("What to do first", lines, len(titles) - len(lines))


def section(title: str, parts: Sequence[RenderableType], left: int = 0) -> list[RenderableType]:
    """``parts`` under a heading and how many are left out; nothing when there are none."""
    return [heading(title), *parts, *more(left)] if parts else []


def listed(title: str, lines: Sequence[str], most: int) -> list[RenderableType]:
    """The first ``most`` of ``lines``, which are hostile text, as a section of bullets."""
    shown_lines = [bullet(plain(one)) for one in lines[:most]]
    return section(title, shown_lines, len(lines) - len(shown_lines))


def full_list(left_out: int) -> list[RenderableType]:
    """Where to find what is left out; nothing when there is none."""
    return [Text("\nFull list: --format html", style="bold")] if left_out else []


def levelled(level: Level, line: Text) -> RenderableType:
    """A finding's entry: how bad it is, then what."""
    return hanging(Text(f"{level.value:<7}", _LEVELS[level]), line)


def plain(text: str, most: int = _LONGEST) -> str:
    """Text of a site, made inert and cut."""
    return escape.terminal(templates.clip(text, most))


def words(text: str, style: str = "", *, most: int = _LONGEST) -> Text:
    """A piece of hostile text in a style."""
    return Text(plain(text, most), style=style)


def _receipt(report: Scanned, looked_at: str) -> list[RenderableType]:
    """Who looked and when, and which engine did not do well."""
    notes = [f"{run.name}: {note}" for run in report.engines if (note := wording.engine_note(run))]
    tool = phrases.tool(report.tool_version, report.completed_at)
    lines = [looked_at, f"{tool}, {phrases.engines(report.engines)}", *notes]
    return [Text(), *(words(line, "dim") for line in lines if line)]
