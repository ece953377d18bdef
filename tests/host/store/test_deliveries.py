import asyncio
import datetime as dt

import pytest

from mergegate.host.store import deliveries
from mergegate.host.store.database import Database
from tests.host.store.conftest import NOW, done, undone

pytestmark = pytest.mark.anyio


async def first_time(database: Database, id: str, provider: str = "github") -> bool:
    return await done(database, lambda conn: deliveries.first_time(conn, provider, id, NOW))


async def test_a_delivery_is_new_once_for_each_provider(database: Database) -> None:
    assert await first_time(database, "72d3162e")
    assert not await first_time(database, "72d3162e")
    assert await first_time(database, "72d3162e", "gitlab")
    assert await first_time(database, "72d3162f")


async def test_of_twenty_at_once_one_is_the_first(database: Database) -> None:
    other = Database.open(database.url)
    found = await asyncio.gather(*(first_time(one, "72d3162e") for one in [database, other] * 10))
    await other.close()
    assert found.count(True) == 1


@pytest.mark.parametrize("id", ["", "x" * 1_000_000, "a\0b", "\udcff"])
async def test_a_hostile_identifier_is_one(database: Database, id: str) -> None:
    assert await first_time(database, id)
    assert not await first_time(database, id)


async def test_what_is_undone_was_not_seen(database: Database) -> None:
    await undone(database, lambda conn: deliveries.first_time(conn, "github", "72d3162e", NOW))
    assert await first_time(database, "72d3162e")


async def test_old_ones_are_forgotten(database: Database) -> None:
    await first_time(database, "72d3162e")
    later = NOW + dt.timedelta(seconds=1)
    assert await done(database, lambda conn: deliveries.purge(conn, NOW)) == 0
    assert await done(database, lambda conn: deliveries.purge(conn, later)) == 1
    assert await first_time(database, "72d3162e")
