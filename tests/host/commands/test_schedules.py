import asyncio
import datetime as dt
import json
from pathlib import Path

import pytest

from mergegate.core.errors import Failed, UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.host.store import accounts, scans, schedules
from mergegate.host.store.database import Database
from mergegate.host.store.scans import Submission
from mergegate.host.store.schedules import Schedule
from tests.host.commands.hosting import Host

NOW = dt.datetime(2026, 3, 1, 9, 30, tzinfo=dt.UTC)
PAGE = '{"url": "https://example.org"}'


@pytest.fixture
def host(tmp_path: Path) -> Host:
    made = Host(tmp_path / "data")
    made.run("accounts", "create", "shop")
    return made


def add(host: Host, tool: str, request: str, cron: str = "0 3 * * *") -> str:
    arguments = ("schedules", "add", tool, request, "--cron", cron, "--account", "shop")
    return host.run(*arguments)[0].strip()


def kept(host: Host) -> list[Schedule]:
    async def look() -> list[Schedule]:
        database = Database.open(f"sqlite:///{host.folder}/service.db")
        async with database.read() as conn:
            owner = await accounts.named(conn, "shop")
            assert owner is not None
            found = await schedules.listed(conn, owner.id)
        await database.close()
        return list(found)

    return asyncio.run(look())


def test_a_schedule_is_kept_with_its_next_time(host: Host) -> None:
    id = add(host, "seo", PAGE)
    (one,) = kept(host)
    assert (one.id, one.tool, one.lane, one.cron) == (id, Tool.SEO, Lane.LIGHT, "0 3 * * *")
    assert one.request == '{"url":"https://example.org/"}'
    assert (one.next_at.hour, one.next_at.minute) == (3, 0)
    assert one.next_at > dt.datetime.now(dt.UTC) - dt.timedelta(minutes=1)


def test_schedules_are_listed_and_removed(host: Host) -> None:
    id = add(host, "seo", PAGE)
    heading, line = host.run("schedules", "list", "--account", "shop")[0].splitlines()
    assert heading.split() == ["Id", "Next", "Tool", "Times", "Request"]
    assert line.startswith(f"{id}  2")
    assert line.endswith('T03:00Z  seo   0 3 * * *  {"url":"https://example.org/"}')
    (plain,) = json.loads(host.run("schedules", "list", "--account", "shop", "--format", "json")[0])
    assert list(plain) == ["id", "tool", "cron", "nextAt", "createdAt", "request"]
    assert (plain["id"], plain["request"]) == (id, {"url": "https://example.org/"})
    host.run("schedules", "remove", id, "--account", "shop")
    with pytest.raises(UsageError, match="no such schedule"):
        host.run("schedules", "remove", id, "--account", "shop")
    assert kept(host) == []


@pytest.mark.parametrize("cron", ["", "* * * *", "61 3 * * *", "0 0 30 2 *", "* * * * * *"])
def test_times_that_never_come_are_refused(host: Host, cron: str) -> None:
    with pytest.raises(UsageError, match="times of the schedule"):
        add(host, "seo", PAGE, cron)
    assert kept(host) == []


def test_what_the_api_would_refuse_is_refused_before_it_is_due(host: Host) -> None:
    with pytest.raises(UsageError, match="loopback address"):
        add(host, "seo", '{"url": "http://127.0.0.1/"}')
    assert kept(host) == []


def test_the_newest_scans_are_told_with_what_became_of_them(host: Host) -> None:
    async def fill() -> None:
        database = Database.open(f"sqlite:///{host.folder}/service.db")
        async with database.change() as conn:
            owner = await accounts.named(conn, "shop")
            assert owner is not None
            given = Submission("seo_1", owner.id, Tool.SEO, Lane.LIGHT, "{}", NOW)
            await scans.submit(conn, given, joinable=True)
            await scans.settle(conn, "seo_1", Failed("SCAN_TIMEOUT", "It took too long."), NOW)
        await database.close()

    asyncio.run(fill())
    out = host.run("schedules", "results", "--account", "shop")[0]
    told = out.splitlines()[1].split(maxsplit=3)
    assert told == ["seo_1", "2026-03-01T09:30Z", "seo", "failed (SCAN_TIMEOUT)"]
    (plain,) = json.loads(
        host.run("schedules", "results", "--account", "shop", "--format", "json")[0]
    )
    assert (plain["state"], plain["code"]) == ("failed", "SCAN_TIMEOUT")
    assert plain["completedAt"] == "2026-03-01T09:30:00.000Z"
