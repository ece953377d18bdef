"""A scan that is called off, whoever carries it and whatever else happens to it."""

import asyncio
import datetime as dt

import pytest

from mergegate.core.failure import Failed
from mergegate.core.tool import Tool
from mergegate.host.jobs.cancelling import cancel
from mergegate.host.scan import State
from mergegate.host.store import scans
from tests.host.jobs.conftest import Host, eventually

pytestmark = pytest.mark.anyio

CANCELLED = Failed("CANCELLED", "The scan was cancelled.")


async def called_off(host: Host, scan_id: str) -> bool:
    return await cancel(host.database, host.queue, scan_id, dt.datetime.now(dt.UTC))


async def test_a_scan_ends_at_once_and_the_worker_in_another_process_lets_go(host: Host) -> None:
    host.worker()
    id = await host.submit(end="hang")
    await host.begun(id)
    assert await called_off(host, id)
    assert (await host.found(id)).outcome == CANCELLED

    async def let_go() -> bool:
        return [line.what for line in host.journalled()] == ["begin", "cancelled"]

    await eventually(let_go)


async def test_a_waiting_scan_ends_without_any_worker_and_never_begins(host: Host) -> None:
    id = await host.submit()
    assert await called_off(host, id)
    assert (await host.found(id)).outcome == CANCELLED
    host.worker()
    await host.settled([await host.submit()])
    assert id not in {line.scan_id for line in host.journalled()}


async def test_the_forge_hears_of_a_change_that_ends_while_it_waits(host: Host) -> None:
    """Not of one that was told of again, nor of an order that nobody had begun."""
    waiting = await host.submit(tool=Tool.CHANGE, joinable=True)
    order = await host.submit(tool=Tool.CHANGE)
    older = await host.submit(tool=Tool.CHANGE, joinable=True, number=-1)
    assert [await called_off(host, id) for id in (waiting, order, older)] == [True] * 3
    newer = await host.submit(tool=Tool.CHANGE, joinable=True, number=-1)
    assert (await host.found(waiting)).outcome == CANCELLED
    host.worker()
    all_told = [await told(host, id) for id in (waiting, order, older, newer)]
    assert all_told == [["farewell"], [], [], ["begin", "end"]]
    assert (await host.found(waiting)).outcome == CANCELLED


async def test_who_carries_a_change_takes_leave_of_it_and_others_where_they_are_lost(
    host: Host,
) -> None:
    carrying = host.worker()
    carried = await host.submit(tool=Tool.CHANGE, end="hang")
    await host.begun(carried)
    assert await called_off(host, carried)
    assert await told(host, carried) == ["begin", "cancelled"]
    lost = await host.submit(tool=Tool.CHANGE, end="hang")
    await host.begun(lost)
    carrying.kill()
    carrying.wait()
    assert await called_off(host, lost)
    host.worker()
    assert await told(host, lost) == ["begin", "farewell"]


async def told(host: Host, id: str) -> list[str]:
    """What its carriers did, once the queue holds nothing of it."""
    flows = host.table("workflow_status")
    open_ = f"SELECT count(*) FROM {flows} WHERE status IN ('PENDING', 'ENQUEUED')"

    async def over() -> bool:
        return bool((await host.run(open_)).scalar_one() == 0)

    await eventually(over)
    return [line.what for line in host.journalled() if line.scan_id == id]


async def test_one_of_many_who_cancel_ends_it(host: Host) -> None:
    id = await host.submit()
    ended = await asyncio.gather(*(called_off(host, id) for _ in range(6)))
    assert sorted(ended) == [False] * 5 + [True]


async def test_scans_that_are_cancelled_while_they_begin_and_end_are_settled_once(
    host: Host,
) -> None:
    host.worker()
    ids = [await host.submit() for _ in range(10)]
    ended = [await called_off(host, id) for id in ids]
    await host.settled(ids)
    told = [(await host.found(id)).outcome == CANCELLED for id in ids]
    assert told == ended


async def test_a_settled_scan_stays_as_it_is(host: Host) -> None:
    host.worker()
    id = await host.submit()
    await host.settled([id])
    assert not await called_off(host, id)
    assert (await host.found(id)).state is State.COMPLETED


async def test_who_is_killed_in_the_middle_of_cancelling_leaves_it_to_the_workers(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> bool:
        raise SystemExit

    id = await host.submit()
    monkeypatch.setattr(scans, "settle", killed)
    with pytest.raises(SystemExit):
        await called_off(host, id)
    assert (await host.found(id)).state is State.RUNNING
    host.worker()
    await host.settled([id])
    assert (await host.found(id)).outcome == CANCELLED
