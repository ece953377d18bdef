"""Scans that come back."""

import datetime as dt
from dataclasses import replace

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.host.jobs.schedule import Scheduler, next_time
from mergegate.host.scan import State
from mergegate.host.store import schedules
from mergegate.host.store.schedules import Schedule
from tests.host.jobs.conftest import Host, eventually

MONDAY = dt.datetime(2026, 3, 2, 6, 30, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("30 6 * * 1", MONDAY + dt.timedelta(days=7)),
        ("* * * * *", MONDAY + dt.timedelta(minutes=1)),
        ("0 0 29 2 *", dt.datetime(2028, 2, 29, tzinfo=dt.UTC)),
        ("15,45 * * * *", MONDAY + dt.timedelta(minutes=15)),
    ],
)
def test_the_next_time_is_after_now(cron: str, expected: dt.datetime) -> None:
    assert next_time(cron, MONDAY) == expected


def test_times_are_in_utc_wherever_now_is_told() -> None:
    there = MONDAY.astimezone(dt.timezone(dt.timedelta(hours=9)))
    assert next_time("0 12 * * *", there) == MONDAY.replace(hour=12, minute=0)


@pytest.mark.parametrize(
    "cron", ["", "often", "* * * *", "* * * * * *", "61 * * * *", "0 0 30 2 *"]
)
def test_times_that_never_come_are_refused(cron: str) -> None:
    with pytest.raises(UsageError):
        next_time(cron, MONDAY)


def schedule(host: Host, id: str, cron: str) -> Schedule:
    due = dt.datetime.now(dt.UTC) - dt.timedelta(hours=5)
    what = (Tool.SECURITY_SCAN, Lane.LIGHT, f'{{"of":"{id}"}}', cron)
    return Schedule(id, host.account, *what, next_at=due, created_at=due)


@pytest.mark.anyio
async def test_what_is_due_is_submitted_once_by_three_workers(host: Host) -> None:
    for _ in range(3):
        host.start()
    async with host.database.change() as conn:
        await schedules.add(conn, schedule(host, "broken", "often"))
        await schedules.add(conn, schedule(host, "weekly", "30 6 * * 1"))

    async def done() -> bool:
        states = await host.run("SELECT state FROM scans")
        return [row.state for row in states] == [State.COMPLETED]

    await eventually(done)
    async with host.database.read() as conn:
        listed = await schedules.listed(conn, host.account)
    assert [one.id for one in listed if one.next_at > dt.datetime.now(dt.UTC)] == [
        one.id for one in listed
    ]
    assert len(host.journalled("end")) == 1


FAR = dt.timedelta(days=30_000)


async def next_times(host: Host) -> dict[str, dt.datetime]:
    async with host.database.read() as conn:
        return {one.id: one.next_at for one in await schedules.listed(conn, host.account)}


@pytest.mark.anyio
async def test_what_is_not_due_by_the_clock_of_the_database_is_left(host: Host) -> None:
    now = dt.datetime.now(dt.UTC)
    soon = replace(schedule(host, "weekly", "30 6 * * 1"), next_at=now + dt.timedelta(days=1))
    async with host.database.change() as conn:
        await schedules.add(conn, soon)
    await Scheduler(host.database).submit_due()
    assert await next_times(host) == {"weekly": soon.next_at}


@pytest.mark.anyio
async def test_what_a_wrong_clock_put_off_comes_back_to_its_time(host: Host) -> None:
    now = dt.datetime.now(dt.UTC)
    right, due = next_time("30 6 * * 1", now), now - dt.timedelta(hours=1)
    stand = {"put off": now + FAR, "right": right, "broken": now + FAR, "due": due}
    async with host.database.change() as conn:
        for id, next_at in stand.items():
            cron = "often" if id == "broken" else "30 6 * * 1"
            await schedules.add(conn, replace(schedule(host, id, cron), next_at=next_at))
    await Scheduler(host.database).bring_forward()
    assert await next_times(host) == stand | {"put off": right}
