"""One scan from begin to outcome, without an engine around it."""

import asyncio
import datetime as dt

import pytest

from mergegate.core.errors import StoreError
from mergegate.host.jobs import errand
from mergegate.host.jobs.errand import OUR_MISTAKE, TIMED_OUT, Errand, patiently
from mergegate.host.jobs.port import Carrier
from mergegate.host.scan import Done, Outcome, Scan, State
from tests.host.jobs.conftest import Host

pytestmark = pytest.mark.anyio


def errand_of(host: Host, carrier: Carrier) -> Errand:
    return Errand(host.database, carrier, "w1", lambda: dt.datetime.now(dt.UTC))


async def done(_: Scan) -> Outcome:
    return Done("{}")


async def test_a_settled_scan_is_not_carried_again(host: Host) -> None:
    id = await host.submit()
    await errand_of(host, done).run(id, 5)

    async def never(_: Scan) -> Outcome:
        raise AssertionError("it was carried")

    await errand_of(host, never).run(id, 5)
    assert (await host.found(id)).outcome == Done("{}")


async def test_the_first_of_two_outcomes_counts(host: Host) -> None:
    id = await host.submit()

    async def overtaken(_: Scan) -> Outcome:
        await errand_of(host, done).run(id, 5)
        return Done('"late"')

    await errand_of(host, overtaken).run(id, 5)
    assert (await host.found(id)).outcome == Done("{}")


async def test_a_carrier_that_gives_up_is_a_mistake_of_ours(host: Host) -> None:
    async def given_up(_: Scan) -> Outcome:
        raise asyncio.CancelledError

    id = await host.submit()
    await errand_of(host, given_up).run(id, 5)
    assert (await host.found(id)).outcome == OUR_MISTAKE


async def test_a_result_after_the_limit_comes_too_late(host: Host) -> None:
    async def late(_: Scan) -> Outcome:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return Done('"late"')
        raise AssertionError("nobody sets it")

    id = await host.submit()
    await errand_of(host, late).run(id, 0.1)
    assert (await host.found(id)).outcome == TIMED_OUT


async def test_a_carrier_that_does_not_let_go_holds_up_no_outcome(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errand, "_LETTING_GO_S", 0.1)
    released = asyncio.Event()

    async def stubborn(_: Scan) -> Outcome:
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue
        return Done("{}")

    id = await host.submit()
    await errand_of(host, stubborn).run(id, 0.1)
    released.set()
    assert (await host.found(id)).outcome == TIMED_OUT


async def test_a_cancelled_errand_ends_its_carrier_and_settles_nothing(host: Host) -> None:
    ended = []

    async def endless(scan: Scan) -> Outcome:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(scan.id)
        raise AssertionError("nobody sets it")

    id = await host.submit()
    running = asyncio.create_task(errand_of(host, endless).run(id, 5))
    while (await host.found(id)).tries == 0:
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

    assert await patiently("it is not there", attempt) == "there"
