"""The commands of an operator."""

import click

GRACE = click.option(
    "--grace",
    type=click.FloatRange(0, 3600),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="What scans that run get to end when it is asked to stop.",
)
