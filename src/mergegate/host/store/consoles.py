"""Accounts' keys to Google's Search Console; each is sealed before it is written."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.sealing import Place, Sealer
from mergegate.host.store.sql import deleted, upsert
from mergegate.host.store.tables import accounts, consoles


@dataclass(frozen=True, slots=True)
class ConnectedConsole:
    """One account's access to Search Console."""

    account_id: str
    identity: str
    """As whom it asks: a service account's address, or a client's identifier."""
    created_at: dt.datetime
    """When its key was last given."""

    @property
    def place(self) -> Place:
        """What its key is bound to: it opens for no other account."""
        return ("search-console", self.account_id)


async def put(conn: AsyncConnection, one: ConnectedConsole, sealed: str) -> None:
    """Store it with its key, sealed for its place, instead of an earlier one."""
    row = asdict(one) | {"sealed": sealed}
    renew = ["identity", "created_at", "sealed"]
    await upsert(conn, consoles, row, key=["account_id"], renew=renew)


async def find(conn: AsyncConnection, sealer: Sealer, account_id: str) -> str | None:
    """The account's key; None when it has none, and while it is suspended.

    Raises StoreError when it opens with none of the keys.
    """
    usable = sa.select(consoles).join(accounts)
    mine = usable.where(consoles.c.account_id == account_id, accounts.c.suspended_at.is_(None))
    row = (await conn.execute(mine)).first()
    return None if row is None else sealer.open(row.sealed, console_of(row).place)


async def listed(
    conn: AsyncConnection, account_id: str | None = None
) -> Sequence[ConnectedConsole]:
    """Every one, or that of one account; no key."""
    chosen = sa.true() if account_id is None else consoles.c.account_id == account_id
    found = sa.select(consoles).where(chosen).order_by(consoles.c.account_id)
    return [console_of(row) for row in await conn.execute(found)]


async def remove(conn: AsyncConnection, account_id: str) -> bool:
    """Delete the account's key; whether there was one."""
    return await deleted(conn, consoles, consoles.c.account_id == account_id) > 0


def console_of(row: sa.Row[Any]) -> ConnectedConsole:
    """A row of the table as a value, without its key."""
    return ConnectedConsole(row.account_id, row.identity, row.created_at)
