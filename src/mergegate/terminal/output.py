"""Options and writing of reports: which format goes to which file."""

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from mergegate.core.errors import UsageError
from mergegate.core.render.escape import terminal
from mergegate.core.render.formats import Format, Surface

Command = Callable[..., Any]
R = TypeVar("R")
"""The report of one kind of scan."""
_CONSOLE = "console"
_NARROW, _WIDEST = 80, 120
_NO = frozenset({"", "0"})
_ELSEWHERE = "Name a file in a folder of yours."
_ROOM = "Make room, or name a file on another disk."
_STANDARD_OUTPUT = Path("-")


@dataclass(frozen=True, slots=True)
class Output:
    """A format and its file; standard output when there is none."""

    format: str
    file: Path | None
    """The folder, for a format that is several files."""


class _Destination(click.Path):
    """A path that is not empty: Python would take that for the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not value.strip():
            self.fail("it is empty. Name a file, or - for standard output.", param, ctx)
        return super().convert(value, param, ctx)


def report_options(known: Mapping[str, Format[Any]]) -> Callable[[Command], Command]:
    """Give a command ``--format`` and ``--output``, which ``outputs`` reads: of the ``known``.

    ``--json`` is one more of the formats.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*, as_json: bool, formats: Sequence[str], **values: Any) -> Any:
            return command(formats=(*formats, *(["json"] if as_json else [])), **values)

        run = click.option("--json", "as_json", is_flag=True, help="As --format json.")(run)
        run = click.option(
            "--output",
            type=_Destination(path_type=Path),
            help="The file to write, or with several formats the folder. Default: -, which is"
            " standard output.",
        )(run)
        return click.option(
            "--format",
            "formats",
            multiple=True,
            metavar="NAME[=FILE]",
            shell_complete=lambda _, __, begun: [one for one in known if one.startswith(begun)],
            help=f"One of {', '.join(known)}; may be given several times. Default: console.",
        )(run)

    return decorate


def outputs(
    formats: Sequence[str],
    output: Path | None,
    known: Mapping[str, Format[Any]],
) -> tuple[Output, ...]:
    """What ``--format NAME[=FILE]`` and ``--output`` ask for, of ``known``.

    Raises UsageError, also for a file that cannot be written: before a scan, not after it.
    """
    asked = [_split(one, known) for one in formats] or [(_CONSOLE, None)]
    without = {name for name, file in asked if file is None}
    if output and not without:
        raise UsageError(
            "every format has a file of its own: --output has nothing to hold",
            remedy="Leave --output out.",
        )
    folder = output if output and (len(without) > 1 or output.is_dir()) else None
    places = [(name, file or _place(known[name], output, folder)) for name, file in asked]
    wanted = tuple(
        dict.fromkeys(
            Output(name, None if file == _STANDARD_OUTPUT else file) for name, file in places
        )
    )
    if sum(one.file is None for one in wanted) > 1:
        raise UsageError(
            "several formats cannot share standard output",
            remedy="Give each a file, as in --format html=report.html, or a folder by --output.",
        )
    _check(wanted, known)
    return wanted


def quietly(wanted: Sequence[Output]) -> tuple[Output, ...]:
    """What is ``wanted``, with the console's report alone on standard output.

    Raises UsageError where another is to go there.
    """
    files = tuple(one for one in wanted if one.file)
    if any(one.format != _CONSOLE for one in wanted if one not in files):
        raise UsageError(
            "--quiet leaves nothing but the verdict on standard output",
            remedy="Give the report a file, as in --format json=report.json.",
        )
    return (*files, Output(_CONSOLE, None))


def _split(asked: str, known: Mapping[str, Format[Any]]) -> tuple[str, Path | None]:
    name, named, file = asked.partition("=")
    if name not in known:
        listed = f"The formats are {', '.join(known)}."
        raise UsageError(f"there is no format {name!r}", remedy=f"{meant(name, known)}{listed}")
    if named and not file.strip():
        raise UsageError(
            f"--format {asked} names no file",
            remedy=f"Name one, as in --format {name}=FILE, or - for standard output.",
        )
    if file.endswith("/") and not known[name].parts:
        raise UsageError(f"{file} is a folder", remedy="Name a file in it.")
    return name, Path(file) if named else None


def _place(form: Format[Any], output: Path | None, folder: Path | None) -> Path | None:
    """A format that is itself a folder lays its files straight into ``folder``."""
    extension = form.extension
    return folder / f"mergegate.{extension}" if folder and extension else folder or output


