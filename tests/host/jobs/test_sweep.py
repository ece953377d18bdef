"""Whom a sweep takes for dead."""

import datetime as dt
from collections.abc import Iterable

import pytest

from mergegate.host.jobs.engine import Engine
from mergegate.host.jobs.means import Means
from mergegate.host.jobs.port import LIMITS_S
from mergegate.host.jobs.sweep import Sweep
from mergegate.host.store import workers
from tests.host.jobs.conftest import Host

pytestmark = pytest.mark.anyio


class Taken(Engine):
    """Notes whose scans are taken back, and does nothing."""

    def __init__(self) -> None:
        self.workers: list[str] = []

    async def take_back(self, workers: Iterable[str]) -> None:
        self.workers += workers

    async def take_up_again(self, scan_ids: Iterable[str]) -> None:
        assert not list(scan_ids)

    def holds(self) -> frozenset[str]:
        return frozenset()


@pytest.fixture
def engine() -> Taken:
    return Taken()


@pytest.fixture
async def sweep(host: Host, engine: Taken) -> Sweep:
    """Of the worker ``mine``; a scan is held by ``other``."""
    await host.submit()
    held = f"UPDATE {host.table('workflow_status')} SET status = 'PENDING', executor_id = 'other'"
    await host.run(held)
    means = Means(host.database, host.queue, LIMITS_S, lambda: dt.datetime.now(dt.UTC))
    return Sweep(means, engine, "mine", ttl_s=20)


async def beat(host: Host, id: str) -> None:
    async with host.database.change() as conn:
        await workers.beat(conn, id)


async def test_who_is_silent_twice_is_dead(host: Host, sweep: Sweep, engine: Taken) -> None:
    await beat(host, "mine")
    await sweep.once()
    assert engine.workers == []
    await sweep.once()
    assert engine.workers == ["other"]


async def test_who_is_not_heard_itself_calls_nobody_dead(
    host: Host, sweep: Sweep, engine: Taken
) -> None:
    """A database that can be read and not written, as after a failover, hears nobody."""
    for _ in range(3):
        await sweep.once()
    await beat(host, "mine")
    await sweep.once()
    await beat(host, "other")
    await sweep.once()
    assert engine.workers == []
