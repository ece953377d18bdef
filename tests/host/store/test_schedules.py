import asyncio
import datetime as dt
from dataclasses import replace

import pytest

from mergegate.core.plans import Lane, Tool
from mergegate.host.account import Account
from mergegate.host.store import schedules
from mergegate.host.store.database import Database
from mergegate.host.store.schedules import Schedule
from tests.host.store.conftest import NOW, done, read

pytestmark = pytest.mark.anyio
DAY = dt.timedelta(days=1)


def nightly(owner: Account, id: str = "sch_1", next_at: dt.datetime = NOW) -> Schedule:
    what = (Tool.SEO, Lane.BROWSER, '{"renderJs":true}', "0 3 * * *")
    return Schedule(id, owner.id, *what, next_at, NOW - DAY)


async def add(database: Database, *given: Schedule) -> None:
    for one in given:
        await done(database, lambda conn, one=one: schedules.add(conn, one))  # type: ignore[misc]


async def test_what_is_due_comes_longest_overdue_first(database: Database, shop: Account) -> None:
    late, now = nightly(shop, "sch_2", NOW - DAY), nightly(shop)
    await add(database, now, nightly(shop, "sch_3", NOW + DAY), late)
    assert await read(database, lambda conn: schedules.due(conn, NOW)) == [late, now]
    assert await read(database, lambda conn: schedules.due(conn, NOW, 1)) == [late]


async def test_one_of_many_moves_a_schedule_on(database: Database, shop: Account) -> None:
    await add(database, nightly(shop))
    other = Database.open(database.url)
    moved = await asyncio.gather(
        *(
            done(one, lambda conn: schedules.advance(conn, nightly(shop), NOW + DAY))
            for one in [database, other] * 5
        )
    )
    await other.close()
    assert moved.count(True) == 1
    listed = await read(database, lambda conn: schedules.listed(conn, shop.id))
    assert listed == [replace(nightly(shop), next_at=NOW + DAY)]


async def test_only_its_account_lists_and_removes_a_schedule(
    database: Database, shop: Account, rival: Account
) -> None:
    later = nightly(shop, "sch_2", NOW + DAY)
    await add(database, later, nightly(shop))
    assert await read(database, lambda conn: schedules.listed(conn, shop.id)) == [
        nightly(shop),
        later,
    ]
    assert await read(database, lambda conn: schedules.listed(conn, rival.id)) == []
    assert not await done(database, lambda conn: schedules.remove(conn, rival.id, "sch_1"))
    assert await done(database, lambda conn: schedules.remove(conn, shop.id, "sch_1"))
    assert not await done(database, lambda conn: schedules.advance(conn, nightly(shop), NOW + DAY))
