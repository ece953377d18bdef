"""``mergegate search-console``: what Google tells accounts of their pages, lent to this host."""

import datetime as dt
import os
import sys
from collections.abc import Mapping, Sequence

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import EngineFailed, UsageError
from mergegate.host.commands.database import OWNER, of_account, plain
from mergegate.host.database import host_settings, sealer
from mergegate.host.store import accounts
from mergegate.host.store import consoles as store
from mergegate.host.store.consoles import ConnectedConsole
from mergegate.site.options import needing_packages
from mergegate.terminal.listing import FORMAT, Columns, listed

KEY = "MERGEGATE_SEARCH_CONSOLE_KEY"
_LONGEST = 64 * 1024
_MOST_NAMED = 5


@click.group("search-console")
def search_console() -> None:
    """Lend this host an account's access to Google's Search Console.

    SEO scans of that account, and of no other, then tell how Google finds and indexes the page. The
    key is sealed with the first key of MERGEGATE_SECRET_KEYS before it is stored, and shown never
    again.
    """


@search_console.command()
@OWNER
@click.option("--no-check", is_flag=True, help="Store it without asking Google.")
def add(owner: str, no_check: bool) -> None:
    """Store a key, in place of an earlier one.

    It is the JSON key file of a service account that may read the property, or of an authorised
    user, on standard input or in MERGEGATE_SEARCH_CONSOLE_KEY. Google is asked which properties it
    opens before it is stored.

    \b
    Example:
      mergegate search-console add --account shop < key.json
    """
    now, text = dt.datetime.now(dt.UTC), _given()
    keys = sealer(host_settings(os.environ))
    with needing_packages("seo"):
        from mergegate.site.seo.gather.console import key_identity  # noqa: PLC0415
    identity = key_identity(text)
    of_account(owner, _is_there)
    if not no_check:
        _check(text)

    async def put(conn: AsyncConnection, account_id: str) -> None:
        one = ConnectedConsole(account_id, identity, now)
        await store.put(conn, one, keys.seal(text, one.place))

    of_account(owner, put)
    click.echo(f"{owner} asks Search Console as {identity}.", err=True)


@search_console.command("list")
@click.option("--account", "owner", help="Only that of this account.")
@FORMAT
def listing(owner: str | None, style: str) -> None:
    """List the connected accounts, without the keys."""

    async def read(
        conn: AsyncConnection, account_id: str | None
    ) -> Sequence[tuple[str, ConnectedConsole]]:
        names = {one.id: one.name for one in await accounts.listed(conn)}
        return [(names[one.account_id], one) for one in await store.listed(conn, account_id)]

    columns: Columns[tuple[str, ConnectedConsole]] = {
        "Account": lambda one: one[0],
        "As": lambda one: one[1].identity,
        "Since": lambda one: f"{one[1].created_at:%Y-%m-%d}",
    }
    listed(style, of_account(owner or None, read), columns, lambda one: _plain(*one))


@search_console.command()
@OWNER
def remove(owner: str) -> None:
    """Forget an account's key."""
    if not of_account(owner, store.remove):
        raise UsageError(
            f"{owner} is not connected with Search Console",
            remedy="`mergegate search-console list` shows who is.",
        )
    click.echo(f"{owner} is no longer connected with Search Console.", err=True)


async def _is_there(_: AsyncConnection, __: str) -> None:
    """An account that is not there is told before anybody is asked."""


def _check(text: str) -> None:
    """Ask Google what the key opens; raises UsageError where that is nothing."""
    from mergegate.host.runner.consoles import properties  # noqa: PLC0415

    try:
        found = properties(text, dt.datetime.now(dt.UTC))
    except EngineFailed as error:
        raise UsageError(
            f"Search Console does not open: {error.what}",
            remedy="--no-check stores the key all the same.",
        ) from error
    if not found:
        raise UsageError(
            "the key opens no property of Search Console",
            remedy="Add its address as a user of the property, or store it with --no-check.",
        )
    more = f" and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
    click.echo(f"It opens {', '.join(found[:_MOST_NAMED])}{more}.", err=True)


def _given() -> str:
    """Raises UsageError for none."""
    given = os.environ.get(KEY, "") or ("" if sys.stdin.isatty() else sys.stdin.read(_LONGEST + 1))
    if not given.strip():
        raise UsageError("there is no key", remedy=f"Give it on standard input or in {KEY}.")
    return given.strip()


def _plain(account_name: str, one: ConnectedConsole) -> Mapping[str, object]:
    return plain(one, "account", "identity", "createdAt", account=account_name)
