"""What a job's log shows: plain lines on standard error that no runner takes for commands."""

import click

from mergegate.core.render import escape


def say(line: str) -> None:
    """One line; hostile text in it is made visible."""
    click.echo(escape.log(escape.terminal(f"mergegate: {line}")), err=True)
