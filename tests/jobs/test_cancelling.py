"""A scan that is called off, whoever carries it and whatever else happens to it."""

import asyncio
import datetime as dt

import pytest

from mergegate.jobs.cancelling import cancel
from mergegate.model.service.scan import Failed, State
from mergegate.store.service import scans
from tests.jobs.conftest import Host, eventually

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
