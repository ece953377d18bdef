"""Which workers are taken for dead, and what is deleted by which clock."""

import datetime as dt
from contextlib import nullcontext

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane
from mergegate.host.jobs.execution import USUAL, Intervals
from mergegate.host.jobs.maintenance import Recovery, purge
from mergegate.host.jobs.worker import Worker
from mergegate.host.scan import Done, Outcome, Scan
from mergegate.host.store import leases, scans
from tests.host.jobs.conftest import Host, eventually

pytestmark = pytest.mark.anyio


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


@pytest.fixture
async def recovery(host: Host) -> Recovery:
    """Of the worker ``mine``; ``other`` has a scan in hand."""
    await host.submit()
    await host.claim("other")
    return Recovery(host.database, "mine", ttl_s=20, clock=now)


async def beat(host: Host, id: str) -> None:
    async with host.database.change() as conn:
        await leases.beat(conn, id)


async def beat_before(host: Host, id: str, seconds: float) -> None:
    """As if the worker had last been heard that long ago."""
    await beat(host, id)
    await host.run("UPDATE workers SET beat_at = beat_at - :s WHERE id = :id", s=seconds, id=id)


async def holders(host: Host) -> frozenset[str]:
    async with host.database.read() as conn:
        return await leases.holders(conn)


async def test_a_worker_that_is_silent_twice_is_dead(host: Host, recovery: Recovery) -> None:
    await beat(host, "mine")
    await recovery.run()
    assert await holders(host) == {"other"}
    await recovery.run()
    assert await holders(host) == frozenset()


@pytest.mark.parametrize(
    ("silence_s", "is_alive"),
    [(18, True), (22, False), (-18, True), (-22, False)],
    ids=["heard within it", "heard before it", "a little ahead", "far ahead"],
)
async def test_a_worker_lives_as_long_as_its_last_heartbeat_is_within_the_time_to_live(
    host: Host, recovery: Recovery, silence_s: float, is_alive: bool
) -> None:
    """A heartbeat lies ahead when the clock of the database was set back."""
    await beat(host, "mine")
    await beat_before(host, "other", silence_s)
    for _ in range(2):
        await recovery.run()
    assert await holders(host) == ({"other"} if is_alive else frozenset())


async def test_a_worker_heard_between_two_looks_is_counted_anew(
    host: Host, recovery: Recovery
) -> None:
    await beat(host, "mine")
    await recovery.run()
    await beat(host, "other")
    await recovery.run()
    await beat_before(host, "other", 22)
    await recovery.run()
    assert await holders(host) == {"other"}


async def test_a_worker_takes_others_for_dead_by_the_time_to_live_it_was_given(host: Host) -> None:
    """Not sooner and not later: one is silent for less than it, one for more."""
    intervals = Intervals(heartbeat_s=0.05, ttl_s=100)
    worker = Worker(host.database, unused, {Lane.BROWSER: 1}, intervals=intervals)
    await worker.start()
    for id, silence_s in (("late", 80), ("dead", 150)):
        await host.submit()
        await host.claim(id)
        await beat_before(host, id, silence_s)

    async def is_recovered() -> bool:
        return "dead" not in await holders(host)

    await eventually(is_recovered)
    assert await holders(host) == {"late"}
    await worker.stop(0)


async def unused(scan: Scan) -> Outcome:
    raise AssertionError(scan)


@pytest.mark.parametrize(("ttl_s", "refused"), [(9.9, True), (10, False)])
async def test_a_worker_must_live_for_two_heartbeats_at_least(
    host: Host, ttl_s: float, refused: bool
) -> None:
    intervals = Intervals(heartbeat_s=5, ttl_s=ttl_s)
    with pytest.raises(UsageError) if refused else nullcontext():
        Worker(host.database, unused, {Lane.LIGHT: 1}, intervals=intervals)


async def test_scans_of_a_dead_worker_wait_for_half_a_minute_at_most() -> None:
    """As the guide for operators says: the time to live and one look more."""
    assert USUAL.ttl_s == 20
    assert USUAL.ttl_s + 2 * USUAL.heartbeat_s <= 30


async def test_a_worker_that_is_not_heard_itself_calls_no_other_dead(
    host: Host, recovery: Recovery
) -> None:
    """A database that can be read and not written, as after a failover, hears nobody."""
    for _ in range(3):
        await recovery.run()
    await beat(host, "mine")
    await recovery.run()
    await beat(host, "other")
    await recovery.run()
    assert await holders(host) == {"other"}


async def test_what_is_old_is_deleted_by_the_clock_of_the_database(host: Host) -> None:
    """The outcome says that it is from the future."""
    id = await host.submit()
    async with host.database.change() as conn:
        await scans.settle(conn, id, Done("{}"), now())
    await purge(host.database, dt.timedelta(days=90))
    assert (await host.found(id)).outcome == Done("{}")
    await purge(host.database, -dt.timedelta(days=1))
    assert (await host.run("SELECT count(*) FROM scans")).scalar() == 0
