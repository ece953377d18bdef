"""Which worker gets which scan, whatever happens at once."""

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Sequence

import pytest

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Tool
from mergegate.host.account import Account
from mergegate.host.scan import Priority, Scan
from mergegate.host.store import leases, scans
from mergegate.host.store.database import Database
from mergegate.host.store.scans import Submission
from tests.host.store.conftest import NOW, done, read, undone

pytestmark = pytest.mark.anyio
CANCELLED = Failed("CANCELLED", "The scan was cancelled.")
LOST = Failed("WORKER_LOST", "It was lost.")
DAY = dt.timedelta(days=1)


async def submit(
    database: Database,
    owner: Account,
    *ids: str,
    tool: Tool = Tool.SEO,
    lane: Lane = Lane.LIGHT,
    priority: Priority = Priority.NORMAL,
    joinable: bool = False,
) -> None:
    for id in ids:
        one = Submission(id, owner.id, tool, lane, "{}", NOW, priority)
        async with database.change() as conn:
            await scans.submit(conn, one, joinable=joinable)


async def claim(
    database: Database, worker: str = "w1", limit: int = 1, lane: Lane = Lane.LIGHT
) -> Sequence[Scan]:
    return await done(database, lambda conn: leases.claim(conn, lane, worker, limit, NOW + DAY))


async def held(database: Database, worker: str = "w1") -> dict[str, bool]:
    return dict(await read(database, lambda conn: leases.held(conn, worker)))


async def reclaim(database: Database, *dead: str) -> Sequence[str]:
    ended = await done(database, lambda conn: leases.reclaim(conn, dead, 3, LOST, NOW))
    return [one.id for one in ended]


async def cancel(database: Database, id: str) -> bool:
    return await done(database, lambda conn: leases.cancel(conn, id, CANCELLED, NOW))


async def find(database: Database, owner: Account, id: str) -> Scan:
    scan = await read(database, lambda conn: scans.find(conn, owner.id, id))
    assert scan is not None
    return scan


async def test_a_claim_begins_what_waits_once(database: Database, shop: Account) -> None:
    await submit(database, shop, "seo_1")
    assert await read(database, lambda conn: leases.waiting_lanes(conn, list(Lane))) == {Lane.LIGHT}
    (scan,) = await claim(database)
    assert (scan.tries, scan.started_at) == (1, NOW + DAY)
    assert scan == await find(database, shop, "seo_1")
    assert await claim(database, "w2") == []
    assert await held(database) == {"seo_1": False}
    assert await read(database, leases.holders) == {"w1"}
    assert await read(database, lambda conn: leases.waiting_lanes(conn, list(Lane))) == frozenset()


async def test_what_is_over_or_in_another_lane_is_not_claimed(
    database: Database, shop: Account
) -> None:
    await submit(database, shop, "seo_1", "seo_2")
    await submit(database, shop, "aud_1", lane=Lane.WAITED)
    await done(database, lambda conn: scans.settle(conn, "seo_1", LOST, NOW))
    assert [one.id for one in await claim(database, limit=9)] == ["seo_2"]


async def test_a_claim_that_is_undone_leaves_all_to_others(
    database: Database, shop: Account
) -> None:
    await submit(database, shop, "seo_1")
    await undone(database, lambda conn: leases.claim(conn, Lane.LIGHT, "w1", 9, NOW))
    assert len(await claim(database, "w2")) == 1


async def test_no_scan_goes_to_two_of_many_who_claim_at_once(
    database: Database, shop: Account, rival: Account
) -> None:
    ids = [f"seo_{number}" for number in range(20)]
    await submit(database, shop, *ids)
    await submit(database, rival, *(f"{id}r" for id in ids))
    others = [Database.open(database.url) for _ in range(3)]
    found = await asyncio.gather(
        *(claim(one, f"w{n}", 3) for n in range(6) for one in (database, *others))
    )
    for one in others:
        await one.close()
    taken = [scan.id for some in found for scan in some]
    assert len(taken) == len(set(taken))
    left = await claim(database, "last", 99)
    assert len(taken) + len(left) == 40


async def test_another_claim_is_not_waited_for(database: Database, shop: Account) -> None:
    """On PostgreSQL, where transactions go side by side."""
    if database.is_sqlite:
        return
    await submit(database, shop, "seo_1", "seo_2")
    async with database.change() as conn:
        first = await leases.claim(conn, Lane.LIGHT, "w1", 1, NOW)
        second = await claim(database, "w2", 1)
    assert {one.id for one in (*first, *second)} == {"seo_1", "seo_2"}


async def test_accounts_take_turns(database: Database, shop: Account, rival: Account) -> None:
    await submit(database, shop, *(f"seo_{number}" for number in range(10)))
    await submit(database, rival, "seo_r1", "seo_r2")
    owners = Counter(one.account_id for one in await claim(database, limit=4))
    assert owners == {shop.id: 2, rival.id: 2}


