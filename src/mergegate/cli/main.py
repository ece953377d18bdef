"""``mergegate``: commands, errors and exit codes."""

import os
import signal
import sys
import traceback
from importlib import import_module

import click

from mergegate import __version__
from mergegate.cli.exits import INCOMPLETE, USAGE, exit_code
from mergegate.errors import EngineMissing, MergegateError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


COMMANDS = (
    "scan",
    "audit",
    "browser-test",
    "security-scan",
    "seo",
    "ci",
    "publish",
    "rules",
    "explain",
    "advisories",
    "policy",
    "doctor",
)
_MODULES = {
    "explain": "rules",
    "browser-test": "browser_test",
    "security-scan": "security_scan",
}
"""Commands whose module has another name."""
_STANDARD_ERROR = 2
_SITE_PACKAGES = frozenset({"cryptography", "playwright", "protego", "selectolax", "tldextract"})
"""Of the extra ``site``; who only scans repositories does without."""


class Commands(click.Group):
    """Loads a command when it is asked for: an engine's library takes longer than an answer."""

    def list_commands(self, _: click.Context) -> list[str]:
        """In the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        try:
            module = import_module(f"mergegate.cli.{_MODULES.get(cmd_name, cmd_name)}")
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] not in _SITE_PACKAGES:
                raise
            return _not_installed(cmd_name)
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command


def _not_installed(name: str) -> click.Command:
    """Stands in the list of commands, and says what to do when it is called."""

    def refuse() -> None:
        raise EngineMissing(f"{name} is not installed", remedy="Install `mergegate[site]`.")

    return click.Command(
        name,
        callback=refuse,
        short_help="Not installed: needs mergegate[site].",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="mergegate")
def main() -> None:
    """Give one trustworthy answer before each merge: is this change safe and good.

    \b
    Examples:
      mergegate scan                      the repository in this folder
      mergegate scan ../shop --base main  what the branch brings against main
      mergegate audit localhost:3000      speed and quality of a page
      mergegate browser-test localhost:3000
      mergegate security-scan localhost:3000
      mergegate seo localhost:3000        how search engines and assistants find a page
      mergegate advisories update         fetch or refresh the advisory store
      mergegate explain python-sql-injection

    \b
    Exit codes: 0 passed, 1 gate failed, 2 usage or bad input, 3 incomplete.
    Shell completion: eval "$(_MERGEGATE_COMPLETE=bash_source mergegate)"
    """


def _end(number: int, _: object) -> None:
    """A job that is cancelled gets SIGTERM, one whose terminal closes SIGHUP.

    Unwind, so that no browser is left behind.
    """
    sys.exit(128 + number)


def run() -> None:
    """The console script: errors of ours become one line and an exit code.

    A mistake in Mergegate itself is no gate that failed: it leaves the answer incomplete.
    """
    _open_standard_streams()
    signal.signal(signal.SIGTERM, _end)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        signal.signal(signal.SIGHUP, _end)
    try:
        main(standalone_mode=False)
    except MergegateError as error:
        _tell(f"mergegate: {error}")
        sys.exit(exit_code(error))
    except click.Abort:
        click.echo("mergegate: interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except Exception:
        _own_mistake()
        sys.exit(INCOMPLETE)


def _open_standard_streams() -> None:
    """A caller may have closed some (``>&-``): what is said there is then said to nobody.

    Else the next file that is opened would take the number, and what children print.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8"))


def _own_mistake() -> None:
    for line in traceback.format_exc().splitlines():
        _tell(line)
    _tell("mergegate: this is a mistake of its own; please report it with the lines above")


def _tell(line: str) -> None:
    """On standard error; what a page or a file is called may be part of it."""
    from mergegate.report.escape import terminal  # noqa: PLC0415 - brings every report along

    click.echo(terminal(line), err=True)
