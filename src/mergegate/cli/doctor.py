"""``mergegate doctor``: what a scan needs, and whether it is here."""

import sys
from dataclasses import dataclass

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mergegate import wiring
from mergegate.cli.exits import INCOMPLETE, PASSED
from mergegate.errors import MergegateError
from mergegate.world.process import find_program, network_is_isolated


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that was looked at."""

    name: str
    state: str
    remedy: str = ""
    essential: bool = True
    """Whether a scan is incomplete without it."""

    @property
    def healthy(self) -> bool:
        """Nothing to be done."""
        return not self.remedy


@click.command()
def doctor() -> None:
    """Check the engines, Git, the network isolation and the advisory store.

    Exits with 3 when something essential is missing, and says what to do about it.
    """
    signs = [*_engines(), _git(), _isolation(), _advisories()]
    table = Table(box=None, pad_edge=False)
    for heading in ("", "What", "State", "To do"):
        table.add_column(heading, overflow="fold")
    for sign in signs:
        mark = (
            "[green]ok[/]" if sign.healthy else "[red]--[/]" if sign.essential else "[yellow]![/]"
        )
        table.add_row(mark, sign.name, escape(sign.state), escape(sign.remedy))
    Console(file=sys.stdout).print(table)
    sick = any(sign.essential and not sign.healthy for sign in signs)
    sys.exit(INCOMPLETE if sick else PASSED)


def _engines() -> list[Sign]:
    signs = []
    for name, version in wiring.engine_versions():
        try:
            signs.append(Sign(name, version()))
        except MergegateError as error:
            signs.append(Sign(name, error.what, error.remedy or "Install mergegate again."))
    return signs


def _git() -> Sign:
    try:
        return Sign("git", str(find_program("git")))
    except MergegateError as error:
        return Sign("git", error.what, "Install git: changes cannot be compared without it.", False)


def _isolation() -> Sign:
    if network_is_isolated():
        return Sign("network isolation", "engines run without a network")
    remedy = "Allow user namespaces (unshare), or run in a container without a network."
    return Sign("network isolation", "not possible here", remedy, essential=False)


def _advisories() -> Sign:
    try:
        held = wiring.advisories_status()
    except MergegateError as error:
        return Sign("advisory store", error.what, "Run `mergegate advisories update`.")
    if held is None or not held.sources:
        return Sign("advisory store", "empty", "Run `mergegate advisories update`.")
    parts = ", ".join(f"{one.ecosystem} {one.newest[:10]}" for one in held.sources)
    return Sign("advisory store", parts)
