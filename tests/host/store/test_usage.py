import asyncio
import datetime as dt

import pytest
import sqlalchemy as sa

from mergegate.host.account import FREE, PAID, Account, Caller, Plan
from mergegate.host.store import usage
from mergegate.host.store.database import Database
from mergegate.host.store.tables import audit_months
from mergegate.host.store.usage import Admitted, Cooldown
from tests.host.store.conftest import NOW, done, read, undone

pytestmark = pytest.mark.anyio
MINUTE = dt.timedelta(minutes=1)
SITE = "example.org"


def caller(owner: Account, plan: Plan = FREE) -> Caller:
    return Caller("key_1", owner.id, frozenset(), plan)


async def ask(
    database: Database, who: Caller, now: dt.datetime = NOW, site: str = SITE
) -> Admitted | Cooldown:
    return await done(database, lambda conn: usage.admit_audit(conn, who, site, now))


async def use_up(database: Database, who: Caller, now: dt.datetime = NOW) -> None:
    for number in range(5):
        assert await ask(database, who, now, f"site{number}.example") == Admitted()


async def used(database: Database) -> dict[str, int]:
    async with database.read() as conn:
        rows = await conn.execute(sa.select(audit_months.c.month, audit_months.c.used))
        return {row.month: row.used for row in rows}


async def test_five_audits_of_one_site_need_no_waiting(database: Database, shop: Account) -> None:
    for _ in range(5):
        assert await ask(database, caller(shop)) == Admitted()
    assert await ask(database, caller(shop)) == Cooldown(15 * 60)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (dt.timedelta(), Cooldown(900)),
        (dt.timedelta(microseconds=1), Cooldown(900)),
        (MINUTE, Cooldown(840)),
        (15 * MINUTE - dt.timedelta(microseconds=1), Cooldown(1)),
        (15 * MINUTE, Admitted()),
        (16 * MINUTE, Admitted()),
        (-MINUTE, Cooldown(900)),  # the clock of another machine is a little behind
        (-14 * 60 * MINUTE, Admitted()),  # the clock was wrong when the last one was counted
    ],
)
async def test_once_they_are_used_up_the_same_site_waits_for_fifteen_minutes(
    database: Database, shop: Account, after: dt.timedelta, expected: Admitted | Cooldown
) -> None:
    start = NOW.replace(day=15)
    await use_up(database, caller(shop), start)
    assert await ask(database, caller(shop), start) == Admitted()
    assert await ask(database, caller(shop), start + after) == expected


async def test_one_of_the_five_starts_the_cooldown_too(database: Database, shop: Account) -> None:
    await use_up(database, caller(shop))
    assert await ask(database, caller(shop), site="site3.example") == Cooldown(900)


async def test_other_sites_need_no_waiting(database: Database, shop: Account) -> None:
    await use_up(database, caller(shop))
    for number in range(7):
        assert await ask(database, caller(shop), site=f"other{number}.example") == Admitted()


async def test_being_told_to_wait_does_not_prolong_it(database: Database, shop: Account) -> None:
    await use_up(database, caller(shop))
    await ask(database, caller(shop))
    assert await ask(database, caller(shop), NOW + 14 * MINUTE) == Cooldown(60)
    assert await ask(database, caller(shop), NOW + 15 * MINUTE) == Admitted()


async def test_each_admitted_audit_starts_it_anew(database: Database, shop: Account) -> None:
    await use_up(database, caller(shop))
    await ask(database, caller(shop))
    await ask(database, caller(shop), NOW + 15 * MINUTE)
    assert await ask(database, caller(shop), NOW + 16 * MINUTE) == Cooldown(14 * 60)


@pytest.mark.parametrize(
    ("last", "next_"),
    [
        ("2026-03-31T23:59:59.999999+00:00", "2026-04-01T00:00:00+00:00"),
        ("2026-04-01T01:59:00+02:00", "2026-04-01T02:00:00+02:00"),
        ("2026-12-31T23:59:59+00:00", "2027-01-01T00:00:00+00:00"),
    ],
)
async def test_a_month_ends_in_utc_and_brings_five_more(
    database: Database, shop: Account, last: str, next_: str
) -> None:
    before, after = dt.datetime.fromisoformat(last), dt.datetime.fromisoformat(next_)
    await use_up(database, caller(shop), before)
    await ask(database, caller(shop), before)
    assert isinstance(await ask(database, caller(shop), before), Cooldown)
    for _ in range(5):
        assert await ask(database, caller(shop), after) == Admitted()
    assert isinstance(await ask(database, caller(shop), after), Cooldown)


async def test_accounts_do_not_count_for_each_other(
    database: Database, shop: Account, rival: Account
) -> None:
    await use_up(database, caller(shop))
    await ask(database, caller(shop))
    assert await ask(database, caller(rival)) == Admitted()


async def test_keys_of_one_account_count_together(database: Database, shop: Account) -> None:
    await use_up(database, caller(shop))
    await ask(database, caller(shop))
    other = Caller("key_2", shop.id, frozenset(), FREE)
    assert await ask(database, other) == Cooldown(900)


async def test_a_paid_plan_never_waits_and_is_not_counted(
    database: Database, shop: Account
) -> None:
    for _ in range(8):
        assert await ask(database, caller(shop, PAID)) == Admitted(is_counted=False)
    assert await used(database) == {}


async def test_what_is_undone_is_not_counted(database: Database, shop: Account) -> None:
    await undone(database, lambda conn: usage.admit_audit(conn, caller(shop), SITE, NOW))
    assert await used(database) == {}


@pytest.mark.parametrize("asked", [200, pytest.param(1_000, marks=pytest.mark.thorough)])
async def test_of_many_at_once_exactly_five_are_admitted(
    database: Database, shop: Account, asked: int
) -> None:
    """Forty at a time, however many: what comes after these finds the five admitted."""
    many = [database, Database.open(database.url)]
    places = asyncio.Semaphore(40)

    async def one(number: int) -> Admitted | Cooldown:
        async with places:
            return await ask(
                many[number % 2], caller(shop), NOW + number * dt.timedelta(microseconds=1)
            )

    found = await asyncio.gather(*(one(number) for number in range(asked)))
    await many[1].close()
    assert found.count(Admitted()) == 5
    assert await used(database) == {"2026-03": 5}


async def test_old_sites_are_forgotten(database: Database, shop: Account) -> None:
    await use_up(database, caller(shop))
    assert await done(database, lambda conn: usage.purge(conn, NOW)) == 0
    assert await done(database, lambda conn: usage.purge(conn, NOW + MINUTE)) == 5
    assert await read(
        database, lambda conn: usage.admit_audit(conn, caller(shop), "site1.example", NOW)
    )
    assert await used(database) == {"2026-03": 6}
