"""Both kinds of database, and what most tests put into them."""

import datetime as dt
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.account import FREE, Account
from mergegate.host.store import accounts
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from mergegate.host.store.tables import scans
from tests.postgres import (
    Server,
    database,
    fresh_postgres,
    fresh_url,
    migrated_file,
    postgres_server,
)

__all__ = ["database", "fresh_postgres", "fresh_url", "postgres_server"]

NOW = dt.datetime(2026, 3, 1, 9, 30, 0, 123456, dt.UTC)
R = TypeVar("R")
_OWN = ("accounts", "deliveries", "workers", "rates", "outcomes")
"""Tables whose rows do not go with those of accounts."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shared_postgres(postgres_server: Server) -> str:
    """A database that is emptied rather than made anew: these tests write our own tables alone."""
    postgres_server.run("CREATE DATABASE shared")
    migrate(postgres_server.url("shared"))
    return postgres_server.url("shared")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a migrated, empty database, on each kind in turn."""
    if request.param == "sqlite":
        (tmp_path / "service.db").write_bytes(migrated_file())
        yield f"sqlite:///{tmp_path}/service.db"
        return
    url = request.getfixturevalue("shared_postgres")
    yield url
    with psycopg.connect(url) as conn:
        for table in _OWN:
            conn.execute(f"DELETE FROM {table}")


@pytest.fixture
async def shop(database: Database) -> Account:
    return await done(database, lambda conn: accounts.create(conn, "shop", FREE, NOW))


@pytest.fixture
async def rival(database: Database) -> Account:
    return await done(database, lambda conn: accounts.create(conn, "rival", FREE, NOW))


async def begun(conn: AsyncConnection, id: str, worker: str, now: dt.datetime) -> None:
    """As if ``worker`` had claimed this one of all that wait."""
    values = {"started_at": now, "worker": worker, "tries": scans.c.tries + 1}
    await conn.execute(sa.update(scans).where(scans.c.id == id).values(values))


async def done(database: Database, work: Callable[[AsyncConnection], Awaitable[R]]) -> R:
    """What ``work`` returns, in a transaction of its own."""
    async with database.change() as conn:
        return await work(conn)


async def undone(database: Database, work: Callable[[AsyncConnection], Awaitable[object]]) -> None:
    """Do ``work`` in a transaction that comes to nothing."""
    with suppress(LookupError):
        async with database.change() as conn:
            await work(conn)
            raise LookupError


async def read(database: Database, work: Callable[[AsyncConnection], Awaitable[R]]) -> R:
    async with database.read() as conn:
        return await work(conn)
