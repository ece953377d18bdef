"""The findings of the doctor, for people and for machines."""

import difflib
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from mergegate.core.render.escape import log, terminal
from mergegate.doctor.machine import Sign
from mergegate.doctor.predict.prediction import Kind, Outcome, Prediction, Scene

_PARTS = {"ci": "Any platform", "github": "GitHub", "gitlab": "GitLab", "bitbucket": "Bitbucket"}
START = "<!-- predictions: made by `mergegate doctor --list`, do not edit -->"
END = "<!-- end of predictions -->"


def predictions_list(kinds: Collection[Kind]) -> str:
    """Markdown between its two marks: one table a platform."""
    parts = [line for part, title in _PARTS.items() for line in _part(part, title, kinds)]
    return "\n".join([START, "", *parts, END, ""])


def _part(part: str, title: str, kinds: Collection[Kind]) -> Iterator[str]:
    chosen = sorted(
        (kind for kind in kinds if kind.id.startswith(f"{part}-")),
        key=lambda kind: (kind.outcome.rank, kind.id),
    )
    yield from (f"### {title}", "", "| Prediction | | What goes wrong | What to do |")
    yield "|---|---|---|---|"
    for kind in chosen:
        cells = (f"[`{kind.id}`]({kind.reference})", kind.outcome.value, kind.title, kind.advice)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


_COLUMNS = 96
_STYLES = {Outcome.BREAKS: "red", Outcome.WARNS: "yellow", Outcome.NOTES: "dim"}


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that the command prints."""

    signs: tuple[Sign, ...]
    scene: Scene
    predictions: tuple[Prediction, ...]
    corrected: Mapping[str, str]
    """Path → text of the files that would prevent what can be prevented."""
    written: tuple[str, ...] = ()
    """The files that were just corrected on disk."""


def as_json(shown: Shown) -> Mapping[str, object]:
    """What ``--format json`` prints."""
    return {
        "environment": [sign.plain() for sign in shown.signs],
        "predictions": [_plain(one) for one in shown.predictions],
        "corrected": dict(shown.corrected),
        "written": list(shown.written),
    }


def _plain(one: Prediction) -> Mapping[str, object]:
    return {
        "id": one.kind.id,
        "outcome": one.outcome.value,
        "path": one.path,
        "line": one.line,
        "happens": one.happens,
        "why": one.kind.why,
        "advice": one.advice,
        "reference": one.kind.reference,
        "corrected": None if one.corrected is None else dict(one.corrected),
    }


def show(shown: Shown) -> None:
    """Print for people: the machine first, then CI, worst first, then the corrected files."""
    console = Console(file=sys.stdout, highlight=False)
    console.print(_table(shown.signs))
    for text in _page(shown):
        console.print(text, soft_wrap=True)


def _table(signs: tuple[Sign, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("", "What", "State", "To do"):
        table.add_column(heading, overflow="fold")
    for sign in signs:
        mark = "[red]--[/]" if sign.alarming else "[green]ok[/]" if sign.healthy else "[yellow]![/]"
        table.add_row(mark, sign.name, escape(sign.state), escape(sign.remedy))
    return table


def _page(shown: Shown) -> Iterator[Text]:
    yield Text()
    yield Text("CI wiring", style="bold")
    yield from (Text(_safe(f"written: {path}"), style="green") for path in shown.written)
    if not shown.predictions:
        yield Text("ok  Nothing is predicted to go wrong.", style="green")
    for one in shown.predictions:
        yield from _prediction(one)
    if _knows_nothing_of_rules(shown):
        yield Text()
        yield Text(
            "Required checks and merge queues are told by --settings FILE (see docs/doctor.md).",
            style="dim",
        )
    if shown.corrected:
        yield Text()
        yield Text("Corrected files (`mergegate doctor --fix-ci` writes them)", style="bold")
        for line in _differences(shown):
            yield Text(_safe(line), style=_colour(line))


def _prediction(one: Prediction) -> Iterator[Text]:
    yield Text()
    head = Text(f"{one.outcome.value:<7}", style=_STYLES[one.outcome])
    yield head.append(_safe(f" {one.path}:{one.line}  {one.kind.id}"), style="bold")
    fixed = " The corrected file is below." if one.corrected is not None else ""
    for label, text in (
        ("", one.happens),
        ("Why: ", one.kind.why),
        ("To do: ", f"{one.advice}{fixed}"),
    ):
        style = "" if not label else "dim" if label == "Why: " else ""
        yield Text("\n".join(_wrapped(label, text)), style=style)


def _wrapped(label: str, text: str) -> list[str]:
    lines = textwrap.wrap(terminal(f"{label}{text}"), _COLUMNS - 8, break_long_words=False)
    return [log(f"        {line}") for line in lines]


def _knows_nothing_of_rules(shown: Shown) -> bool:
    return bool(shown.scene.files) and shown.scene.settings.required is None


def _differences(shown: Shown) -> Iterator[str]:
    for path, text in sorted(shown.corrected.items()):
        before = shown.scene.files.get(path)
        yield from difflib.unified_diff(
            _lines(before or ""),
            _lines(text),
            f"a/{path}" if before is not None else "/dev/null",
            f"b/{path}",
            lineterm="",
        )


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _safe(line: str) -> str:
    return log(terminal(line.removesuffix("\r")))


def _colour(line: str) -> str:
    if line.startswith("+"):
        return "green"
    return "red" if line.startswith("-") else "cyan" if line.startswith("@@") else ""
