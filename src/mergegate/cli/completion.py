"""``mergegate completion``: what a shell needs to complete commands, options and rules."""

import click
from click.shell_completion import ShellComplete, get_completion_class

from mergegate.terminal.output import say

_VARIABLE = "_MERGEGATE_COMPLETE"
"""Set to a shell's name it makes the command answer what could stand next; click reads it."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what lets SHELL complete commands, options and rules.

    \b
    Examples:
      echo 'eval "$(mergegate completion bash)"' >> ~/.bashrc
      echo 'eval "$(mergegate completion zsh)"' >> ~/.zshrc      after compinit
      mergegate completion fish > ~/.config/fish/completions/mergegate.fish
    """
    found = get_completion_class(shell)
    if found is None:
        raise LookupError(f"click knows no {shell}")
    # Bash's own would start a bash to ask for its version.
    said = ShellComplete.source(found(click.Command("mergegate"), {}, "mergegate", _VARIABLE))
    say(f"{said.rstrip()}\n")
