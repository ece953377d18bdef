"""Accounts' access to GitHub, GitLab and Bitbucket; tokens are sealed before they are written."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.host.store.sealing import Place, Sealer
from mergegate.host.store.sql import deleted, upsert
from mergegate.host.store.tables import accounts, connections


@dataclass(frozen=True, slots=True)
class Connection:
    """One account's access to one provider."""

    id: str
    account_id: str
    provider: Provider
    base_url: str
    """The provider's address for people, as ``https://gitlab.example.org``: no final slash."""
    created_at: dt.datetime
    """When its token was last given."""

    @property
    def place(self) -> Place:
        """What its token is bound to: it opens for no other account or server."""
        return ("connection", self.account_id, self.provider, self.base_url)


@dataclass(frozen=True, slots=True)
class OpenConnection:
    """A connection that can be used."""

    connection: Connection
    token: str = field(repr=False)


async def put(conn: AsyncConnection, connection: Connection, sealed: str) -> None:
    """Store it with its token, sealed for its place, instead of an earlier one.

    An account has one connection a provider; a new token leaves its identifier as it was.
    """
    row = asdict(connection) | {"sealed": sealed}
    renew = ["base_url", "created_at", "sealed"]
    await upsert(conn, connections, row, key=["account_id", "provider"], renew=renew)


async def find(
    conn: AsyncConnection, sealer: Sealer, account_id: str, provider: Provider
) -> OpenConnection | None:
    """The account's connection with its token; None when it has none with that provider.

    None also while the account is suspended. Raises StoreError when the token opens with none of
    the keys.
    """
    mine = (connections.c.account_id == account_id, connections.c.provider == provider)
    usable = sa.select(connections).join(accounts).where(*mine, accounts.c.suspended_at.is_(None))
    row = (await conn.execute(usable)).first()
    if row is None:
        return None
    found = connection_of(row)
    return OpenConnection(found, sealer.open(row.sealed, found.place))


async def listed(conn: AsyncConnection, account_id: str | None = None) -> Sequence[Connection]:
    """Every connection, or those of one account, by account and provider; no token."""
    c = connections.c
    chosen = sa.true() if account_id is None else c.account_id == account_id
    found = sa.select(connections).where(chosen).order_by(c.account_id, c.provider)
    return [connection_of(row) for row in await conn.execute(found)]


async def providers(conn: AsyncConnection, account_id: str) -> frozenset[Provider]:
    """The providers that the account is connected with."""
    mine = sa.select(connections.c.provider).where(connections.c.account_id == account_id)
    return frozenset(map(Provider, await conn.scalars(mine)))


async def remove(conn: AsyncConnection, account_id: str, provider: Provider) -> bool:
    """Delete the account's connection with that provider; whether there was one."""
    mine = (connections.c.account_id == account_id, connections.c.provider == provider)
    return await deleted(conn, connections, *mine) > 0


def connection_of(row: sa.Row[Any]) -> Connection:
    """A row of the table as a value, without its token."""
    return Connection(row.id, row.account_id, Provider(row.provider), row.base_url, row.created_at)
