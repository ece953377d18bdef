import datetime as dt

import pytest
import sqlalchemy as sa

from mergegate.model.service.account import Account, Caller
from mergegate.model.service.scan import Done, Scan
from mergegate.model.service.tool import Lane, Scope, Tool
from mergegate.store.service import keys, scans
from mergegate.store.service.database import Database
from mergegate.store.service.glance import Glance, glance
from mergegate.store.service.keys import NewKey
from mergegate.store.service.scans import Submission
from tests.store.service.conftest import NOW, done, read

pytestmark = pytest.mark.anyio
DAY = dt.timedelta(days=1)
SITE = frozenset({Scope.SITE})


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
    expected = Glance(Caller(key.id, shop.id, SITE, shop.plan), scan)
    assert await glance(database, key.key, "seo_1", NOW) == expected


async def test_a_result_is_seen_as_soon_as_it_is_there(
    database: Database, shop: Account, key: NewKey, scan: Scan
) -> None:
    await glance(database, key.key, "seo_1", NOW)
    await done(database, lambda conn: scans.begin(conn, "seo_1", "w", NOW))
    await done(database, lambda conn: scans.settle(conn, "seo_1", Done("{}"), NOW + DAY))
    found = await glance(database, key.key, "seo_1", NOW)
    assert found.scan == await read(database, lambda conn: scans.find(conn, shop.id, "seo_1"))
    assert found.scan is not None
    assert (found.scan.outcome, found.scan.finished_at) == (Done("{}"), NOW + DAY)


@pytest.mark.parametrize("id", ["seo_2", "", "\0", "\udcff", "seo_1 ", "é", "x" * 1_000_000])
async def test_an_unknown_scan_is_none(
    database: Database, shop: Account, key: NewKey, scan: Scan, id: str
) -> None:
    found = await glance(database, key.key, id, NOW)
    assert found == Glance(Caller(key.id, shop.id, SITE, shop.plan), None)


async def test_a_scan_of_another_account_looks_like_none(
    database: Database, rival: Account, scan: Scan
) -> None:
    theirs = await done(database, lambda conn: keys.make(conn, rival.id, "", SITE, None, NOW))
    found = await glance(database, theirs.key, "seo_1", NOW)
    assert found == Glance(Caller(theirs.id, rival.id, SITE, rival.plan), None)


async def test_a_bad_key_sees_nothing_and_all_are_alike(
    database: Database, key: NewKey, scan: Scan
) -> None:
    for bad in ("", "mg_", "mg_" + "A" * 43, "A" * 1_048_576, key.prefix, key.key + " "):
        assert await glance(database, bad, "seo_1", NOW) == Glance(None, None)
    assert await glance(database, key.key, "seo_1", NOW + DAY) == Glance(None, None)
    await done(database, lambda conn: keys.revoke(conn, key.id, NOW))
    assert await glance(database, key.key, "seo_1", NOW) == Glance(None, None)


async def test_now_may_be_told_in_any_zone(database: Database, key: NewKey, scan: Scan) -> None:
    far = dt.timezone(dt.timedelta(hours=-11))
    late = (NOW + DAY - dt.timedelta(seconds=1)).astimezone(far)
    assert (await glance(database, key.key, "seo_1", late)).caller is not None


async def test_looking_leaves_no_transaction_open(
    database: Database, key: NewKey, scan: Scan
) -> None:
    """On SQLite an open one would keep the log from ever being written back."""
    await glance(database, key.key, "seo_1", NOW)
    if database.is_sqlite:
        async with database.read() as conn:
            busy, *_ = (await conn.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)"))).one()
        assert busy == 0
    else:
        async with database.read() as conn:
            idle = sa.text("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%'")
            assert await conn.scalar(idle) == 0
