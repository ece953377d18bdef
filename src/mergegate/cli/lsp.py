"""``mergegate lsp``."""

import os
import stat
import sys

import click

from mergegate.core.errors import UsageError
from mergegate.editor.conversation import serve

_INPUT, _OUTPUT, _ERRORS = 0, 1, 2


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
    mode = os.fstat(_INPUT).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        raise UsageError(
            "an editor starts `mergegate lsp`, and speaks to it over a pipe",
            remedy="docs/editors.md tells how; `mergegate scan FILE` is for a terminal.",
        )
    incoming, outgoing = os.dup(_INPUT), os.dup(_OUTPUT)
    # What anything else reads or prints must not get between.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _INPUT)
    os.dup2(_ERRORS, _OUTPUT)
    sys.exit(serve(incoming, outgoing))
