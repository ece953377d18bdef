import asyncio
import datetime as dt

import pytest
import sqlalchemy as sa

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Scope, Tool
from mergegate.host.account import Account, Caller
from mergegate.host.scan import Done, Scan
from mergegate.host.store import keys, scans
from mergegate.host.store.database import Database
from mergegate.host.store.keys import Authenticated, NewKey
from mergegate.host.store.scans import Submission
from mergegate.host.store.tables import accounts
from tests.host.store.conftest import NOW, begun, done, read

pytestmark = pytest.mark.anyio
DAY = dt.timedelta(days=1)
SITE = frozenset({Scope.SITE})


async def authenticated(
    database: Database, key: str, scan_id: str, now: dt.datetime
) -> Authenticated:
    return await read(database, lambda conn: keys.authenticate(conn, key, now, scan_id))


@pytest.fixture
async def key(database: Database, shop: Account) -> NewKey:
    return await done(database, lambda conn: keys.make(conn, shop.id, "", SITE, NOW + DAY, NOW))


@pytest.fixture
async def scan(database: Database, shop: Account) -> Scan:
    given = Submission("seo_1", shop.id, Tool.SEO, Lane.LIGHT, '{"url":"x"}', NOW)
    await done(database, lambda conn: scans.submit(conn, given, joinable=True))
    found = await read(database, lambda conn: scans.find(conn, shop.id, "seo_1"))
    assert found is not None
    return found


async def test_caller_and_scan_are_those_of_the_slow_ways(
    database: Database, shop: Account, key: NewKey, scan: Scan
) -> None:
    expected = Authenticated(Caller(key.id, shop.id, SITE, shop.plan), scan)
    assert await authenticated(database, key.key, "seo_1", NOW) == expected


async def test_a_result_is_seen_as_soon_as_it_is_there(
    database: Database, shop: Account, key: NewKey, scan: Scan
) -> None:
    await authenticated(database, key.key, "seo_1", NOW)
    await done(database, lambda conn: begun(conn, "seo_1", "w", NOW))
    await done(database, lambda conn: scans.settle(conn, "seo_1", Done("{}"), NOW + DAY))
    found = await authenticated(database, key.key, "seo_1", NOW)
    assert found.scan == await read(database, lambda conn: scans.find(conn, shop.id, "seo_1"))
    assert found.scan is not None
    assert (found.scan.outcome, found.scan.finished_at) == (Done("{}"), NOW + DAY)


@pytest.mark.parametrize("id", ["seo_2", "", "\0", "\udcff", "seo_1 ", "é", "x" * 1_000_000])
async def test_an_unknown_scan_is_none(
    database: Database, shop: Account, key: NewKey, scan: Scan, id: str
) -> None:
    found = await authenticated(database, key.key, id, NOW)
    assert found == Authenticated(Caller(key.id, shop.id, SITE, shop.plan), None)


async def test_a_scan_of_another_account_looks_like_none(
    database: Database, rival: Account, scan: Scan
) -> None:
    theirs = await done(database, lambda conn: keys.make(conn, rival.id, "", SITE, None, NOW))
    found = await authenticated(database, theirs.key, "seo_1", NOW)
    assert found == Authenticated(Caller(theirs.id, rival.id, SITE, rival.plan), None)


async def test_a_bad_key_sees_nothing_and_all_are_alike(
    database: Database, key: NewKey, scan: Scan
) -> None:
    for bad in ("", "mg_", "mg_" + "A" * 43, "A" * 1_048_576, key.prefix, key.key + " "):
        assert await authenticated(database, bad, "seo_1", NOW) == Authenticated(None, None)
    assert await authenticated(database, key.key, "seo_1", NOW + DAY) == Authenticated(None, None)
    await done(database, lambda conn: keys.revoke(conn, key.id, NOW))
    assert await authenticated(database, key.key, "seo_1", NOW) == Authenticated(None, None)


