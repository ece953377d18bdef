"""``mergegate keys``: make, list and revoke the keys that open this host's API."""

import datetime as dt
import re
from collections.abc import Sequence
from contextlib import suppress

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.core.plans import Scope
from mergegate.host.account import FREE, PLANS, Account
from mergegate.host.commands.accounts import PLAN
from mergegate.host.commands.database import (
    USUAL,
    account,
    checked_name,
    in_database,
    of_account,
    plain,
)
from mergegate.host.store import accounts
from mergegate.host.store import keys as store
from mergegate.host.store.keys import KeyLine, NewKey
from mergegate.terminal.listing import FORMAT, JSON, Columns, listed, told

_DAYS = re.compile(r"(\d{1,5})d", re.ASCII)
_EXPIRY = "Write it as 90d or as 2027-03-01."


@click.group()
def keys() -> None:
    """Make, list and revoke keys to this host's API.

    The database is the one that MERGEGATE_DATABASE_URL names, else a file in MERGEGATE_DATA_DIR.
    """


@keys.command()
@click.option("--account", "owner", help=f"Whose key it is; {USUAL!r} is made when it is missing.")
@click.option("--name", default="", help="What the key is for.")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice([scope.value for scope in Scope]),
    multiple=True,
    default=("repo", "site"),
    show_default=True,
    help="What it may do; repeatable.",
)
@click.option("--expires", metavar="90d|DATE", help="How long, or until which day (UTC).")
@click.option("--plan", type=PLAN, help="The account's plan from now on.")
@FORMAT
def create(
    owner: str | None,
    name: str,
    scopes: Sequence[str],
    expires: str | None,
    plan: str | None,
    style: str,
) -> None:
    """Make a key. It is shown this once: on standard output, and nowhere else.

    \b
    Examples:
      mergegate keys create
      mergegate keys create --account shop --name "nightly" --scope site --expires 90d
    """
    now = dt.datetime.now(dt.UTC)
    until = expiry(expires, now)
    called = checked_name(name) if name else ""

    async def make(conn: AsyncConnection) -> NewKey:
        theirs = await _owner(conn, owner, plan, now)
        return await store.make(conn, theirs.id, called, {Scope(one) for one in scopes}, until, now)

    _show(in_database(make), style)


@keys.command("list")
@click.option("--account", "owner", help="Only keys of this account.")
@FORMAT
def listing(owner: str | None, style: str) -> None:
    """List keys by what they begin with; a key itself is kept nowhere."""
    now = dt.datetime.now(dt.UTC)
    columns: Columns[KeyLine] = {
        "Prefix": lambda one: one.prefix,
        "Account": lambda one: one.account,
        "Name": lambda one: one.name,
        "Scopes": lambda one: " ".join(sorted(one.scopes)),
        "State": lambda one: _state(one, now),
    }
    listed(style, of_account(owner or None, store.listed), columns, _plain)


@keys.command()
@click.argument("id_or_prefix", metavar="ID|PREFIX")
def revoke(id_or_prefix: str) -> None:
    """Make a key worthless from now on.

    \b
    Example:
      mergegate keys revoke mg_Xf3kQ9aB
    """
    now = dt.datetime.now(dt.UTC)
    if not in_database(lambda conn: store.revoke(conn, id_or_prefix, now)):
        raise UsageError(
            "no key that is still valid has this identifier or prefix",
            remedy="`mergegate keys list` shows them.",
        )
    click.echo("The key is revoked.", err=True)


def expiry(text: str | None, now: dt.datetime) -> dt.datetime | None:
    """The moment that ``--expires`` names; raises UsageError for none and for one that is past."""
    if text is None:
        return None
    moment = _moment(text, now)
    if moment <= now:
        raise UsageError(f"the key would have expired on {text} already", remedy=_EXPIRY)
    return moment


def _moment(text: str, now: dt.datetime) -> dt.datetime:
    try:
        if days := _DAYS.fullmatch(text):
            return now + dt.timedelta(days=int(days[1]))
        day = dt.date.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{text!r} is no time for a key to expire", remedy=_EXPIRY) from error
    return dt.datetime.combine(day, dt.time(), dt.UTC)


async def _owner(
    conn: AsyncConnection, name: str | None, plan: str | None, now: dt.datetime
) -> Account:
    """The account, on the plan that was asked for; what is changed for that is told."""
    wanted = checked_name(name or USUAL)
    if wanted == USUAL and await accounts.named(conn, USUAL) is None:
        with suppress(UsageError):  # another process has just made it
            made = await accounts.create(conn, USUAL, PLANS[plan] if plan else FREE, now)
            click.echo(f"The account {USUAL!r} was made, on the plan {made.plan.name}.", err=True)
            return made
    found = await account(conn, wanted)
    if plan and plan != found.plan.name:
        await accounts.set_plan(conn, found.id, PLANS[plan])
        click.echo(f"The account {found.name!r} is on the plan {plan} now.", err=True)
    return found


def _show(made: NewKey, style: str) -> None:
    if style != JSON:
        until = (
            f"until {made.expires_at:%Y-%m-%d %H:%M} UTC" if made.expires_at else "until revoked"
        )
        click.echo(
            f"{made.id} ({', '.join(sorted(made.scopes))}), {until}. It is shown this once:",
            err=True,
        )
    try:
        told(style, plain(made, "id", "key", "prefix", "scopes", "expiresAt"), made.key)
    except UsageError:
        # Not in the error: of that, what looks drawn by lot is masked, and so does an identifier.
        click.echo(f"Revoke the key {made.id}: nobody saw it.", err=True)
        raise


def _plain(one: KeyLine) -> dict[str, object]:
    names = ("id", "account", "name", "prefix", "scopes", "createdAt", "expiresAt", "revokedAt")
    return plain(one, *names)


def _state(one: KeyLine, now: dt.datetime) -> str:
    if one.revoked_at:
        return f"revoked {one.revoked_at:%Y-%m-%d}"
    if one.expires_at is None:
        return "valid"
    word = "expired" if one.expires_at <= now else "until"
    return f"{word} {one.expires_at:%Y-%m-%d}"
