"""``mergegate advisories``: fill and inspect the advisory store."""

import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mergegate import wiring
from mergegate.cli.exits import INCOMPLETE


@click.group()
def advisories() -> None:
    """Fill and inspect the store of advisories that dependencies are checked against."""


@advisories.command()
@click.argument("source", required=False)
@click.option(
    "--ecosystem",
    "ecosystems",
    multiple=True,
    help="Only this ecosystem, spelled as OSV does: PyPI, npm, Go, crates.io…; repeatable.",
)
def update(source: str | None, ecosystems: Sequence[str]) -> None:
    """Replace each ecosystem that SOURCE holds; SOURCE is a URL, a folder or a zip of OSV records.

    Without SOURCE the public OSV dumps are fetched. An air-gapped host takes a zip or folder
    that was copied there.

    \b
    Examples:
      mergegate advisories update
      mergegate advisories update ./osv-dumps
      mergegate advisories update https://mirror.example.org/osv --ecosystem npm
    """
    updated = wiring.update_advisories(source, ecosystems)
    for one in updated.sources:
        click.echo(f"{one.ecosystem}: {one.records:,} advisories, newest of {one.newest[:10]}")
    if updated.malformed:
        click.echo(f"{updated.malformed} files were no OSV records and were left out", err=True)


@advisories.command()
def status() -> None:
    """Tell what the store holds and how old it is; exits with 3 when there is none."""
    held = wiring.advisories_status()
    if held is None or not held.sources:
        click.echo("There is no advisory store. Run `mergegate advisories update`.", err=True)
        sys.exit(INCOMPLETE)
    table = Table(box=None, pad_edge=False)
    for heading in ("Ecosystem", "Advisories", "Newest", "Imported", "From"):
        table.add_column(heading)
    for one in held.sources:
        row = (one.ecosystem, f"{one.records:,}", one.newest[:10], one.imported_at[:10])
        table.add_row(*row, escape(one.source))
    Console(file=sys.stdout).print(table)
