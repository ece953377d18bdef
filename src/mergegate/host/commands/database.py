"""What the commands on the host's database share."""

import asyncio
import os
import unicodedata
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import UsageError
from mergegate.host.account import Account
from mergegate.host.database import host_settings, opened
from mergegate.host.store import accounts
from mergegate.host.store.database import Database

R = TypeVar("R")
USUAL = "default"
"""The account that commands mean when they name none."""
_LONGEST_NAME = 100


def on_host(work: Callable[[Database], Awaitable[R]]) -> R:
    """What ``work`` returns, done with the host's database.

    Makes or renews the tables first. Raises UsageError and StoreError.
    """

    async def all_of_it() -> R:
        async with opened(host_settings(os.environ)) as database:
            return await work(database)

    return asyncio.run(all_of_it())


def in_database(work: Callable[[AsyncConnection], Awaitable[R]]) -> R:
    """:func:`on_host`, in one transaction."""

    async def in_one(database: Database) -> R:
        async with database.change() as conn:
            return await work(conn)

    return on_host(in_one)


async def account(conn: AsyncConnection, name: str) -> Account:
    """The account of that name; raises UsageError when there is none."""
    found = await accounts.named(conn, _composed(name))
    if found is None:
        raise UsageError(
            f"there is no account {name!r}", remedy="`mergegate accounts create NAME` makes one."
        )
    return found


def checked_name(name: str) -> str:
    """``name`` without outer blanks; raises UsageError for what no list could show."""
    bare = _composed(name)
    if not bare or not bare.isprintable() or len(bare) > _LONGEST_NAME:
        raise UsageError(f"a name has 1 to {_LONGEST_NAME} printable characters")
    return bare


def _composed(name: str) -> str:
    """What looks alike because a letter and its accent may be one character or two is alike."""
    return unicodedata.normalize("NFC", name.strip())
