"""What a job leaves behind: lines of its log, report files, its summary page, outputs."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from mergegate.core.errors import UsageError
from mergegate.core.render import escape
from mergegate.core.report import Report
from mergegate.repo.report.formats import FORMATS
from mergegate.sandbox.files.outbox import outbox
from mergegate.secrets.mask import mask_line
from mergegate.terminal.output import Output, write


def check_reports(workspace: Path, below: Path) -> None:
    """Raises UsageError where :func:`write_reports` would: a scan takes longer than this."""
    with outbox(workspace, below) as folder:
        if not os.access(folder, os.W_OK):
            raise UsageError(
                f"nothing can be written into the folder {below}",
                remedy="Name another one with the setting `report`, or let the job write there.",
            )


def write_reports(report: Report, workspace: Path, below: Path, formats: Sequence[str]) -> None:
    """``mergegate.<extension>`` for each format; one that is several files lies in the folder.

    Raises UsageError when the folder cannot be made below ``workspace`` without following a link,
    which a change could have laid there.
    """
    with outbox(workspace, below) as folder:
        for name in formats:
            extension = FORMATS[name].extension
            file = folder / f"mergegate.{extension}" if extension else folder
            write(report, Output(name, file), FORMATS)


def append(file: Path | None, text: str) -> None:
    """Add ``text`` to a file of the platform; without one there is nothing to do."""
    if file is None:
        return
    try:
        with file.open("a", encoding="utf-8") as opened:
            opened.write(text)
    except OSError as error:
        say(f"{file} cannot be written: {error.strerror}")


def outputs(values: Mapping[str, str]) -> str:
    """``name=value`` lines; no value can hold a line end, which would be another output."""
    lines = (f"{name}={' '.join(value.split())}" for name, value in values.items())
    return "".join(f"{line}\n" for line in lines)


def say(line: str) -> None:
    """Write one line to standard error; hostile text in it is made visible, secrets are masked."""
    click.echo(escape.log(escape.terminal(f"mergegate: {mask_line(line)}")), err=True)
