"""``mergegate scans`` on a host's database, with nobody who carries scans out."""

import asyncio
import datetime as dt
import json
from pathlib import Path

import pytest

from mergegate.core.errors import Failed, UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.host.scan import Done, Outcome
from mergegate.host.store import accounts, scans
from mergegate.host.store.database import Database
from mergegate.host.store.scans import Submission
from tests.host.commands.hosting import Host
from tests.host.store.conftest import begun

NOW = dt.datetime(2026, 3, 1, 9, 30, tzinfo=dt.UTC)
HOSTILE = "\x1b[2J::error::"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Four scans of two accounts: one that waits, one that runs, two that are over."""
    made = Host(tmp_path / "data")
    for name in ("shop", "other"):
        made.run("accounts", "create", name)
    asyncio.run(filled(f"sqlite:///{made.folder}/service.db"))
    return made


async def filled(url: str) -> None:
    database = Database.open(url)
    async with database.change() as conn:
        known = {one.name: one.id for one in await accounts.listed(conn)}
        for number, (id, owner) in enumerate(
            [("seo_wait", "shop"), ("seo_run", "shop"), ("seo_done", "shop"), ("chg_bad", "other")]
        ):
            tool, now = Tool(CHANGE if id == "chg_bad" else "seo"), NOW + dt.timedelta(0, number)
            what = (id, known[owner], tool, Lane.LIGHT, json.dumps({"body": HOSTILE}))
            await scans.submit(conn, Submission(*what, now), joinable=False)
        for id in ("seo_run", "seo_done", "chg_bad"):
            await begun(conn, id, "worker-1", NOW)
        for id, outcome in ENDS.items():
            await scans.settle(conn, id, outcome, NOW + dt.timedelta(minutes=1))
    await database.close()


CHANGE = "change"
ENDS: dict[str, Outcome] = {
    "seo_done": Done("{}"),
    "chg_bad": Failed("PUBLISHING_FAILED", f"The forge said no.{HOSTILE}"),
}


def ids(host: Host, *more: str) -> list[str]:
    found = json.loads(host.run("scans", "list", "--format", "json", *more)[0])
    return [one["id"] for one in found]


def test_scans_are_listed_newest_first_and_of_every_account(host: Host) -> None:
    assert ids(host) == ["chg_bad", "seo_done", "seo_run", "seo_wait"]
    lines = host.run("scans", "list")[0].splitlines()
    assert lines[1].split() == [
        *("chg_bad", "other", "change", "2026-03-01", "09:30", "failed", "(PUBLISHING_FAILED)")
    ]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (("--limit", "2"), ["chg_bad", "seo_done"]),
        (("--account", "other"), ["chg_bad"]),
        (("--state", "waiting"), ["seo_wait"]),
        (("--state", "running"), ["seo_run"]),
        (("--state", "completed"), ["seo_done"]),
        (("--state", "failed", "--account", "shop"), []),
    ],
)
def test_fewer_are_listed_where_that_is_asked_for(
    host: Host, more: tuple[str, ...], expected: list[str]
) -> None:
    assert ids(host, *more) == expected


def test_a_failed_scan_tells_why_and_nothing_raw(host: Host) -> None:
    text, _ = host.run("scans", "show", "chg_bad")
    assert "code: PUBLISHING_FAILED" in text
    assert "detail: The forge said no." in text
    assert "worker: worker-1" in text
    assert "\x1b" not in text
    told = json.loads(host.run("scans", "show", "chg_bad", "--format", "json")[0])
    assert (told["state"], told["tries"]) == ("failed", 1)
    assert told["completedAt"] == "2026-03-01T09:31:00.000Z"


@pytest.mark.parametrize("id", ["seo_wait", "seo_run"])
def test_a_scan_that_is_not_over_is_cancelled_once(host: Host, id: str) -> None:
    assert host.run("scans", "cancel", id)[0] == "The scan is cancelled.\n"
    told = json.loads(host.run("scans", "cancel", id, "--format", "json")[0])
    assert (told["state"], told["code"]) == ("failed", "CANCELLED")


def test_a_scan_that_is_over_stays_as_it_is(host: Host) -> None:
    assert host.run("scans", "cancel", "seo_done")[0] == "The scan was over: completed.\n"
    assert ids(host, "--state", "completed") == ["seo_done"]


@pytest.mark.parametrize("what", ["show", "cancel"])
def test_a_scan_that_is_none_is_said_so(host: Host, what: str) -> None:
    with pytest.raises(UsageError, match="no such scan"):
        host.run("scans", what, "seo_none\0")


def test_an_account_that_is_none_has_no_list(host: Host) -> None:
    with pytest.raises(UsageError, match="no account"):
        host.run("scans", "list", "--account", "nobody")
