"""What a worker does with scans, whatever happens to it."""

import asyncio
import json
import os
import signal
from collections import Counter

import pytest

from mergegate.core.errors import Failed, StoreError
from mergegate.core.plans import Lane
from mergegate.host.jobs.execution import Intervals
from mergegate.host.jobs.worker import Worker
from mergegate.host.scan import Done, Outcome, Priority, Scan, State
from tests.host.jobs.conftest import PATIENCE_S, Host, eventually
from tests.postgres import on_postgresql_daily

pytestmark = pytest.mark.anyio


async def test_a_scan_is_carried_and_settled(host: Host) -> None:
    host.worker()
    id = await host.submit(steps=1, step_s=0.05)
    await host.settled([id])
    scan = await host.found(id)
    assert scan.state is State.COMPLETED
    assert scan.tries == 1
    assert isinstance(scan.outcome, Done)
    assert json.loads(scan.outcome.result)["id"] == id


async def test_a_mistake_is_told_plainly_and_its_reason_stays_in_the_log(host: Host) -> None:
    host.worker()
    id = await host.submit(end="raise")
    await host.settled([id])
    outcome = (await host.found(id)).outcome
    assert isinstance(outcome, Failed)
    assert outcome.code == "INTERNAL"
    assert "secret" not in outcome.detail
    assert "RuntimeError: the secret reason" in host.log()


async def test_a_scan_over_its_time_ends_with_its_executor(host: Host) -> None:
    host.worker(limit_s=0.3)
    id = await host.submit(end="hang")
    await host.settled([id])
    assert (await host.found(id)).outcome == Failed(
        "SCAN_TIMEOUT", "The scan took longer than it may."
    )
    assert [line.what for line in host.journalled()] == ["begin", "cancelled"]


async def test_a_scan_that_is_cancelled_ends_with_its_executor(host: Host) -> None:
    host.worker()
    id = await host.submit(end="hang")
    await host.begun(id)
    await host.cancel(id)
    await host.settled([id])
    assert (await host.found(id)).outcome == Failed("CANCELLED", "The scan was cancelled.")

    async def let_go() -> bool:
        return [line.what for line in host.journalled()] == ["begin", "cancelled"]

    await eventually(let_go)


async def test_a_waiting_scan_that_is_cancelled_never_begins(host: Host) -> None:
    id = await host.submit()
    await host.cancel(id)
    host.worker()
    await host.settled([id])
    assert (await host.found(id)).outcome == Failed("CANCELLED", "The scan was cancelled.")
    assert host.journalled() == []


async def test_a_settled_scan_cannot_be_cancelled(host: Host) -> None:
    host.worker()
    id = await host.submit()
    await host.settled([id])
    await host.cancel(id)
    assert (await host.found(id)).state is State.COMPLETED


async def test_what_a_killed_worker_held_is_done_by_another(host: Host) -> None:
    first, _ = host.worker(), host.worker()
    ids = [await host.submit(steps=4, step_s=0.3) for _ in range(8)]
    await host.begun(*ids)
    first.kill()
    await host.settled(ids)
    ends = Counter(line.scan_id for line in host.journalled("end"))
    assert ends == Counter(ids)
    assert {(await host.found(id)).state for id in ids} == {State.COMPLETED}
    assert max([(await host.found(id)).tries for id in ids]) == 2


async def test_a_worker_that_starts_again_finishes_what_it_held(host: Host) -> None:
    first = host.worker()
    id = await host.submit(steps=2, step_s=0.3)
    await host.begun(id)
    first.kill()
    first.wait()
    host.worker()
    await host.settled([id])
    assert (await host.found(id)).tries == 2


@on_postgresql_daily
async def test_a_frozen_worker_doubles_nothing_when_it_wakes(host: Host) -> None:
    frozen = host.worker()
    id = await host.submit(steps=12, step_s=0.3)
    await host.begun(id)
    await freeze(host, frozen.pid)
    awake = host.worker()

    async def taken_over() -> bool:
        return any(line.process == awake.pid for line in host.journalled("begin"))

    await eventually(taken_over)
    os.kill(frozen.pid, signal.SIGCONT)
    await host.settled([id])
    journal = [(line.what, line.process) for line in host.journalled()]
    assert journal.count(("cancelled", frozen.pid)) == 1
    assert [process for what, process in journal if what == "end"] == [awake.pid]


async def freeze(host: Host, pid: int) -> None:
    """At a moment when it does not change anything: SQLite's other users would freeze along."""
    while True:
        os.kill(pid, signal.SIGSTOP)
        try:
            async with host.database.change():
                return
        except StoreError:
            os.kill(pid, signal.SIGCONT)


@on_postgresql_daily
async def test_a_scan_that_kills_its_workers_is_given_up(host: Host) -> None:
    id = await host.submit(end="kill")
    for _ in range(3):
        host.worker().wait()
    host.worker()
    await host.settled([id])
    outcome = (await host.found(id)).outcome
    assert isinstance(outcome, Failed)
    assert outcome.code == "WORKER_LOST"
    assert len(host.journalled("begin")) == 3


