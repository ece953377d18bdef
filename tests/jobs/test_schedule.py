"""Scans that come back."""

import datetime as dt

import pytest

from mergegate.errors import UsageError
from mergegate.jobs.schedule import next_time
from mergegate.model.service.scan import State
from mergegate.model.service.tool import Lane, Tool
from mergegate.store.service import schedules
from mergegate.store.service.schedules import Schedule
from tests.jobs.conftest import Host, eventually

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
