"""``mergegate hooks``: where forges may tell this host of changes."""

import base64
import datetime as dt
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.core.errors import UsageError
from mergegate.forges.deliveries import App, Credentials
from mergegate.forges.github.app import check_key
from mergegate.host.commands.connections import base_address
from mergegate.host.commands.database import (
    OWNER,
    PROVIDER,
    account,
    in_database,
    of_account,
    plain,
)
from mergegate.host.database import host_settings, sealer
from mergegate.host.store import accounts, connections
from mergegate.host.store import hooks as store
from mergegate.host.store.hooks import Hook
from mergegate.host.store.sql import safe_id
from mergegate.sandbox.files.stage import read_regular
from mergegate.terminal.listing import FORMAT, Columns, listed, told

_MOST_KEY_BYTES = 64 << 10
_GITHUB = "https://github.com"
_RANDOM_BYTES = 24
_SIGNING_BYTES = 32
"""As many as GitLab wants of a signing token."""
_NO_ADDRESS = "https://YOUR-HOST"


@click.group()
def hooks() -> None:
    """Let GitHub, GitLab or Bitbucket tell this host of changes, so that no CI job has to run."""


@hooks.command()
@OWNER
@PROVIDER
@click.option("--app-id", type=click.IntRange(1), help="Of a GitHub App, as which to answer.")
@click.option(
    "--private-key",
    type=click.Path(path_type=Path),
    help="The GitHub App's key, a file in PEM.",
)
@click.option("--base-url", help="Of a GitHub Enterprise Server with the app.")
@FORMAT
def add(
    owner: str,
    provider: str,
    app_id: int | None,
    private_key: Path | None,
    base_url: str | None,
    style: str,
) -> None:
    """Make the address that a provider calls, and its secret.

    Both are printed this once.

    Answers are given as the GitHub App, or with the account's token (`mergegate connections add`).

    \b
    Examples:
      mergegate hooks add --provider gitlab
      mergegate hooks add --provider github --app-id 1234 --private-key app.pem
    """
    app = _app(Provider(provider), app_id, private_key, base_url)
    credentials = Credentials(secret=_secret(Provider(provider)), app=app)
    id, is_connected = _added(owner, Provider(provider), credentials)
    address = f"{host_settings(os.environ).app_url or _NO_ADDRESS}/hooks/{provider}/{id}"
    made = {"id": id, "address": address, "secret": credentials.secret}
    told(style, made, f"Address: {address}", f"Secret:  {credentials.secret}")
    click.echo("The secret is not shown again.", err=True)
    if app is None and not is_connected:
        click.echo("Nobody can answer yet: give `mergegate connections add` a token.", err=True)


def _added(owner: str, provider: Provider, credentials: Credentials) -> tuple[str, bool]:
    """The new hook, and whether its account has a connection with the provider."""
    now, id = dt.datetime.now(dt.UTC), f"hook_{secrets.token_hex(_RANDOM_BYTES)}"
    keys = sealer(host_settings(os.environ))

    async def put(conn: AsyncConnection, account_id: str) -> bool:
        hook = Hook(id, account_id, provider, now)
        await store.add(conn, hook, keys.seal(credentials.text(), hook.place))
        return provider in await connections.providers(conn, account_id)

    return id, of_account(owner, put)


@hooks.command("list")
@click.option("--account", "owner", help="Only those of this account.")
@FORMAT
def listing(owner: str | None, style: str) -> None:
    """List hooks, without their secrets."""

    async def read(conn: AsyncConnection) -> Sequence[tuple[str, Hook]]:
        every = await accounts.listed(conn)
        chosen = [await account(conn, owner)] if owner else every
        return [(one.name, hook) for one in chosen for hook in await store.listed(conn, one.id)]

    columns: Columns[tuple[str, Hook]] = {
        "Account": lambda one: one[0],
        "Provider": lambda one: one[1].provider,
        "Id": lambda one: one[1].id,
        "Since": lambda one: f"{one[1].created_at:%Y-%m-%d}",
    }
    listed(style, in_database(read), columns, lambda one: _plain(*one))


@hooks.command()
@OWNER
@click.argument("id")
def remove(owner: str, id: str) -> None:
    """Forget a hook: deliveries to it are refused from now on."""
    if not of_account(owner, lambda conn, mine: store.remove(conn, mine, safe_id(id))):
        raise UsageError(
            f"{owner} has no hook of that id", remedy="`mergegate hooks list` shows them."
        )
    click.echo("The hook is gone.", err=True)


def _plain(account_name: str, one: Hook) -> Mapping[str, object]:
    return plain(one, "id", "account", "provider", "createdAt", account=account_name)


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