def _check(wanted: Sequence[Output], known: Mapping[str, Format[Any]]) -> None:
    files = [one.file for one in wanted if one.file and not known[one.format].parts]
    twice = next((file for file in files if files.count(file) > 1), None)
    if twice:
        raise UsageError(f"two formats cannot share {twice}", remedy="Give each a file of its own.")
    for file in files:
        check_writable(file)


def check_writable(file: Path) -> None:
    """Raise UsageError for a file that could not be written: before a scan, not after it."""
    refuse_link(file)
    if file.is_dir():
        raise UsageError(f"{file} is a folder", remedy="Name a file in it.")
    first = next(one for one in (file, *file.absolute().parents) if one.exists())
    if first != file and not first.is_dir():
        raise UsageError(f"{file} cannot be written: {first} is no folder", remedy=_ELSEWHERE)
    if not os.access(first, os.W_OK):
        raise UsageError(f"{file} cannot be written: {first} may not be changed", remedy=_ELSEWHERE)


def refuse_link(file: Path) -> None:
    """Raise UsageError if the path leads over a symbolic link inside a Git work tree.

    A hostile repository may track such a link to a file of the person who scans it.
    """
    place = file.absolute()
    here = Path(place.anchor)
    for part in place.parts[1:]:
        step = here.parent if part == ".." else here / part
        if step.is_symlink():
            if any((one / ".git").exists() for one in step.parents):
                raise UsageError(
                    f"{file} is not written: {part} is a link in the work tree",
                    remedy="Remove the link, or name another file.",
                )
            step = step.resolve()
        here = step


def write(
    report: R,
    output: Output,
    known: Mapping[str, Format[R]],
    *,
    verbose: bool = False,
    quiet: bool = False,
) -> None:
    """Render and write; raises UsageError when the file cannot be written."""
    form = known[output.format]
    if output.file is None:
        say(form.render(report, replace(terminal_surface(verbose), quiet=quiet)))
        return
    for name, render in form.parts.items():
        save(output.file / name, render(report))
    if not form.parts:
        save(output.file, form.render(report, Surface(verbose=verbose)))


def say(text: str) -> None:
    """Write ``text`` on standard output.

    Raises UsageError; a reader that has seen enough, such as ``head``, is no reason for it.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # What is left in the buffer goes nowhere, also when Python empties it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise UsageError(
                f"standard output cannot be written: {error.strerror}",
                remedy="Make room, or name a file.",
            ) from error


def write_all(
    report: R,
    wanted: Sequence[Output],
    known: Mapping[str, Format[R]],
    *,
    verbose: bool = False,
    quiet: bool = False,
) -> None:
    """Render and write every output, then say on standard error which files hold them.

    Not so when ``quiet``: then standard output has the verdict in one line, and that is all.
    """
    for one in wanted:
        write(report, one, known, verbose=verbose, quiet=quiet)
    if not quiet:
        point_to_files(wanted)


def meant(given: str, known: Iterable[str]) -> str:
    """``Did you mean html? ``: which of ``known`` was mistyped; empty where none is alike."""
    near = get_close_matches(given.lower()[:_WIDEST], list(known), 1)
    return f"Did you mean {near[0]}? " if near else ""


def complain(reasons: Iterable[str]) -> None:
    """Say why on standard error, a line each: standard output is the report's."""
    for reason in reasons:
        click.echo(f"mergegate: {terminal(reason)}", err=True)


def point_to_files(written: Sequence[Output]) -> None:
    """Say on standard error which files hold the reports."""
    for one in written:
        if one.file is not None:
            click.echo(f"{one.format}: {one.file}", err=True)


def save(file: Path, text: str) -> None:
    """Write ``text`` to ``file`` and make its folder; raises UsageError."""
    refuse_link(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{file} cannot be written: {error.strerror}",
            remedy=_ROOM if error.errno == errno.ENOSPC else _ELSEWHERE,
        ) from error


def is_coloured() -> bool:
    """Whether standard output gets colours.

    NO_COLOR forbids them, FORCE_COLOR or CLICOLOR_FORCE asks for them wherever it goes; else a
    terminal gets them that is not dumb, unless CLICOLOR is 0. What is empty says nothing.
    """
    said = os.environ.get
    if said("NO_COLOR"):
        return False
    if any(said(name, "") not in _NO for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return sys.stdout.isatty() and said("TERM") != "dumb" and said("CLICOLOR") != "0"


def terminal_surface(verbose: bool = False) -> Surface:
    """Standard output as it is: colours and width of a terminal, plain otherwise."""
    interactive = sys.stdout.isatty()
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return Surface(
        width=min(shutil.get_terminal_size().columns, _WIDEST) if interactive else _NARROW,
        colour=is_coloured(),
        unicode=encoding.startswith("utf"),
        verbose=verbose,
    )
