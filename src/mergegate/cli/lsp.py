"""``mergegate lsp``."""

import os
import sys

import click

from mergegate.core.errors import UsageError
from mergegate.editor.conversation import serve


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as it does.")
def lsp(stdio: bool) -> None:
    """Show an editor what is found in each file as it is saved.

    An editor starts it, and speaks the Language Server Protocol with it. docs/editors.md tells how
    to set up Neovim, VS Code and JetBrains.

    \b
    Example:
      mergegate lsp --stdio
    """
    del stdio  # clients of many servers say it: there is no other way here
    if sys.stdin.isatty():
        raise UsageError(
            "an editor starts `mergegate lsp`, and speaks to it over a pipe",
            remedy="docs/editors.md tells how; `mergegate scan FILE` is for a terminal.",
        )
    incoming, outgoing = os.dup(sys.stdin.fileno()), os.dup(sys.stdout.fileno())
    # What anything else reads or prints must not get between.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.exit(serve(incoming, outgoing))
