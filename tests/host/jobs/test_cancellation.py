"""A scan that is called off, whoever carries it and whatever else happens to it."""

import asyncio
import datetime as dt

import pytest

from mergegate.core.plans import Tool
from mergegate.host.jobs.cancellation import CANCELLED, remove_account, suspend_account
from mergegate.host.scan import State
from mergegate.host.store import accounts
from tests.host.jobs.conftest import Host, eventually

pytestmark = pytest.mark.anyio


async def test_a_scan_ends_at_once_and_the_worker_in_another_process_lets_go(host: Host) -> None:
    host.worker()
    id = await host.submit(end="hang")
    await host.begun(id)
    assert await host.cancel(id)
    assert (await host.found(id)).outcome == CANCELLED

    async def let_go() -> bool:
        return [line.what for line in host.journalled()] == ["begin", "cancelled"]

    await eventually(let_go)


async def test_a_waiting_scan_ends_without_any_worker_and_never_begins(host: Host) -> None:
    id = await host.submit()
    assert await host.cancel(id)
    assert (await host.found(id)).outcome == CANCELLED
    host.worker()
    await host.settled([await host.submit()])
    assert id not in {line.scan_id for line in host.journalled()}


async def test_the_forge_hears_of_a_change_that_ends_while_it_waits(host: Host) -> None:
    """Not of one that was told of again, nor of an order that nobody had begun."""
    waiting = await host.submit(tool=Tool.CHANGE, joinable=True)
    order = await host.submit(tool=Tool.CHANGE)
    older = await host.submit(tool=Tool.CHANGE, joinable=True, number=-1)
    assert [await host.cancel(id) for id in (waiting, order, older)] == [True] * 3
    newer = await host.submit(tool=Tool.CHANGE, joinable=True, number=-1)
    assert (await host.found(waiting)).outcome == CANCELLED
    host.worker()
    all_told = [await told(host, id) for id in (waiting, order, older, newer)]
    assert all_told == [["notice"], [], [], ["begin", "end"]]
    assert (await host.found(waiting)).outcome == CANCELLED


async def test_who_carries_a_change_tells_its_forge_and_others_where_they_are_lost(
    host: Host,
) -> None:
    carrying = host.worker()
    carried = await host.submit(tool=Tool.CHANGE, end="hang")
    await host.begun(carried)
    assert await host.cancel(carried)
    assert await told(host, carried) == ["begin", "cancelled"]
    lost = await host.submit(tool=Tool.CHANGE, end="hang")
    await host.begun(lost)
    carrying.kill()
    carrying.wait()
    assert await host.cancel(lost)
    host.worker()
    assert await told(host, lost) == ["begin", "notice"]


async def told(host: Host, id: str) -> list[str]:
    """What its executors did, once no worker has anything to do any more."""
    await host.released()
    return [line.what for line in host.journalled() if line.scan_id == id]


async def test_one_of_many_who_cancel_ends_it(host: Host) -> None:
    id = await host.submit()
    ended = await asyncio.gather(*(host.cancel(id) for _ in range(6)))
    assert sorted(ended) == [False] * 5 + [True]


async def test_scans_that_are_cancelled_while_they_begin_and_end_are_settled_once(
    host: Host,
) -> None:
    host.worker()
    ids = [await host.submit() for _ in range(10)]
    ended = [await host.cancel(id) for id in ids]
    await host.settled(ids)
    told = [(await host.found(id)).outcome == CANCELLED for id in ids]
    assert told == ended


async def test_a_settled_scan_stays_as_it_is(host: Host) -> None:
    host.worker()
    id = await host.submit()
    await host.settled([id])
    assert not await host.cancel(id)
    assert (await host.found(id)).state is State.COMPLETED


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
    assert await suspend_account(host.database, host.account, now()) == 2
    assert [(await host.found(id)).outcome for id in (begun, waiting)] == [CANCELLED] * 2
    await host.settled([theirs])
    assert (await host.found(theirs, other)).state is State.COMPLETED
    assert await suspend_account(host.database, host.account, now()) == 0


async def test_an_account_goes_with_all_its_scans_while_a_worker_carries_one(host: Host) -> None:
    host.worker()
    other = await host.account_named("other")
    done, begun = await host.submit(), await host.submit(end="hang")
    await host.begun(done, begun)
    await host.settled([done])
    await remove_account(host.database, host.account, now())
    assert await names(host) == ["other"]
    assert (await host.run("SELECT count(*) FROM scans")).scalar_one() == 0

    async def let_go() -> bool:
        return ("cancelled", begun) in {(line.what, line.scan_id) for line in host.journalled()}

    await eventually(let_go)
    theirs = await host.submit(account=other)
    await host.settled([theirs])
    await host.released()


async def test_a_removal_that_is_interrupted_goes_on_when_it_is_done_again(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> int:
        raise SystemExit

    for _ in range(3):
        await host.submit()
    monkeypatch.setattr(accounts, "forget_scans", killed)
    with pytest.raises(SystemExit):
        await remove_account(host.database, host.account, now())
    async with host.database.read() as conn:
        (left,) = await accounts.listed(conn)
    assert left.suspended_at is not None
    monkeypatch.undo()
    await remove_account(host.database, host.account, now())
    assert await names(host) == []


async def test_of_removals_at_once_none_fails(host: Host) -> None:
    for _ in range(5):
        await host.submit()
    again = (remove_account(host.database, host.account, now()) for _ in range(4))
    await asyncio.gather(*again)
    assert await names(host) == []