async def test_now_may_be_told_in_any_zone(database: Database, key: NewKey, scan: Scan) -> None:
    far = dt.timezone(dt.timedelta(hours=-11))
    late = (NOW + DAY - dt.timedelta(seconds=1)).astimezone(far)
    assert (await authenticated(database, key.key, "seo_1", late)).caller is not None


async def test_looking_leaves_no_transaction_open(
    database: Database, key: NewKey, scan: Scan
) -> None:
    """On SQLite an open one would keep the log from ever being written back."""
    await authenticated(database, key.key, "seo_1", NOW)
    if database.is_sqlite:
        async with database.read() as conn:
            busy, *_ = (await conn.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)"))).one()
        assert busy == 0
    else:
        async with database.read() as conn:
            idle = sa.text("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%'")
            assert await conn.scalar(idle) == 0


async def settle(database: Database, result: str, at: dt.datetime) -> None:
    await done(database, lambda conn: scans.settle(conn, "seo_1", Done(result), at))


async def mine(database: Database, key: NewKey) -> Scan | None:
    return (await authenticated(database, key.key, "seo_1", NOW)).scan


async def change(database: Database, statement: sa.Executable) -> None:
    await done(database, lambda conn: conn.execute(statement))


async def test_a_scan_that_is_gone_is_not_seen(database: Database, key: NewKey, scan: Scan) -> None:
    await settle(database, "{}", NOW)
    assert await mine(database, key) is not None
    await done(database, lambda conn: scans.purge(conn, NOW + DAY))
    assert await mine(database, key) is None


async def test_a_scan_is_not_for_a_key_that_was_revoked_or_an_account_that_is_gone(
    database: Database, shop: Account, key: NewKey, scan: Scan
) -> None:
    other = await done(database, lambda conn: keys.make(conn, shop.id, "", SITE, None, NOW))
    await settle(database, "{}", NOW)
    await mine(database, key)
    await done(database, lambda conn: keys.revoke(conn, key.id, NOW))
    assert await authenticated(database, key.key, "seo_1", NOW) == Authenticated(None, None)
    assert await mine(database, other) is not None
    await change(database, sa.delete(accounts).where(accounts.c.id == shop.id))
    assert await authenticated(database, other.key, "seo_1", NOW) == Authenticated(None, None)


async def test_a_failure_and_its_result_are_whole(
    database: Database, key: NewKey, scan: Scan
) -> None:
    failed = Failed("SCAN_FAILED", "It failed.", '{"part": true}')
    await done(database, lambda conn: scans.settle(conn, "seo_1", failed, NOW))
    found = await mine(database, key)
    assert found is not None
    assert found.outcome == failed


async def test_many_who_look_at_once_see_each_their_own(
    database: Database, shop: Account, rival: Account
) -> None:
    made = [
        await done(database, lambda conn, one=one: keys.make(conn, one.id, "", SITE, None, NOW))  # type: ignore[misc]
        for one in (shop, rival)
    ]
    for number in range(10):
        what = (Tool.SEO, Lane.LIGHT, f'{{"n":{number}}}', NOW)
        one = Submission(f"seo_{number}", (shop, rival)[number % 2].id, *what)
        await done(database, lambda conn, one=one: scans.submit(conn, one, joinable=False))  # type: ignore[misc]
    asked = [(key, number) for key in (*made, None) for number in range(11)]
    found = await asyncio.gather(
        *(authenticated(database, key.key if key else "mg_", f"seo_{at}", NOW) for key, at in asked)
    )
    for (key, number), seen in zip(asked, found, strict=True):
        own = key is not None and number < 10 and key is made[number % 2]
        assert (seen.caller and seen.caller.key_id) == (key and key.id)
        assert (seen.scan and seen.scan.id) == (f"seo_{number}" if own else None)


async def test_a_long_result_is_whole_for_all_who_look_at_once(
    database: Database, key: NewKey, scan: Scan
) -> None:
    await settle(database, "x" * 5_000_000, NOW)
    found = await asyncio.gather(*(mine(database, key) for _ in range(5)))
    assert [one and one.outcome for one in found] == [Done("x" * 5_000_000)] * 5
