"""``mergegate advisories``: fill and inspect the advisory store."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

import click

from mergegate.core.errors import StoreError
from mergegate.packages.advisories import DEFAULT_BASE, fetch
from mergegate.packages.dependencies import AdvisorySource
from mergegate.repo.settings import ADVISORIES
from mergegate.repo.toolbox import advisories_status, update_advisories
from mergegate.terminal.exits import INCOMPLETE
from mergegate.terminal.listing import FORMAT, Columns, listed
from mergegate.terminal.output import say


@click.group()
def advisories() -> None:
    """Fill and inspect the store of advisories that dependencies are checked against."""


@advisories.command()
@click.argument("source", required=False, envvar=ADVISORIES)
@click.option(
    "--ecosystem",
    "ecosystems",
    multiple=True,
    help="Only this ecosystem, spelled as OSV does: PyPI, npm, Go, crates.io…; repeatable.",
)
def update(source: str | None, ecosystems: Sequence[str]) -> None:
    """Replace each ecosystem that SOURCE holds.

    SOURCE is a URL, a folder or a zip of OSV records, among which the lists of what attackers use
    (KEV, EPSS) may lie. Without SOURCE it is what MERGEGATE_ADVISORIES names, else the public OSV
    dumps and lists: of the usual ecosystems, and of those that the store has from there besides.
    An air-gapped host takes a zip or folder that was copied there.

    \b
    Examples:
      mergegate advisories update
      mergegate advisories update ./osv-dumps
      mergegate advisories update https://mirror.example.org/osv --ecosystem npm
    """
    chosen = ecosystems or _named(source)
    updated = update_advisories(source, chosen)
    for one in updated.sources:
        say(f"{one.ecosystem}: {one.records:,} advisories, newest of {one.newest[:10]}\n")
    came = {one.ecosystem for one in updated.sources}
    for lacking in sorted({*chosen} - came) if came else ():
        say(f"{lacking}: there was nothing to be had\n")
    if updated.malformed:
        click.echo(f"{updated.malformed} files were no OSV records and were left out", err=True)


def _named(source: str | None) -> Sequence[str]:
    held = None
    with suppress(StoreError):  # one that is damaged is told by the update itself
        held = advisories_status()
    return fetch.named(source or DEFAULT_BASE, held.sources if held else ())


@advisories.command()
@FORMAT
def status(style: str) -> None:
    """Tell what the store holds and how old it is.

    Exits with 3 when there is none.
    """
    held = advisories_status()
    if held is None or not held.sources:
        click.echo("There is no advisory store. Run `mergegate advisories update`.", err=True)
        sys.exit(INCOMPLETE)
    columns: Columns[AdvisorySource] = {
        "Ecosystem": lambda one: one.ecosystem,
        "Advisories": lambda one: f"{one.records:,}",
        "Newest": lambda one: one.newest[:10],
        "Imported": lambda one: one.imported_at[:10],
        "From": lambda one: one.source,
    }
    listed(style, held.sources, columns, _plain)


def _plain(one: AdvisorySource) -> Mapping[str, object]:
    return {
        "ecosystem": one.ecosystem,
        "advisories": one.records,
        "newest": one.newest,
        "importedAt": one.imported_at,
        "from": one.source,
    }
