"""Which report goes where."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mergegate import wiring
from mergegate.errors import UsageError
from mergegate.model.report import Report

_NARROW, _WIDEST = 80, 120


@dataclass(frozen=True, slots=True)
class Output:
    """A format and its file; standard output when there is none."""

    format: str
    file: Path | None
    """The folder, for a format that is several files."""


def outputs(formats: Sequence[str], output: Path | None) -> tuple[Output, ...]:
    """What ``--format NAME[=FILE]`` and ``--output`` ask for; raises UsageError."""
    asked = [_split(one) for one in formats] or [("console", None)]
    without = [name for name, file in asked if file is None]
    if len(without) > 1 and output is None:
        raise UsageError(
            "several formats cannot share standard output",
            remedy="Give each a file, as in --format html=report.html, or a folder by --output.",
        )
    folder = output if output and (len(without) > 1 or output.is_dir()) else None
    return tuple(Output(name, file or _place(name, output, folder)) for name, file in asked)


def _split(asked: str) -> tuple[str, Path | None]:
    name, _, file = asked.partition("=")
    if name not in wiring.FORMATS:
        known = ", ".join(wiring.FORMATS)
        raise UsageError(f"there is no format {name!r}", remedy=f"The formats are {known}.")
    return name, Path(file) if file else None


def _place(name: str, output: Path | None, folder: Path | None) -> Path | None:
    """A format that is itself a folder lays its files straight into ``folder``."""
    extension = wiring.FORMATS[name].extension
    return folder / f"mergegate.{extension}" if folder and extension else folder or output


def write(report: Report, output: Output, *, verbose: bool) -> None:
    """Render and write; raises UsageError when the file cannot be written."""
    if output.file is None:
        sys.stdout.write(_render(report, output, _terminal(verbose)))
        sys.stdout.flush()
        return
    parts = wiring.FORMATS[output.format].parts
    for name, render in parts.items():
        _save(output.file / name, render(report))
    if not parts:
        _save(output.file, _render(report, output, wiring.Surface(verbose=verbose)))


def _save(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}") from error


def _render(report: Report, output: Output, surface: wiring.Surface) -> str:
    return wiring.FORMATS[output.format].render(report, surface)


def _terminal(verbose: bool) -> wiring.Surface:
    """Standard output as it is: colours and width of a terminal, plain otherwise."""
    interactive = sys.stdout.isatty()
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return wiring.Surface(
        width=min(shutil.get_terminal_size().columns, _WIDEST) if interactive else _NARROW,
        colour=interactive and not plain,
        unicode=encoding.startswith("utf"),
        verbose=verbose,
    )
