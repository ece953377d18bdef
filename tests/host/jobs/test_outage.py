"""The database goes away, or has no room."""

import asyncio
import datetime as dt
import shutil
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from mergegate.core.errors import StoreError
from mergegate.host.jobs import execution
from mergegate.host.jobs.execution import NO_ROOM, ScanRun
from mergegate.host.scan import Done, Outcome, Scan, State
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from tests.host.jobs.conftest import Host, eventually, hosting
from tests.postgres import Server, new_server

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Of these tests' own: they stop it."""
    made = new_server()
    made.start()
    yield made
    made.stop()
    shutil.rmtree(made.folder, ignore_errors=True)


@pytest.fixture
async def served(server: Server, tmp_path: Path) -> AsyncIterator[Host]:
    name = f"d{abs(hash(tmp_path))}"
    server.run(f"CREATE DATABASE {name}")
    migrate(server.url(name))
    database = Database.open(server.url(name))
    async with hosting(database, tmp_path) as made:
        yield made
    await database.close()


@pytest.mark.parametrize("how", [signal.SIGQUIT, signal.SIGINT], ids=["crash", "fast"])
async def test_scans_and_workers_outlive_a_restart(
    served: Host, server: Server, how: signal.Signals
) -> None:
    workers = [served.worker(), served.worker()]
    ids = [await served.submit(steps=4, step_s=0.3) for _ in range(10)]
    await served.begun(*ids[:8])
    server.stop(how)
    with pytest.raises(StoreError):
        await served.submit()
    await asyncio.sleep(2)  # longer than a worker lives unheard of
    server.start()
    await served.settled(ids)
    assert {(await served.found(id)).state for id in ids} == {State.COMPLETED}
    assert [worker.poll() for worker in workers] == [None, None]
    again = await served.submit()
    await served.settled([again])


async def test_a_worker_that_dies_in_an_outage_is_replaced_after_it(
    served: Host, server: Server
) -> None:
    first, _ = served.worker(), served.worker()
    ids = [await served.submit(steps=4, step_s=0.3) for _ in range(8)]
    await served.begun(*ids)
    server.stop()
    first.kill()
    await asyncio.sleep(1)
    server.start()
    await served.settled(ids)
    assert {(await served.found(id)).state for id in ids} == {State.COMPLETED}


async def test_what_could_only_be_read_for_a_while_is_written_again(
    served: Host, server: Server
) -> None:
    """As in a failover: sessions that began while nothing could be written would stay so."""
    name = str(served.database.address.url.database)
    worker = served.worker()
    end = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    )
    server.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    server.run(f"{end} AND pid <> pg_backend_pid()", name)
    with pytest.raises(StoreError, match="read-only"):
        await served.submit()
    may = "options=-c%20default_transaction_read_only%3Doff"
    writing = Database.open(f"{served.database.url}&{may}")
    first = await replace(served, database=writing).submit()
    await writing.close()

    async def felt() -> bool:
        return "cannot execute" in served.log()

    await eventually(felt)
    server.run(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await served.settled([first, await served.submit()])
    assert worker.poll() is None
    assert "Traceback" not in served.log()


@dataclass
class Disk:
    """As many pages as the database may have."""

    pages: int = 120

    def limit(self, connection: sqlite3.Connection, *_: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA max_page_count = {self.pages}")
        cursor.close()


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
async def tight(tmp_path: Path, disk: Disk) -> AsyncIterator[Host]:
    """A database with little room on its disk."""
    url = f"sqlite:///{tmp_path}/service.db"
    migrate(url)
    database = Database.open(url)
    sa.event.listen(database._changes.sync_engine, "checkout", disk.limit)
    async with hosting(database, tmp_path) as made:
        yield made
    await database.close()


async def test_what_does_not_fit_is_not_accepted_by_half(tight: Host) -> None:
    before = await tight.submit()
    with pytest.raises(StoreError, match="full") as refused:
        await tight.submit(padding="x" * 1_000_000)
    assert refused.value.remedy == "Free disk space."
    assert (await tight.run("SELECT count(*) FROM scans")).scalar() == 1
    assert (await tight.found(before)).state is State.RUNNING


async def test_a_result_that_does_not_fit_is_a_clear_failure(
    tight: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "_ROOM_WITHIN_S", 0.3)
    id = await tight.submit()
    await (await _run(tight)).run(5)
    assert (await tight.found(id)).outcome == NO_ROOM


async def test_a_result_waits_for_room_a_while(tight: Host, disk: Disk) -> None:
    id = await tight.submit()
    one = await _run(tight)
    running = asyncio.create_task(one.run(5))

    async def refused() -> bool:
        return one.is_executed and not running.done()

    await eventually(refused)
    await asyncio.sleep(0.1)
    disk.pages = 100_000
    await running
    assert (await tight.found(id)).outcome == Done("x" * 1_000_000)


async def _run(host: Host) -> ScanRun:
    """Of the one scan that waits."""

    async def execute(_: Scan) -> Outcome:
        return Done("x" * 1_000_000)

    clock = partial(dt.datetime.now, dt.UTC)
    return ScanRun(await host.claim(), host.database, execute, "w1", clock)
