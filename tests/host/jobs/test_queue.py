"""What the submitting end puts into the database."""

import asyncio
import datetime as dt
import json

import pytest

from mergegate.core.errors import StoreError, UsageError
from mergegate.core.tool import Lane, Tool
from mergegate.host.jobs.migrate import migrate
from mergegate.host.jobs.queue import open_queue
from mergegate.host.scan import Scan, State
from mergegate.host.store.database import Database
from tests.host.jobs.conftest import Host

pytestmark = pytest.mark.anyio


async def test_nothing_is_enqueued_when_the_transaction_is_undone(host: Host) -> None:
    what = (host.account, Tool.AUDIT, Lane.WAITED, "{}", State.RUNNING, dt.datetime.now(dt.UTC))

    async def undone() -> None:
        async with host.database.change() as conn:
            await conn.run_sync(host.queue.enqueue, Scan("aud_1", *what), 5.0)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await undone()
    assert (await host.run(f"SELECT count(*) FROM {host.table('workflow_status')}")).scalar() == 0


async def test_a_scan_that_is_enqueued_twice_is_there_once(host: Host) -> None:
    id = await host.submit()
    scan = await host.found(id)
    async with host.database.change() as conn:
        await conn.run_sync(host.queue.enqueue, scan, 20.0)
    assert (await host.run(f"SELECT count(*) FROM {host.table('workflow_status')}")).scalar() == 1


async def test_what_is_kept_for_workers_is_json(host: Host) -> None:
    id = await host.submit(timeout_s=20)
    row = (await host.run(f"SELECT inputs FROM {host.table('workflow_input')}")).one()
    assert json.loads(row.inputs)["positionalArgs"] == [id, 20]
    row = (await host.run(f"SELECT * FROM {host.table('workflow_status')}")).one()
    assert (row.workflow_uuid, row.queue_partition_key) == (id, host.account)
    assert (row.serialization, row.workflow_timeout_ms) == ("portable_json", None)


async def test_cancelling_what_is_not_there_changes_nothing(host: Host) -> None:
    await host.queue.cancel("sec_unknown")


async def test_a_queue_out_of_reach_is_told_when_it_is_asked() -> None:
    queue = open_queue("postgresql://nobody@/none?host=/nonexistent")
    with pytest.raises(StoreError, match="database"):
        await queue.cancel("sec_1")
    queue.close()


def test_a_url_of_another_kind_is_refused() -> None:
    with pytest.raises(UsageError):
        open_queue("mysql://host/name")


async def test_tables_are_made_once_however_many_ask(database: Database) -> None:
    await asyncio.gather(*(asyncio.to_thread(migrate, database.url) for _ in range(6)))
