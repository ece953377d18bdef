"""Accounts that rest or go while workers carry their scans."""

import asyncio
import datetime as dt

import pytest

from mergegate.core.failure import Failed
from mergegate.host.jobs import departure
from mergegate.host.scan import State
from mergegate.host.store import accounts, removal, scans
from tests.host.jobs.conftest import Host, eventually

pytestmark = pytest.mark.anyio
CANCELLED = Failed("CANCELLED", "The scan was cancelled.")


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


async def names(host: Host) -> list[str]:
    async with host.database.read() as conn:
        return [one.name for one in await accounts.listed(conn)]


async def test_all_that_a_suspended_account_has_going_ends_and_nobody_elses(host: Host) -> None:
    host.worker(lanes={"light": 2})
    other = await host.account_named("other")
    begun = await host.submit(end="hang")
    theirs = await host.submit(account=other, steps=8, step_s=0.2)
    await host.begun(begun, theirs)
    waiting = await host.submit()
    assert await departure.suspend(host.database, host.queue, host.account, now()) == 2
    assert [(await host.found(id)).outcome for id in (begun, waiting)] == [CANCELLED] * 2
    await host.settled([theirs])
    assert (await host.found(theirs, other)).state is State.COMPLETED
    assert await departure.suspend(host.database, host.queue, host.account, now()) == 0


async def test_an_account_goes_with_all_its_scans_while_a_worker_carries_one(host: Host) -> None:
    host.worker()
    other = await host.account_named("other")
    done, begun = await host.submit(), await host.submit(end="hang")
    await host.begun(done, begun)
    await host.settled([done])
    await departure.remove(host.database, host.queue, host.account, now())
    assert await names(host) == ["other"]
    assert (await host.run("SELECT count(*) FROM scans")).scalar_one() == 0

    async def let_go() -> bool:
        return ("cancelled", begun) in {(line.what, line.scan_id) for line in host.journalled()}

    await eventually(let_go)
    theirs = await host.submit(account=other)
    await host.settled([theirs])
    open_ = f"SELECT count(*) FROM {host.table('workflow_status')} WHERE status = 'PENDING'"

    async def nothing_held() -> bool:
        return bool((await host.run(open_)).scalar_one() == 0)

    await eventually(nothing_held)


async def test_a_removal_that_is_interrupted_goes_on_when_it_is_done_again(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> int:
        raise SystemExit

    for _ in range(3):
        await host.submit()
    monkeypatch.setattr(removal, "forget_scans", killed)
    with pytest.raises(SystemExit):
        await departure.remove(host.database, host.queue, host.account, now())
    async with host.database.read() as conn:
        (left,) = await accounts.listed(conn)
    assert left.suspended_at is not None
    monkeypatch.undo()
    await departure.remove(host.database, host.queue, host.account, now())
    assert await names(host) == []


async def test_of_removals_at_once_none_fails(host: Host) -> None:
    for _ in range(5):
        await host.submit()
    again = (departure.remove(host.database, host.queue, host.account, now()) for _ in range(4))
    await asyncio.gather(*again)
    assert await names(host) == []


async def test_a_scan_that_is_in_no_queue_keeps_no_account(host: Host) -> None:
    id = await host.submit()
    await host.run(f"DELETE FROM {host.table('workflow_status')}")
    await departure.remove(host.database, host.queue, host.account, now())
    async with host.database.read() as conn:
        assert await scans.find(conn, host.account, id) is None
    assert await names(host) == []
