"""``mergegate hooks``: where forges may tell this host of changes."""

import base64
import datetime as dt
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.cli.connections import base_address
from mergegate.cli.database import USUAL, account, in_database
from mergegate.errors import UsageError
from mergegate.forges.github.app import check_key
from mergegate.forges.hooks import App, Credentials
from mergegate.model.change import Provider
from mergegate.store.service import accounts, connections
from mergegate.store.service import hooks as store
from mergegate.store.service.hooks import Hook
from mergegate.wiring.database import host_settings, sealer
from mergegate.world.files import read_regular

_MOST_KEY_BYTES = 64 << 10
_GITHUB = "https://github.com"
_RANDOM_BYTES = 24
_SIGNING_BYTES = 32
"""As many as GitLab wants of a signing token."""
_NO_ADDRESS = "https://YOUR-HOST"
_ACCOUNT = click.option("--account", "owner", default=USUAL, show_default=True)


@click.group()
def hooks() -> None:
    """Let GitHub, GitLab or Bitbucket tell this host of changes, so that no CI job has to run."""


@hooks.command()
@_ACCOUNT
@click.option("--provider", type=click.Choice([one.value for one in Provider]), required=True)
@click.option("--app-id", type=click.IntRange(1), help="Of a GitHub App, as which to answer.")
@click.option(
    "--private-key",
    type=click.Path(path_type=Path),
    help="The GitHub App's key, a file in PEM.",
)
@click.option("--base-url", help="Of a GitHub Enterprise Server with the app.")
def add(
    owner: str, provider: str, app_id: int | None, private_key: Path | None, base_url: str | None
) -> None:
    """Make an address that a provider calls, and print it with its secret, once.

    Answers are given as the GitHub App, or with the account's token (`mergegate connections add`).

    \b
    Examples:
      mergegate hooks add --provider gitlab
      mergegate hooks add --provider github --app-id 1234 --private-key app.pem
    """
    app = _app(Provider(provider), app_id, private_key, base_url)
    credentials = Credentials(secret=_secret(Provider(provider)), app=app)
    id, is_connected = _added(owner, Provider(provider), credentials)
    address = host_settings(os.environ).app_url or _NO_ADDRESS
    click.echo(f"Address: {address}/hooks/{provider}/{id}")
    click.echo(f"Secret:  {credentials.secret}")
    click.echo("The secret is not shown again.", err=True)
    if app is None and not is_connected:
        click.echo("Nobody can answer yet: give `mergegate connections add` a token.", err=True)


def _added(owner: str, provider: Provider, credentials: Credentials) -> tuple[str, bool]:
    """The new hook, and whether its account has a connection with the provider."""
    now, id = dt.datetime.now(dt.UTC), f"hook_{secrets.token_hex(_RANDOM_BYTES)}"
    sealed = sealer(host_settings(os.environ)).seal(credentials.text())

    async def put(conn: AsyncConnection) -> bool:
        theirs = await account(conn, owner)
        await store.add(conn, Hook(id, theirs.id, provider, now), sealed)
        known = await connections.listed(conn, theirs.id)
        return provider in {one.provider for one in known}

    return id, in_database(put)


@hooks.command("list")
@click.option("--account", "owner", help="Only those of this account.")
def listing(owner: str | None) -> None:
    """List hooks, without their secrets."""

    async def read(conn: AsyncConnection) -> Sequence[tuple[str, Hook]]:
        every = await accounts.listed(conn)
        chosen = [await account(conn, owner)] if owner else every
        return [(one.name, hook) for one in chosen for hook in await store.listed(conn, one.id)]

    table = Table(box=None, pad_edge=False)
    for heading in ("Account", "Provider", "Id", "Since"):
        table.add_column(heading, overflow="fold")
    for name, one in in_database(read):
        table.add_row(escape(name), one.provider, one.id, f"{one.created_at:%Y-%m-%d}")
    Console(file=sys.stdout).print(table)


@hooks.command()
@_ACCOUNT
@click.argument("id")
def remove(owner: str, id: str) -> None:
    """Forget a hook: deliveries to it are refused from now on."""

    async def forget(conn: AsyncConnection) -> bool:
        return await store.remove(conn, (await account(conn, owner)).id, id)

    if not in_database(forget):
        raise UsageError(f"{owner} has no hook of that id")
    click.echo("The hook is gone.", err=True)


def _secret(provider: Provider) -> str:
    """GitLab takes this form as a signing token as well as a secret token."""
    if provider is Provider.GITLAB:
        return f"whsec_{base64.b64encode(secrets.token_bytes(_SIGNING_BYTES)).decode()}"
    return secrets.token_urlsafe(_RANDOM_BYTES)


def _app(provider: Provider, id: int | None, key: Path | None, base_url: str | None) -> App | None:
    if id is None and key is None and base_url is None:
        return None
    if provider is not Provider.GITHUB or id is None or key is None:
        raise UsageError(
            "a GitHub App has both an id and a key",
            remedy="Give --app-id and --private-key, with --provider github.",
        )
    try:
        private_key = read_regular(key, _MOST_KEY_BYTES).decode("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{key} cannot be read as a key") from error
    check_key(id, private_key)
    return App(id=id, private_key=private_key, base_url=base_address(base_url or _GITHUB))
