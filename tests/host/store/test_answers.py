import asyncio
import datetime as dt

import pytest
import sqlalchemy as sa

from mergegate.host.account import Account
from mergegate.host.store import answers
from mergegate.host.store.answers import KEPT, Conflict, Fresh, Same
from mergegate.host.store.database import Database
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
    return await done(database, lambda conn: answers.claim(conn, owner.id, key, body, scan, now))


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
    await undone(database, lambda conn: answers.claim(conn, shop.id, "k", "b", "rs_1", NOW))
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
    assert await done(database, lambda conn: answers.purge(conn, NOW + KEPT)) == 1
    assert await claim(database, shop, key="later", scan="rs_2") == Same("rs_1")
