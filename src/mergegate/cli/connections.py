"""``mergegate connections``: the access to repositories that accounts lend this host."""

import datetime as dt
import os
import re
import secrets
import sys
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.cli.database import USUAL, account, in_database
from mergegate.errors import UsageError
from mergegate.model.change import Provider
from mergegate.model.site.identifier import RANDOM_BYTES, identifier
from mergegate.store.service import accounts
from mergegate.store.service import connections as store
from mergegate.store.service.connections import Connection
from mergegate.store.service.resealing import reseal as reseal_all
from mergegate.store.service.sealing import new_key as made_key
from mergegate.wiring.database import host_settings, sealer

TOKEN = "MERGEGATE_PROVIDER_TOKEN"
_HOMES: Mapping[Provider, str] = {
    Provider.GITHUB: "https://github.com",
    Provider.GITLAB: "https://gitlab.com",
    Provider.BITBUCKET: "https://bitbucket.org",
}
_LONGEST_TOKEN = 4_096
_SHAPE = re.compile(f"[!-~]{{1,{_LONGEST_TOKEN}}}")
_ACCOUNT = click.option("--account", "owner", default=USUAL, show_default=True)
_PROVIDER = click.option(
    "--provider", type=click.Choice([one.value for one in Provider]), required=True
)


@click.group()
def connections() -> None:
    """Lend this host an account's access to GitHub, GitLab or Bitbucket.

    Tokens are sealed with the first key of MERGEGATE_SECRET_KEYS before they are stored, and shown
    never again.
    """


@connections.command()
@_ACCOUNT
@_PROVIDER
@click.option("--base-url", help="Of a server of your own, as https://gitlab.example.org.")
def add(owner: str, provider: str, base_url: str | None) -> None:
    """Store a token, in place of an earlier one for the same provider.

    The token comes from standard input or from MERGEGATE_PROVIDER_TOKEN, never from an argument:
    those are seen by every process. It needs to read code, nothing more.

    \b
    Examples:
      mergegate connections add --provider github < token.txt
      mergegate connections add --account shop --provider gitlab --base-url https://git.example.org
    """
    whose, where = Provider(provider), base_address(base_url or _HOMES[Provider(provider)])
    now = dt.datetime.now(dt.UTC)
    sealed = sealer(host_settings(os.environ)).seal(_token())

    async def put(conn: AsyncConnection) -> None:
        made = identifier("con_", now, secrets.token_bytes(RANDOM_BYTES))
        theirs = await account(conn, owner)
        await store.put(conn, Connection(made, theirs.id, whose, where, now), sealed)

    in_database(put)
    click.echo(f"{owner} is connected with {where}.", err=True)


@connections.command("list")
@click.option("--account", "owner", help="Only those of this account.")
def listing(owner: str | None) -> None:
    """List connections, without their tokens."""

    async def read(conn: AsyncConnection) -> Sequence[tuple[str, Connection]]:
        names = {one.id: one.name for one in await accounts.listed(conn)}
        found = await store.listed(conn, (await account(conn, owner)).id if owner else None)
        return [(names[one.account_id], one) for one in found]

    table = Table(box=None, pad_edge=False)
    for heading in ("Account", "Provider", "Address", "Since"):
        table.add_column(heading, overflow="fold")
    for name, one in in_database(read):
        table.add_row(
            escape(name), one.provider, escape(one.base_url), f"{one.created_at:%Y-%m-%d}"
        )
    Console(file=sys.stdout).print(table)


@connections.command()
@_ACCOUNT
@_PROVIDER
def remove(owner: str, provider: str) -> None:
    """Forget an account's token."""

    async def forget(conn: AsyncConnection) -> bool:
        return await store.remove(conn, (await account(conn, owner)).id, Provider(provider))

    if not in_database(forget):
        raise UsageError(f"{owner} is not connected with {provider}")
    click.echo(f"{owner} is no longer connected with {provider}.", err=True)


@connections.command()
def reseal() -> None:
    """Seal every stored secret anew with the first key of MERGEGATE_SECRET_KEYS.

    \b
    To change the key without a pause:
      1. put a new one in front: MERGEGATE_SECRET_KEYS=NEW,OLD for every process
      2. mergegate connections reseal
      3. leave the old one out: MERGEGATE_SECRET_KEYS=NEW
    """
    keys = sealer(host_settings(os.environ))
    count = in_database(lambda conn: reseal_all(conn, keys))
    click.echo(f"{count} secrets are sealed with the first key.", err=True)


@connections.command("new-key")
def new_key() -> None:
    """Print a new key for MERGEGATE_SECRET_KEYS; it is stored nowhere."""
    click.echo(made_key())


def base_address(url: str) -> str:
    """``url`` without its final slashes; raises UsageError for what is no server's address."""
    scheme = _scheme(url)
    if scheme not in {"https", "http"}:
        raise UsageError(
            "the address is no server's", remedy="Write it as https://gitlab.example.org."
        )
    if scheme == "http":
        click.echo("Without https the token travels in the clear.", err=True)
    return url.rstrip("/")


def _scheme(url: str) -> str | None:
    """None also for an address with a name, a password, a query or anything odd in it."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    extra = parts.username is not None or parts.query or parts.fragment
    plain = url.isascii() and url.isprintable() and " " not in url
    return parts.scheme if parts.hostname and plain and not extra else None


def _token() -> str:
    """Raises UsageError for none, and for what no provider gives out."""
    given = os.environ.get(TOKEN) or _typed()
    token = given.strip()
    if not _SHAPE.fullmatch(token):
        raise UsageError(
            "there is no token", remedy=f"Give it on standard input or in {TOKEN}, alone."
        )
    return token


def _typed() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Token", hide_input=True, err=True))
    return sys.stdin.read(_LONGEST_TOKEN + 2)
