"""``mergegate``: commands, errors and exit codes."""

import sys
from importlib import import_module

import click

from mergegate import __version__
from mergegate.cli.exits import USAGE, exit_code
from mergegate.errors import MergegateError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


COMMANDS = ("scan", "ci", "publish", "rules", "explain", "advisories", "policy", "doctor")
_ELSEWHERE = {"explain": "rules"}
"""Commands that share a module with another."""


class Commands(click.Group):
    """Loads a command when it is asked for: an engine's library takes longer than an answer."""

    def list_commands(self, _: click.Context) -> list[str]:
        """In the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"mergegate.cli.{_ELSEWHERE.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="mergegate")
def main() -> None:
    """Give one trustworthy answer before each merge: is this change safe and good.

    \b
    Examples:
      mergegate scan                      the repository in this folder
      mergegate scan ../shop --base main  what the branch brings against main
      mergegate advisories update         fetch or refresh the advisory store
      mergegate explain python-sql-injection

    \b
    Exit codes: 0 passed, 1 gate failed, 2 usage or bad input, 3 incomplete.
    Shell completion: eval "$(_MERGEGATE_COMPLETE=bash_source mergegate)"
    """


def run() -> None:
    """The console script: errors of ours become one line and an exit code."""
    try:
        main(standalone_mode=False)
    except MergegateError as error:
        click.echo(f"mergegate: {error}", err=True)
        sys.exit(exit_code(error))
    except click.Abort:
        click.echo("mergegate: interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
