"""Which workers are taken for dead, and what is deleted by which clock."""

import datetime as dt

import pytest

from mergegate.host.jobs.maintenance import Recovery, purge
from mergegate.host.scan import Done
from mergegate.host.store import leases, scans, workers
from tests.host.jobs.conftest import Host

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
        await workers.beat(conn, id)


async def holders(host: Host) -> frozenset[str]:
    async with host.database.read() as conn:
        return await leases.holders(conn)


async def test_a_worker_that_is_silent_twice_is_dead(host: Host, recovery: Recovery) -> None:
    await beat(host, "mine")
    await recovery.run()
    assert await holders(host) == {"other"}
    await recovery.run()
    assert await holders(host) == frozenset()


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
