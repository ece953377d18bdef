"""``mergegate accounts``: who owns keys and scans on this host, and what each may do."""

import datetime as dt
import sys

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.cli.database import account, checked_name, in_database
from mergegate.model.service.account import PLANS, Plan
from mergegate.store.service import accounts as store

PLAN = click.Choice(list(PLANS))


@click.group()
def accounts() -> None:
    """Make accounts on this host and set their plans.

    The database is the one that MERGEGATE_DATABASE_URL names, else a file in MERGEGATE_DATA_DIR.
    """


@accounts.command()
@click.argument("name")
@click.option("--plan", type=PLAN, default="free", show_default=True, help="What it may do.")
def create(name: str, plan: str) -> None:
    """Make the account NAME.

    \b
    Example:
      mergegate accounts create shop --plan paid
    """
    chosen = checked_name(name)
    now = dt.datetime.now(dt.UTC)
    made = in_database(lambda conn: store.create(conn, chosen, PLANS[plan], now))
    click.echo(f"{made.name}: {told(made.plan)}")


@accounts.command("list")
def listing() -> None:
    """List every account with its plan."""
    table = Table(box=None, pad_edge=False)
    for heading in ("Account", "Plan", "Since"):
        table.add_column(heading, overflow="fold")
    for one in in_database(store.listed):
        table.add_row(escape(one.name), one.plan.name, f"{one.created_at:%Y-%m-%d}")
    Console(file=sys.stdout).print(table)


@accounts.command("plan")
@click.argument("name")
@click.argument("plan", type=PLAN)
def set_plan(name: str, plan: str) -> None:
    """Set the plan of the account NAME; audits that it used up stay used up.

    \b
    Example:
      mergegate accounts plan shop unlimited
    """

    async def change(conn: AsyncConnection) -> None:
        found = await account(conn, name)
        await store.set_plan(conn, found.id, PLANS[plan])

    in_database(change)
    click.echo(f"{name}: {told(PLANS[plan])}")


def told(plan: Plan) -> str:
    """What a plan allows, in a line."""
    audits = plan.audits_without_waiting
    requests = plan.requests_a_minute
    parts = (
        "audits without a limit"
        if audits is None
        else f"{audits} audits a month without waiting, then {plan.cooldown_s // 60} minutes"
        " between two of a site",
        "requests without a limit" if requests is None else f"{requests} requests a minute and key",
    )
    return f"{plan.name} ({'; '.join(parts)})"