async def test_a_worker_that_leaves_in_order_lets_scans_end(host: Host) -> None:
    leaving = host.worker()
    id = await host.submit(steps=3, step_s=0.2)
    await host.begun(id)
    leaving.terminate()
    assert leaving.wait() == 0
    scan = await host.found(id)
    assert scan.state is State.COMPLETED
    assert scan.tries == 1


@on_postgresql_daily
async def test_what_outlasts_the_grace_is_handed_over_at_no_cost(host: Host) -> None:
    id = await host.submit(steps=1, step_s=2.0)
    for turn in range(3):  # as often as a scan may be lost
        leaving = host.worker(grace_s=0.1)

        async def begun(turn: int = turn) -> bool:
            return len(host.journalled("begin")) > turn

        await eventually(begun)
        leaving.terminate()
        assert leaving.wait() == 0
    host.worker()
    await host.settled([id])
    assert (await host.found(id)).state is State.COMPLETED
    assert len(host.journalled("cancelled")) == 3


async def test_a_leaving_worker_takes_up_nothing(host: Host) -> None:
    leaving = host.worker(lanes={"light": 1}, grace_s=30)
    first = await host.submit(steps=2, step_s=0.3)
    second = await host.submit()
    await host.begun(first)
    leaving.terminate()
    assert leaving.wait() == 0
    assert (await host.found(first)).state is State.COMPLETED
    assert (await host.found(second)).state is State.RUNNING


async def test_accounts_take_turns(host: Host) -> None:
    other = await host.account_named("other")
    many = [await host.submit(steps=1, step_s=0.1) for _ in range(30)]
    few = [await host.submit(steps=1, step_s=0.1, account=other) for _ in range(3)]
    host.worker(lanes={"light": 2})
    await host.settled(few)
    assert (await host.found(many[-1])).state is State.RUNNING


async def test_an_account_alone_gets_every_slot(host: Host) -> None:
    host.worker(lanes={"light": 3})
    ids = [await host.submit(end="hang") for _ in range(3)]
    await host.begun(*ids)


async def test_what_is_urgent_comes_first(host: Host) -> None:
    later = [await host.submit(priority=Priority.LATER) for _ in range(3)]
    normal = [await host.submit() for _ in range(3)]
    soon = [await host.submit(priority=Priority.SOON) for _ in range(3)]
    host.worker(lanes={"light": 1})
    await host.settled(later)
    order = [line.scan_id for line in host.journalled("begin")]
    assert order == [*soon, *normal, *later]


async def test_a_full_lane_holds_up_no_other(host: Host) -> None:
    host.worker(lanes={"light": 1, "waited": 1})
    busy = await host.submit(end="hang")
    await host.begun(busy)
    await host.submit()
    waited = await host.submit(lane=Lane.WAITED)
    await host.settled([waited])


async def test_a_lane_without_slots_is_left_to_others(host: Host) -> None:
    host.worker(lanes={"light": 1, "browser": 0})
    browser, light = await host.submit(lane=Lane.BROWSER), await host.submit()
    await host.settled([light])
    assert (await host.found(browser)).state is State.RUNNING
    host.worker(lanes={"browser": 1})
    await host.settled([browser])


async def test_workers_side_by_side_have_slots_of_their_own(host: Host) -> None:
    small, large = host.worker(lanes={"light": 1}), host.worker(lanes={"light": 3})
    ids = [await host.submit(end="hang") for _ in range(8)]

    async def full() -> bool:
        return len(host.journalled("begin")) == 4

    await eventually(full)
    await asyncio.sleep(0.5)  # five looks for work later
    held = Counter(line.process for line in host.journalled("begin"))
    assert held == {small.pid: 1, large.pid: 3}
    assert len(ids) == 8


async def test_a_claim_that_nobody_heard_of_is_taken_up_again(host: Host) -> None:
    """Its commit may have come through though the worker was told that the database is away."""
    name = host.ready(host.start())
    id = await host.submit(lane=Lane.BROWSER)
    await host.run("UPDATE scans SET worker = :name, tries = 1", name=name)
    host.worker(lanes={"browser": 1})
    await host.settled([id])


async def test_what_waited_in_the_queue_of_an_earlier_release_is_carried(host: Host) -> None:
    """Such a row names its last worker, which may have handed it back to that queue."""
    waiting, begun = await host.submit(), await host.submit()
    gone = "UPDATE scans SET worker = 'gone-1-0', tries = 3, started_at = created_at WHERE id = :id"
    await host.run(gone, id=begun)
    host.worker()
    host.worker()
    await host.settled([waiting, begun])
    assert {(await host.found(id)).state for id in (waiting, begun)} == {State.COMPLETED}


async def test_a_scan_of_the_same_process_wakes_the_worker_and_so_does_a_free_slot(
    host: Host,
) -> None:
    wake, carried = asyncio.Event(), asyncio.Queue[str]()

    async def executor(scan: Scan) -> Outcome:
        await carried.put(scan.id)
        return Done("{}")

    rarely = Intervals(poll_s=600.0)
    worker = Worker(host.database, executor, {Lane.LIGHT: 1}, intervals=rarely, wake=wake)
    await worker.start()
    await asyncio.sleep(0.5)  # its first look found nothing
    ids = {await host.submit(), await host.submit()}
    wake.set()
    assert {await asyncio.wait_for(carried.get(), PATIENCE_S) for _ in ids} == ids
    await worker.stop(5.0)
