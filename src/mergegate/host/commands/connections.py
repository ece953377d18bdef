"""``mergegate connections``: the access to repositories that accounts lend this host."""

import datetime as dt
import os
import re
import secrets
import sys
from collections.abc import Mapping, Sequence

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.core.errors import ForgeError, UsageError
from mergegate.forges.locate import check_token, locate
from mergegate.forges.provider import Access, Sought, TokenRevoked
from mergegate.forges.variables import is_address
from mergegate.host.commands.database import (
    OWNER,
    PROVIDER,
    in_database,
    of_account,
    plain,
)
from mergegate.host.database import host_settings, sealer
from mergegate.host.settings import AUTHORITIES, ServiceSettings
from mergegate.host.store import accounts
from mergegate.host.store import connections as store
from mergegate.host.store.connections import Connection
from mergegate.host.store.key_rotation import reseal as reseal_all
from mergegate.host.store.sealing import new_key as made_key
from mergegate.site.level import RANDOM_BYTES, identifier
from mergegate.terminal.listing import FORMAT, Columns, listed
from mergegate.terminal.output import say

TOKEN = "MERGEGATE_PROVIDER_TOKEN"
_HOMES: Mapping[Provider, str] = {
    Provider.GITHUB: "https://github.com",
    Provider.GITLAB: "https://gitlab.com",
    Provider.BITBUCKET: "https://bitbucket.org",
}
_HTTPS = "https://"
_MOST_BYTES = 64 << 20
_REMEDIES: Mapping[type[ForgeError], str] = {
    TokenRevoked: "Compare the token, its expiry and --base-url.",
}
"""Where the usual remedy speaks of a connection that is there already."""
_LONGEST_TOKEN = 4_096
_SHAPE = re.compile(f"[!-~]{{1,{_LONGEST_TOKEN}}}")


@click.group()
def connections() -> None:
    """Lend this host an account's access to GitHub, GitLab or Bitbucket.

    Tokens are sealed with the first key of MERGEGATE_SECRET_KEYS before they are stored, and shown
    never again.
    """


@connections.command()
@OWNER
@PROVIDER
@click.option("--base-url", help="Of a server of your own, as https://gitlab.example.org.")
@click.option("--repository", metavar="OWNER/NAME", help="One that the token must be able to read.")
@click.option("--no-check", is_flag=True, help="Store it without asking the provider.")
def add(
    owner: str, provider: str, base_url: str | None, repository: str | None, no_check: bool
) -> None:
    """Store a token, in place of an earlier one for the same provider.

    The token comes from standard input or from MERGEGATE_PROVIDER_TOKEN, never from an argument:
    those are seen by every process. It needs to read code, nothing more;
    to answer changes (`mergegate hooks add`) it needs what docs/webhooks.md lists.

    The provider is asked first, as a scan would ask it: MERGEGATE_ALLOW_HOSTS and
    MERGEGATE_PROVIDER_CA_FILE count here as they do for the workers.

    \b
    Examples:
      mergegate connections add --provider github --repository acme/shop < token.txt
      mergegate connections add --account shop --provider gitlab --base-url https://git.example.org
    """
    whose, where = Provider(provider), base_address(base_url or _HOMES[Provider(provider)])
    now = dt.datetime.now(dt.UTC)
    settings, token = host_settings(os.environ), _token()
    keys = sealer(settings)
    of_account(owner, _is_there)
    if not no_check:
        _check(Access(provider=whose, base_url=where, token=token), settings, repository)

    made = identifier("con_", now, secrets.token_bytes(RANDOM_BYTES))

    async def put(conn: AsyncConnection, account_id: str) -> None:
        one = Connection(made, account_id, whose, where, now)
        await store.put(conn, one, keys.seal(token, one.place))

    of_account(owner, put)
    click.echo(f"{owner} is connected with {where}.", err=True)


async def _is_there(_: AsyncConnection, __: str) -> None:
    """An account that is not there is told before anybody is asked."""


