"""What the commands on the host's database share: options, transactions, an object's JSON."""

import asyncio
import datetime as dt
import os
import re
import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

import click
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.core.errors import UsageError
from mergegate.host.account import Account
from mergegate.host.database import host_settings, opened
from mergegate.host.store import accounts
from mergegate.host.store.database import Database
from mergegate.terminal.listing import moment

R = TypeVar("R")
USUAL = "default"
"""The account that commands mean when they name none."""
OWNER = click.option("--account", "owner", default=USUAL, show_default=True)
PROVIDER = click.option(
    "--provider", type=click.Choice([one.value for one in Provider]), required=True
)
_LONGEST_NAME = 100
_CAPITAL = re.compile("[A-Z]")


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


@overload
def of_account(name: str, work: Callable[[AsyncConnection, str], Awaitable[R]]) -> R: ...
@overload
def of_account(
    name: str | None, work: Callable[[AsyncConnection, str | None], Awaitable[R]]
) -> R: ...
def of_account(name: str | None, work: Callable[[AsyncConnection, Any], Awaitable[R]]) -> R:
    """:func:`in_database`, with the identifier of that account; None where none is named."""

    async def known(conn: AsyncConnection) -> R:
        return await work(conn, None if name is None else (await account(conn, name)).id)

    return in_database(known)


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


def plain(one: object, *names: str, **more: object) -> dict[str, object]:
    """The object ``one`` for JSON: each of ``names``, as in ``createdAt``, in their order.

    A value is the attribute ``created_at``, unless ``more`` has it by its name.
    """
    return {
        name: _plain(more[name] if name in more else getattr(one, _attribute(name)))
        for name in names
    }


def _attribute(name: str) -> str:
    return _CAPITAL.sub(lambda letter: f"_{letter[0].lower()}", name)


def _plain(value: object) -> object:
    if isinstance(value, dt.datetime):
        return moment(value)
    return sorted(value) if isinstance(value, frozenset) else value
