"""Whichever way a scan ends, it is counted once, and an audit that failed is given back."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import Failed
from mergegate.core.plans import Lane, Tool
from mergegate.host.account import FREE, Account, Caller
from mergegate.host.scan import Done, Outcome, Priority
from mergegate.host.store import accounts, endings, leases, scans, usage
from mergegate.host.store.database import Database
from mergegate.host.store.endings import COMPLETED, OTHER, Outcomes
from mergegate.host.store.scans import Submission
from mergegate.host.store.tables import audited_sites
from mergegate.host.store.usage import Admitted, AuditsLeft, Cooldown
from tests.host.store.conftest import NOW, begun, done, read

pytestmark = pytest.mark.anyio
SECOND, DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)
REVOKED = Failed("PROVIDER_TOKEN_REVOKED", "The provider does not know the token.")
CANCELLED = Failed("CANCELLED", "It was cancelled.")
UNREACHABLE = Failed("TARGET_UNREACHABLE", "The page does not answer.")


def asked(id: str, owner: Account, **more: Any) -> Submission:
    what = (Tool.REPOSITORY, Lane.REPOSITORY, f'{{"repo":"{id}"}}', NOW)
    return Submission(id, owner.id, *what, **more)


async def settle(database: Database, id: str, outcome: Outcome) -> None:
    await done(database, lambda conn: scans.settle(conn, id, outcome, NOW))


async def running(database: Database, given: Submission, since: dt.datetime = NOW) -> None:
    async with database.change() as conn:
        await scans.submit(conn, given, joinable=True)
        await begun(conn, given.id, "w1", since)


async def counted(database: Database) -> Sequence[Outcomes]:
    return await read(database, endings.counted)


Ending = Callable[[AsyncConnection, Account], Awaitable[object]]
WAYS: dict[str, Ending] = {
    "settled": lambda conn, _: scans.settle(conn, "rs_1", REVOKED, NOW),
    "cancelled": lambda conn, _: leases.cancel(conn, "rs_1", REVOKED, NOW),
    "suspended": lambda conn, shop: leases.cancel_all(conn, shop.id, REVOKED, NOW, notify=True),
    "lost": lambda conn, _: leases.reclaim(conn, ["w1"], 1, REVOKED, NOW),
    "superseded": lambda conn, shop: scans.supersede(conn, asked("rs_1", shop), REVOKED),
}


@pytest.mark.parametrize("way", WAYS)
async def test_each_way_to_end_is_counted_once(database: Database, shop: Account, way: str) -> None:
    await running(database, asked("rs_1", shop), NOW - 7 * SECOND)
    for _ in range(2):
        await done(database, lambda conn: WAYS[way](conn, shop))
    assert await counted(database) == [
        Outcomes(Tool.REPOSITORY, REVOKED.code, False, {10: 1}, count=1, seconds=7.0)
    ]


async def test_what_is_counted_stays_when_scans_and_accounts_go(
    database: Database, shop: Account
) -> None:
    await running(database, asked("rs_1", shop))
    await done(database, lambda conn: scans.settle(conn, "rs_1", Done("{}"), NOW))
    before = await counted(database)
    await done(database, lambda conn: scans.purge(conn, NOW + DAY))
    await done(database, lambda conn: accounts.forget(conn, shop.id))
    assert await counted(database) == before != []


@pytest.mark.parametrize(
    ("outcome", "code"),
    [(Done("{}"), COMPLETED), (REVOKED, REVOKED.code), (Failed("EVIL_1", "It says so."), OTHER)],
)
async def test_whatever_a_child_calls_it_few_codes_are_counted(
    database: Database, shop: Account, outcome: Outcome, code: str
) -> None:
    await running(database, asked("rs_1", shop))
    await done(database, lambda conn: scans.settle(conn, "rs_1", outcome, NOW))
    assert [one.code for one in await counted(database)] == [code]


async def test_durations_are_told_apart_and_those_of_schedules(
    database: Database, shop: Account
) -> None:
    lasted = (0.5, 1, 1.5, 901, -3)
    for number, seconds in enumerate(lasted):
        await running(database, asked(f"rs_{number}", shop), NOW - seconds * SECOND)
    by_itself = asked("rs_s", shop, priority=Priority.LATER)
    await done(database, lambda conn: scans.submit(conn, by_itself, joinable=True))
    await done(database, lambda conn: leases.cancel_all(conn, shop.id, REVOKED, NOW, notify=False))
    of_callers, of_schedules = await counted(database)
    assert (of_callers.count, of_callers.within) == (5, {1: 3, 2: 1})
    assert of_callers.seconds == pytest.approx(0.5 + 1 + 1.5 + 901)
    assert of_schedules == Outcomes(Tool.REPOSITORY, REVOKED.code, True, {1: 1}, 1, 0.0)


async def test_many_that_end_at_once_are_all_counted(database: Database, shop: Account) -> None:
    for number in range(20):
        await running(database, asked(f"rs_{number}", shop), NOW - number * SECOND)
    other = Database.open(database.url)
    both = [database, other]

    async def ended(number: int) -> None:
        id, now = f"rs_{number}", NOW + number % 3 * SECOND
        await done(both[number % 2], lambda conn: scans.settle(conn, id, REVOKED, now))

    async def all_ended() -> None:
        async with other.change() as conn:
            await leases.cancel_all(conn, shop.id, REVOKED, NOW, notify=False)

    await asyncio.gather(*(ended(number) for number in range(20)), all_ended())
    await other.close()
    assert sum(one.count for one in await counted(database)) == 20


def caller(owner: Account) -> Caller:
    return Caller("key_1", owner.id, frozenset(), FREE)


async def audit(
    database: Database, owner: Account, id: str, now: dt.datetime = NOW, site: str = "a.example"
) -> bool:
    """Whether it was accepted, as the API accepts it."""
    async with database.change() as conn:
        found = await usage.admit_audit(conn, caller(owner), site, now)
        if isinstance(found, Cooldown):
            return False
        what = (Tool.AUDIT, Lane.WAITED, f'{{"url":"{id}"}}', now)
        counts = site if found.is_counted else None
        given = Submission(id, owner.id, *what, audited_site=counts)
        await scans.submit(conn, given, joinable=False)
    return True


async def left(database: Database, owner: Account, now: dt.datetime = NOW) -> int:
    found = await read(database, lambda conn: usage.audits_left(conn, caller(owner), now))
    assert found is not None
    return found.left


@pytest.mark.parametrize(("outcome", "remain"), [(Done("{}"), 4), (UNREACHABLE, 5), (CANCELLED, 4)])
async def test_an_audit_that_failed_uses_up_nothing(
    database: Database, shop: Account, outcome: Outcome, remain: int
) -> None:
    await audit(database, shop, "aud_1")
    assert await left(database, shop) == 4
    for _ in range(2):
        await done(database, lambda conn: scans.settle(conn, "aud_1", outcome, NOW + DAY))
    assert await left(database, shop) == remain


async def test_it_is_given_back_to_the_month_that_it_was_taken_from(
    database: Database, shop: Account
) -> None:
    april = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
    assert await audit(database, shop, "aud_1", april - SECOND)
    assert await audit(database, shop, "aud_2", april)
    await done(database, lambda conn: scans.settle(conn, "aud_1", UNREACHABLE, april + SECOND))
    assert (await left(database, shop), await left(database, shop, april)) == (5, 4)


async def test_who_was_not_answered_need_not_wait_and_who_was_does(
    database: Database, shop: Account
) -> None:
    """The last audit of a site that did not fail is what the cooldown counts from."""
    for number in range(5):
        assert await audit(database, shop, f"aud_{number}", NOW + number * SECOND)
    assert not await audit(database, shop, "aud_x", NOW + 9 * SECOND)
    await done(database, lambda conn: scans.settle(conn, "aud_4", UNREACHABLE, NOW + 9 * SECOND))
    last = sa.select(audited_sites.c.audited_at)
    assert await read(database, lambda conn: conn.scalar(last)) == NOW + 3 * SECOND
    assert await audit(database, shop, "aud_5", NOW + 10 * SECOND)
    assert not await audit(database, shop, "aud_6", NOW + 11 * SECOND)
    assert await audit(database, shop, "aud_b", NOW + 11 * SECOND, "b.example")
    await done(database, lambda conn: scans.settle(conn, "aud_b", UNREACHABLE, NOW + 12 * SECOND))
    assert await audit(database, shop, "aud_c", NOW + 13 * SECOND, "b.example")


async def test_of_many_at_once_of_which_some_fail_exactly_five_are_answered(
    database: Database, shop: Account
) -> None:
    """However often one asks again: what is under way counts as if it were to be answered."""
    answered = 0
    for turn in range(4):
        ids = [f"aud_{turn}_{number}" for number in range(20)]
        found = await asyncio.gather(*(audit(database, shop, id) for id in ids))
        under_way = [id for id, accepted in zip(ids, found, strict=True) if accepted]
        for number, id in enumerate(under_way):
            fails = turn < 3 and number % 2 == 0
            outcome: Outcome = UNREACHABLE if fails else Done("{}")
            await settle(database, id, outcome)
            answered += not fails
    assert (answered, await left(database, shop)) == (5, 0)


async def test_a_plan_tells_what_it_leaves_and_for_how_long(
    database: Database, shop: Account
) -> None:
    end = dt.datetime(2026, 12, 31, 23, 59, 30, tzinfo=dt.UTC)
    assert await usage_of(database, shop, end) == AuditsLeft(5, 5, 30)
    assert (
        await done(database, lambda conn: usage.admit_audit(conn, caller(shop), "a.example", end))
        == Admitted()
    )
    assert await usage_of(database, shop, end) == AuditsLeft(5, 4, 30)


async def usage_of(database: Database, owner: Account, now: dt.datetime) -> AuditsLeft | None:
    return await read(database, lambda conn: usage.audits_left(conn, caller(owner), now))