def _check(access: Access, settings: ServiceSettings, repository: str | None) -> None:
    """Ask the provider what a scan will; raises UsageError that says what to mend."""
    from mergegate.host.runner.checkouts import Reaching, way_of, way_out  # noqa: PLC0415

    authorities = os.environ.get(AUTHORITIES, "")
    reaching = Reaching(allow=settings.allow_hosts, authorities=authorities, most_bytes=_MOST_BYTES)
    try:
        with way_out(access.base_url, reaching) as way:
            scopes = check_token(access, way_of(way, reaching))
            if repository is not None:
                sought_owner, _, name = repository.rpartition("/")
                locate(Sought(owner=sought_owner, repo=name), access, way_of(way, reaching))
    except ForgeError as error:
        remedy = _REMEDIES.get(type(error), error.remedy)
        again = "--no-check stores it all the same."
        raise UsageError(error.what, remedy=f"{remedy} {again}".strip()) from error
    if access.provider is Provider.GITHUB and scopes is not None and "repo" not in scopes:
        click.echo(
            "The token lacks the scope `repo`: it reads public repositories alone.", err=True
        )


@connections.command("list")
@click.option("--account", "owner", help="Only those of this account.")
@FORMAT
def listing(owner: str | None, style: str) -> None:
    """List connections, without their tokens."""

    async def read(
        conn: AsyncConnection, account_id: str | None
    ) -> Sequence[tuple[str, Connection]]:
        names = {one.id: one.name for one in await accounts.listed(conn)}
        return [(names[one.account_id], one) for one in await store.listed(conn, account_id)]

    columns: Columns[tuple[str, Connection]] = {
        "Account": lambda one: one[0],
        "Provider": lambda one: one[1].provider,
        "Address": lambda one: one[1].base_url,
        "Since": lambda one: f"{one[1].created_at:%Y-%m-%d}",
    }
    listed(style, of_account(owner or None, read), columns, lambda one: _plain(*one))


@connections.command()
@OWNER
@PROVIDER
def remove(owner: str, provider: str) -> None:
    """Forget an account's token."""
    if not of_account(owner, lambda conn, mine: store.remove(conn, mine, Provider(provider))):
        raise UsageError(
            f"{owner} is not connected with {provider}",
            remedy="`mergegate connections list` shows them.",
        )
    click.echo(f"{owner} is no longer connected with {provider}.", err=True)


@connections.command()
def reseal() -> None:
    """Seal every stored secret anew with the first of the keys.

    \b
    To change the key without a pause:
      1. put a new one in front: MERGEGATE_SECRET_KEYS=NEW,OLD for every process
      2. mergegate connections reseal
      3. leave the old one out: MERGEGATE_SECRET_KEYS=NEW
    """
    keys = sealer(host_settings(os.environ))
    count = in_database(lambda conn: reseal_all(conn, keys))
    secrets = "1 secret is" if count == 1 else f"{count} secrets are"
    click.echo(f"{secrets} sealed with the first key.", err=True)


@connections.command("new-key")
def new_key() -> None:
    """Print a new key for MERGEGATE_SECRET_KEYS; it is stored nowhere."""
    say(f"{made_key()}\n")


def _plain(account_name: str, one: Connection) -> Mapping[str, object]:
    names = ("id", "account", "provider", "baseUrl", "createdAt")
    return plain(one, *names, account=account_name)


def base_address(url: str) -> str:
    """``url`` as it is kept: names in small letters, no final slash.

    Raises UsageError for all but https: a token would travel in the clear, and fetching refuses it.
    """
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.rstrip("/").partition("/")
    address = f"{_HTTPS}{host.lower()}{slash}{path}"
    if scheme.lower() == "https" and is_address(address):
        return address
    if scheme.lower() == "http" and is_address(address):
        raise UsageError(
            "the address does not begin with https://: a token would travel in the clear",
            remedy="Give the server TLS; MERGEGATE_PROVIDER_CA_FILE names authorities of your own.",
        )
    raise UsageError("the address is no server's", remedy="Write it as https://gitlab.example.org.")


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
