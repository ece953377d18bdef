"""``mergegate accounts``: who owns keys and scans on this host, and what each may do."""

import datetime as dt
import sys
from collections.abc import Mapping
from dataclasses import asdict

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.host.account import PLANS, Account, Plan
from mergegate.host.commands.database import (
    account,
    checked_name,
    in_database,
    of_account,
    on_host,
    plain,
)
from mergegate.host.jobs.cancellation import remove_account, suspend_account
from mergegate.host.store import accounts as store
from mergegate.host.store.accounts import Holdings
from mergegate.host.store.database import Database
from mergegate.terminal.listing import FORMAT, Columns, listed, moment, told
from mergegate.terminal.output import say

PLAN = click.Choice(list(PLANS))


@click.group()
def accounts() -> None:
    """Make, suspend and remove accounts on this host, and set their plans.

    The database is the one that MERGEGATE_DATABASE_URL names, else a file in MERGEGATE_DATA_DIR.
    """


@accounts.command()
@click.argument("name")
@click.option("--plan", type=PLAN, default="free", show_default=True, help="What it may do.")
@FORMAT
def create(name: str, plan: str, style: str) -> None:
    """Make the account NAME.

    \b
    Example:
      mergegate accounts create shop --plan paid
    """
    chosen = checked_name(name)
    now = dt.datetime.now(dt.UTC)
    made = in_database(lambda conn: store.create(conn, chosen, PLANS[plan], now))
    told(style, _plain(made), f"{made.name}: {allowed(made.plan)}")


@accounts.command("list")
@FORMAT
def listing(style: str) -> None:
    """List every account with its plan."""
    columns: Columns[Account] = {
        "Account": lambda one: one.name,
        "Plan": lambda one: one.plan.name,
        "Since": lambda one: f"{one.created_at:%Y-%m-%d}",
        "State": lambda one: "suspended" if one.suspended_at else "served",
    }
    listed(style, in_database(store.listed), columns, _plain)


@accounts.command("plan")
@click.argument("name")
@click.argument("plan", type=PLAN)
def set_plan(name: str, plan: str) -> None:
    """Set the plan of the account NAME.

    Audits that it used up stay used up.

    \b
    Example:
      mergegate accounts plan shop unlimited
    """

    async def change(conn: AsyncConnection) -> str:
        found = await account(conn, name)
        await store.set_plan(conn, found.id, PLANS[plan])
        return found.name

    say(f"{in_database(change)}: {allowed(PLANS[plan])}\n")


@accounts.command()
@click.argument("name")
@click.argument("new")
def rename(name: str, new: str) -> None:
    """Call the account NAME by another name; nothing else changes."""
    chosen = checked_name(new)
    of_account(name, lambda conn, mine: store.rename(conn, mine, chosen))
    click.echo(f"The account is called {chosen!r} now.", err=True)


@accounts.command()
@click.argument("name")
def suspend(name: str) -> None:
    """Do nothing for the account NAME until it is resumed.

    Its keys and hooks are refused like unknown ones, its schedules rest, and its scans that are not
    over end as CANCELLED. All that is stored stays.
    """

    async def change(database: Database) -> int:
        async with database.read() as conn:
            found = await account(conn, name)
        return await suspend_account(database, found.id, dt.datetime.now(dt.UTC))

    ended = on_host(change)
    click.echo(f"The account {name!r} is suspended; scans that ended by this: {ended}.", err=True)


@accounts.command()
@click.argument("name")
def resume(name: str) -> None:
    """Serve the account NAME again.

    Its keys, hooks and schedules are as they were.
    """
    if not of_account(name, store.resume):
        raise UsageError(f"the account {name!r} is not suspended")
    click.echo(f"The account {name!r} is served again.", err=True)


@accounts.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@FORMAT
def remove(name: str, yes: bool, style: str) -> None:
    """Remove the account NAME and all that is stored of it, for good.

    Its keys stop at once, its scans that are not over are called off, and its results, tokens,
    hooks, schedules and usage are erased; backups keep what they hold. What is interrupted goes on
    when the command is given again.

    \b
    Example:
      mergegate accounts remove shop
    """
    found, holdings = on_host(lambda database: _looked_at(database, name))
    if not yes:
        _confirm(found, holdings)
    now = dt.datetime.now(dt.UTC)
    on_host(lambda database: remove_account(database, found.id, now))
    known = {"id": found.id, "removedAt": moment(now), **asdict(holdings)}
    told(style, known, f"{moment(now)} {found.id} is removed: {_counted(holdings)}")


async def _looked_at(database: Database, name: str) -> tuple[Account, Holdings]:
    async with database.read() as conn:
        found = await account(conn, name)
        return found, await store.holdings(conn, found.id)


def _confirm(found: Account, holdings: Holdings) -> None:
    """Raises Abort for a no, UsageError where nobody can say anything."""
    if not sys.stdin.isatty():
        raise UsageError(
            f"nobody can be asked whether {found.name!r} is to be removed",
            remedy="Say so with --yes.",
        )
    click.echo(f"{found.name}: {_counted(holdings)}", err=True)
    click.confirm("Remove all of it for good?", abort=True, err=True)


def _counted(holdings: Holdings) -> str:
    return ", ".join(f"{count} {what}" for what, count in asdict(holdings).items())


def _plain(one: Account) -> Mapping[str, object]:
    return plain(one, "id", "name", "plan", "createdAt", "suspendedAt", plan=one.plan.name)


def allowed(plan: Plan) -> str:
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