async def test_every_account_may_be_the_first(
    database: Database, shop: Account, rival: Account
) -> None:
    await submit(database, shop, *(f"seo_{number}" for number in range(40)))
    await submit(database, rival, *(f"seo_r{number}" for number in range(40)))
    first = [one.account_id for _ in range(40) for one in await claim(database)]
    assert set(first) == {shop.id, rival.id}


async def test_priority_decides_within_an_account_and_then_age(
    database: Database, shop: Account
) -> None:
    await submit(database, shop, "seo_1", priority=Priority.LATER)
    await submit(database, shop, "seo_2", "seo_3")
    await submit(database, shop, "seo_4", priority=Priority.SOON)
    order = [one.id for _ in range(4) for one in await claim(database)]
    assert order == ["seo_4", "seo_2", "seo_3", "seo_1"]


async def test_what_is_handed_back_counts_as_no_loss(database: Database, shop: Account) -> None:
    await submit(database, shop, "seo_1", "seo_2")
    for tries in range(1, 5):
        assert {one.tries for one in await claim(database, limit=2)} == {tries}
        if tries == 1:
            some = await done(database, lambda conn: leases.release(conn, "w1", ["seo_1"]))
            assert (some, await held(database)) == (1, {"seo_2": False})
            assert (await find(database, shop, "seo_1")).started_at is not None
        await done(database, lambda conn: leases.release(conn, "w1"))
        assert await held(database) == {}
    await claim(database, limit=2)
    assert await reclaim(database, "w1") == []


async def test_what_is_lost_three_times_is_given_up(database: Database, shop: Account) -> None:
    await submit(database, shop, "seo_1")
    for worker in ("w1", "w2"):
        assert len(await claim(database, worker)) == 1
        assert await reclaim(database, worker, "w0") == []
    await claim(database, "w3")
    assert await reclaim(database, "w1", "w2") == []
    assert await reclaim(database, "w3") == ["seo_1"]
    assert (await find(database, shop, "seo_1")).outcome == LOST
    assert await claim(database) == []


async def test_the_notice_of_a_cancelled_change_is_claimed_and_changes_nothing(
    database: Database, shop: Account
) -> None:
    await submit(database, shop, "chg_1", tool=Tool.CHANGE, joinable=True)
    assert await cancel(database, "chg_1")
    before = await find(database, shop, "chg_1")
    assert await claim(database) == [before]
    assert await find(database, shop, "chg_1") == before
    assert await held(database) == {"chg_1": True}
    await done(database, lambda conn: leases.notified(conn, "chg_1", "w2"))
    assert await held(database) == {"chg_1": True}, "it is in the hands of another"
    await done(database, lambda conn: leases.notified(conn, "chg_1", "w1"))
    assert await held(database) == {}


async def test_a_notice_that_is_lost_three_times_is_dropped(
    database: Database, shop: Account
) -> None:
    await submit(database, shop, "chg_1", tool=Tool.CHANGE, joinable=True)
    await cancel(database, "chg_1")
    for _ in range(3):
        assert len(await claim(database)) == 1
        assert await reclaim(database, "w1") == []
    assert await claim(database) == []
    assert (await find(database, shop, "chg_1")).outcome == CANCELLED


@pytest.mark.parametrize("is_begun", [True, False])
async def test_an_order_that_no_worker_began_owes_no_notice(
    database: Database, shop: Account, is_begun: bool
) -> None:
    await submit(database, shop, "chg_1", tool=Tool.CHANGE)
    if is_begun:
        await claim(database)
        await reclaim(database, "w1")
    await cancel(database, "chg_1")
    assert [one.id for one in await claim(database)] == ["chg_1"] * is_begun


async def test_all_scans_of_an_account_are_cancelled_with_or_without_notices(
    database: Database, shop: Account, rival: Account
) -> None:
    for owner, notify in ((shop, True), (rival, False)):
        await submit(database, owner, f"seo_{owner.id}")
        await submit(database, owner, f"chg_{owner.id}", tool=Tool.CHANGE, joinable=True)
        async with database.change() as conn:
            assert await leases.cancel_all(conn, owner.id, CANCELLED, NOW, notify=notify) == 2
    assert [one.id for one in await claim(database, limit=9)] == [f"chg_{shop.id}"]


async def test_a_change_that_was_told_of_again_is_known(database: Database, shop: Account) -> None:
    await submit(database, shop, "chg_1", tool=Tool.CHANGE, joinable=True)
    await cancel(database, "chg_1")

    async def is_told_again() -> bool:
        return await read(database, lambda conn: leases.is_superseded(conn, "chg_1"))

    assert not await is_told_again()
    later = Submission("chg_2", shop.id, Tool.CHANGE, Lane.LIGHT, "{}", NOW + DAY)
    await done(database, lambda conn: scans.submit(conn, later, joinable=True))
    assert await is_told_again()
