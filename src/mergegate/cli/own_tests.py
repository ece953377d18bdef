"""The options that order the team's own tests as a gate of fixes."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from mergegate.ci.testing import LONGEST_S, TestOrder
from mergegate.core.errors import UsageError

Command = Callable[..., Any]


def test_options(command: Command) -> Command:
    """Give a command the options that order tests, as ``tests``: None where none are ordered."""

    @wraps(command)
    def run(
        *,
        test_command: str | None,
        test_env: tuple[str, ...],
        test_network: bool,
        test_timeout: int | None,
        **values: Any,
    ) -> Any:
        given = {
            "--test-env": test_env,
            "--test-network": test_network,
            "--test-timeout": test_timeout,
        }
        for name, is_set in given.items():
            if is_set and test_command is None:
                raise UsageError(f"{name} says how tests are run", remedy="Add --test-command.")
        if test_command is not None and not test_command.strip():
            raise UsageError("--test-command is empty", remedy="Name the command, or leave it out.")
        order = None
        if test_command is not None:
            from mergegate.repo.fixes.own_tests import TIMEOUT_S  # noqa: PLC0415 - seldom needed

            order = TestOrder(test_command, test_env, test_network, test_timeout or TIMEOUT_S)
        return command(tests=order, **values)

    for option in (
        click.option(
            "--test-timeout",
            metavar="SECONDS",
            type=click.IntRange(1, LONGEST_S),
            help="How long one run of the tests may take; 600 by default.",
        ),
        click.option(
            "--test-network", is_flag=True, help="Let the tests have this machine's network."
        ),
        click.option(
            "--test-env",
            metavar="NAME",
            multiple=True,
            help="A variable that the tests get beside PATH, HOME and the locale; may be given"
            " several times. Never a token.",
        ),
        click.option(
            "--test-command",
            metavar="COMMAND",
            help="Run the repository's own tests by this command of the shell, in copies without"
            " and with the fixes: what they do not pass is not offered. It executes code of the"
            " repository.",
        ),
    ):
        run = option(run)
    return run
