"""``mergegate``: commands, errors and exit codes."""

import sys

import click

from mergegate import __version__
from mergegate.cli.advisories import advisories
from mergegate.cli.ci import ci
from mergegate.cli.doctor import doctor
from mergegate.cli.exits import USAGE, exit_code
from mergegate.cli.policy import policy
from mergegate.cli.publish import publish
from mergegate.cli.rules import explain, rules
from mergegate.cli.scan import scan
from mergegate.errors import MergegateError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
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


for command in (scan, ci, publish, rules, explain, advisories, policy, doctor):
    main.add_command(command)


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
