"""What the commands on the host's database share."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.errors import UsageError
from mergegate.model.service.account import Account
from mergegate.store.service import accounts
from mergegate.wiring.database import host_settings, opened

R = TypeVar("R")
USUAL = "default"
"""The account that commands mean when they name none."""
_LONGEST_NAME = 100


def in_database(work: Callable[[AsyncConnection], Awaitable[R]]) -> R:
    """What ``work`` returns, done in one transaction on the host's database.

    Makes or renews the tables first. Raises UsageError and StoreError.
    """

    async def all_of_it() -> R:
        async with opened(host_settings(os.environ)) as database, database.change() as conn:
            return await work(conn)

    return asyncio.run(all_of_it())


async def account(conn: AsyncConnection, name: str) -> Account:
    """The account of that name; raises UsageError when there is none."""
    found = await accounts.named(conn, name)
    if found is None:
        raise UsageError(
            f"there is no account {name!r}", remedy="`mergegate accounts create NAME` makes one."
        )
    return found


def checked_name(name: str) -> str:
    """``name`` without outer blanks; raises UsageError for what no list could show."""
    bare = name.strip()
    if not bare or not bare.isprintable() or len(bare) > _LONGEST_NAME:
        raise UsageError(f"a name has 1 to {_LONGEST_NAME} printable characters")
    return bare
