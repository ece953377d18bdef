"""One scan from begin to outcome, without an engine around it."""

import asyncio
import datetime as dt

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import StoreError
from mergegate.core.plans import Tool
from mergegate.host.jobs import execution
from mergegate.host.jobs.cancellation import CANCELLED
from mergegate.host.jobs.execution import OUR_MISTAKE, TIMED_OUT, Executor, ScanRun, retrying
from mergegate.host.scan import Done, Outcome, Scan, State
from mergegate.host.store import scans
from mergegate.host.store.endings import Ended
from tests.host.jobs.conftest import Host

pytestmark = pytest.mark.anyio


def run_of(host: Host, scan: Scan, executor: Executor) -> ScanRun:
    return ScanRun(scan, host.database, executor, "w1", lambda: dt.datetime.now(dt.UTC))


async def done(_: Scan) -> Outcome:
    return Done("{}")


async def test_the_first_of_two_outcomes_counts(host: Host) -> None:
    id = await host.submit()

    async def overtaken(scan: Scan) -> Outcome:
        await run_of(host, scan, done).run(5)
        return Done('"late"')

    await run_of(host, await host.claim(), overtaken).run(5)
    assert (await host.found(id)).outcome == Done("{}")


async def test_what_the_database_does_not_take_is_a_mistake_of_ours(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = scans.settle

    async def refused(
        conn: AsyncConnection, id: str, outcome: Outcome, now: dt.datetime
    ) -> Ended | None:
        if outcome == Done("{}"):
            raise sa.exc.DataError("", None, ValueError())
        return await store(conn, id, outcome, now)

    id = await host.submit()
    monkeypatch.setattr(scans, "settle", refused)
    await run_of(host, await host.claim(), done).run(5)
    assert (await host.found(id)).outcome == OUR_MISTAKE


async def test_a_change_that_was_cancelled_too_late_owes_no_notice(host: Host) -> None:
    """Its executor has answered the forge."""
    id = await host.submit(tool=Tool.CHANGE)

    async def cancelled_meanwhile(scan: Scan) -> Outcome:
        assert await host.cancel(scan.id)
        return Done("{}")

    await run_of(host, await host.claim(), cancelled_meanwhile).run(5)
    assert (await host.found(id)).outcome == CANCELLED
    await host.released()


async def test_a_executor_that_gives_up_is_a_mistake_of_ours(host: Host) -> None:
    async def given_up(_: Scan) -> Outcome:
        raise asyncio.CancelledError

    id = await host.submit()
    await run_of(host, await host.claim(), given_up).run(5)
    assert (await host.found(id)).outcome == OUR_MISTAKE


async def test_a_result_after_the_limit_comes_too_late(host: Host) -> None:
    async def late(_: Scan) -> Outcome:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return Done('"late"')
        raise AssertionError("nobody sets it")

    id = await host.submit()
    await run_of(host, await host.claim(), late).run(0.1)
    assert (await host.found(id)).outcome == TIMED_OUT


async def test_a_executor_that_does_not_let_go_holds_up_no_outcome(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "_LETTING_GO_S", 0.1)
    released = asyncio.Event()

    async def stubborn(_: Scan) -> Outcome:
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        return Done("{}")

    id = await host.submit()
    await run_of(host, await host.claim(), stubborn).run(0.1)
    released.set()
    assert (await host.found(id)).outcome == TIMED_OUT


async def test_a_cancelled_run_ends_its_executor_and_settles_nothing(host: Host) -> None:
    ended = []

    async def endless(scan: Scan) -> Outcome:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(scan.id)
        raise AssertionError("nobody sets it")

    id = await host.submit()
    running = asyncio.create_task(run_of(host, await host.claim(), endless).run(5))
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert ended == [id]
    assert (await host.found(id)).state is State.RUNNING


async def test_patience_lasts_until_the_database_is_back() -> None:
    refusals = [StoreError("away"), StoreError("away")]

    async def attempt() -> str:
        if refusals:
            raise refusals.pop()
        return "there"

    assert await retrying("it is not there", attempt) == "there"
