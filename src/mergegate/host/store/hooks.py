"""Webhooks: an address that cannot be guessed, and the secret that signs its deliveries."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.host.store.sealing import Place, Sealer
from mergegate.host.store.sql import deleted, safe_id
from mergegate.host.store.tables import accounts, hooks


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook of one account, for one provider."""

    id: str
    """Part of the address that the provider calls."""
    account_id: str
    provider: Provider
    created_at: dt.datetime

    @property
    def place(self) -> Place:
        """What its secret is bound to: it signs no other account's deliveries."""
        return ("hook", self.id, self.account_id, self.provider)


@dataclass(frozen=True, slots=True)
class SharedSecret:
    """A hook with the secret that its deliveries are signed with."""

    hook: Hook
    secret: str = field(repr=False)


async def add(conn: AsyncConnection, hook: Hook, sealed: str) -> None:
    """Store it with its secret, sealed for its place."""
    await conn.execute(sa.insert(hooks).values(**asdict(hook), sealed=sealed))


async def find(conn: AsyncConnection, sealer: Sealer, id: str) -> SharedSecret | None:
    """The hook of that address, unless its account is suspended.

    Raises StoreError when its secret opens with none of the keys.
    """
    usable = (hooks.c.id == safe_id(id), accounts.c.suspended_at.is_(None))
    row = (await conn.execute(sa.select(hooks).join(accounts).where(*usable))).first()
    if row is None:
        return None
    found = hook_of(row)
    return SharedSecret(found, sealer.open(row.sealed, found.place))


async def listed(conn: AsyncConnection, account_id: str) -> Sequence[Hook]:
    """The account's hooks, oldest first; no secret."""
    mine = sa.select(hooks).where(hooks.c.account_id == account_id)
    return [
        hook_of(row) for row in await conn.execute(mine.order_by(hooks.c.created_at, hooks.c.id))
    ]


async def remove(conn: AsyncConnection, account_id: str, id: str) -> bool:
    """Delete the account's hook of that address; whether there was one."""
    mine = (hooks.c.id == id, hooks.c.account_id == account_id)
    return await deleted(conn, hooks, *mine) > 0


def hook_of(row: sa.Row[Any]) -> Hook:
    """A row of the table as a value, without its secret."""
    return Hook(row.id, row.account_id, Provider(row.provider), row.created_at)
