import asyncio
import datetime as dt

import pytest
import sqlalchemy as sa

from mergegate.host.account import Account
from mergegate.host.store import idempotency
from mergegate.host.store.database import Database
from mergegate.host.store.idempotency import KEPT, Conflict, Fresh, Same
from mergegate.host.store.tables import answers as table
from tests.host.store.conftest import NOW, done, undone

pytestmark = pytest.mark.anyio
INSTANT = dt.timedelta(microseconds=1)


async def claim(
    database: Database,
    owner: Account,
    key: str = "k",
    body: str = "b",
    scan: str = "rs_1",
    now: dt.datetime = NOW,
) -> Fresh | Same | Conflict:
    return await done(
        database, lambda conn: idempotency.claim(conn, owner.id, key, body, scan, now)
    )


async def test_a_key_is_fresh_once_and_then_tells_its_scan(
    database: Database, shop: Account
) -> None:
    assert await claim(database, shop) == Fresh()
    assert await claim(database, shop, scan="rs_2") == Same("rs_1")


async def test_another_body_is_a_conflict(database: Database, shop: Account) -> None:
    await claim(database, shop)
    assert await claim(database, shop, body="other", scan="rs_2") == Conflict()
    assert await claim(database, shop, scan="rs_3") == Same("rs_1")


async def test_keys_of_other_accounts_and_other_keys_are_fresh(
    database: Database, shop: Account, rival: Account
) -> None:
    await claim(database, shop)
    assert await claim(database, rival) == Fresh()
    assert await claim(database, shop, key="K") == Fresh()


@pytest.mark.parametrize(("after", "expected"), [(KEPT - INSTANT, Conflict()), (KEPT, Fresh())])
async def test_after_a_day_the_key_is_free(
    database: Database, shop: Account, after: dt.timedelta, expected: Fresh | Conflict
) -> None:
    await claim(database, shop)
    assert await claim(database, shop, body="other", scan="rs_2", now=NOW + after) == expected


async def test_a_key_that_was_freed_is_kept_for_a_day_again(
    database: Database, shop: Account
) -> None:
    await claim(database, shop)
    await claim(database, shop, body="other", scan="rs_2", now=NOW + KEPT)
    again = await claim(database, shop, body="other", now=NOW + 2 * KEPT - INSTANT)
    assert again == Same("rs_2")


async def test_what_is_undone_claims_nothing(database: Database, shop: Account) -> None:
    await undone(database, lambda conn: idempotency.claim(conn, shop.id, "k", "b", "rs_1", NOW))
    assert await claim(database, shop, scan="rs_2") == Fresh()


async def test_of_thirty_at_once_one_is_fresh(database: Database, shop: Account) -> None:
    other = Database.open(database.url)
    found = await asyncio.gather(
        *(
            claim(one, shop, scan=f"rs_{number}")
            for number, one in enumerate([database, other] * 15)
        )
    )
    await other.close()
    (first,) = [number for number, one in enumerate(found) if one == Fresh()]
    assert found.count(Same(f"rs_{first}")) == 29


@pytest.mark.parametrize("key", ["", "x" * 1_000_000, "a\0b", "\udcff", "'; DROP TABLE scans"])
async def test_a_hostile_key_is_a_key_and_stands_nowhere(
    database: Database, shop: Account, key: str
) -> None:
    assert await claim(database, shop, key=key) == Fresh()
    assert await claim(database, shop, key=key) == Same("rs_1")
    async with database.read() as conn:
        assert len(await conn.scalar(sa.select(table.c.key)) or "") == 64


async def test_free_keys_are_forgotten(database: Database, shop: Account) -> None:
    await claim(database, shop)
    await claim(database, shop, key="later", now=NOW + INSTANT)
    assert await done(database, lambda conn: idempotency.purge_keys(conn, NOW + KEPT)) == 1
    assert await claim(database, shop, key="later", scan="rs_2") == Same("rs_1")


async def first_delivery(database: Database, id: str, provider: str = "github") -> bool:
    return await done(database, lambda conn: idempotency.first_delivery(conn, provider, id, NOW))


async def test_a_delivery_is_new_once_for_each_provider(database: Database) -> None:
    assert await first_delivery(database, "72d3162e")
    assert not await first_delivery(database, "72d3162e")
    assert await first_delivery(database, "72d3162e", "gitlab")
    assert await first_delivery(database, "72d3162f")


async def test_of_twenty_deliveries_at_once_one_is_the_first(database: Database) -> None:
    other = Database.open(database.url)
    found = await asyncio.gather(
        *(first_delivery(one, "72d3162e") for one in [database, other] * 10)
    )
    await other.close()
    assert found.count(True) == 1


@pytest.mark.parametrize("id", ["", "x" * 1_000_000, "a\0b", "\udcff"])
async def test_a_hostile_identifier_of_a_delivery_is_one(database: Database, id: str) -> None:
    assert await first_delivery(database, id)
    assert not await first_delivery(database, id)


async def test_a_delivery_that_is_undone_was_not_seen(database: Database) -> None:
    await undone(database, lambda conn: idempotency.first_delivery(conn, "github", "72d3162e", NOW))
    assert await first_delivery(database, "72d3162e")


async def test_old_deliveries_are_forgotten(database: Database) -> None:
    await first_delivery(database, "72d3162e")
    later = NOW + dt.timedelta(seconds=1)
    assert await done(database, lambda conn: idempotency.purge_deliveries(conn, NOW)) == 0
    assert await done(database, lambda conn: idempotency.purge_deliveries(conn, later)) == 1
    assert await first_delivery(database, "72d3162e")
