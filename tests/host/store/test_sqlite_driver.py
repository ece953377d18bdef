import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mergegate.host.account import FREE
from mergegate.host.store import accounts
from mergegate.host.store.database import Database
from mergegate.host.store.sqlite_driver import Connection, connect
from tests.host.store.conftest import NOW, done, read
from tests.postgres import migrated_file

pytestmark = pytest.mark.anyio


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "service.db").write_bytes(migrated_file())
    return tmp_path / "service.db"


@pytest.fixture
async def embedded(file: Path) -> AsyncIterator[Database]:
    opened = Database.open(f"sqlite:///{file}")
    yield opened
    await opened.close()


@pytest.fixture
def foreign(file: Path) -> Iterator[sqlite3.Connection]:
    """Another process's connection, in the middle of a change."""
    held = sqlite3.connect(file, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    yield held
    held.close()


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncIterator[Connection]:
    with ThreadPoolExecutor(1) as thread:
        opened = await connect(str(tmp_path / "other.db"), 0.05, thread)
        yield opened
        await opened.close()


async def test_waiting_for_another_process_holds_nobody_else_up(
    embedded: Database, foreign: sqlite3.Connection
) -> None:
    change = asyncio.create_task(
        done(embedded, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    )
    for _ in range(5):
        assert await read(embedded, accounts.listed) == []
        await asyncio.sleep(0.002)
    assert not change.done()
    foreign.execute("COMMIT")
    assert (await change).name == "shop"


async def test_who_stops_waiting_lets_the_next_one_in(
    embedded: Database, foreign: sqlite3.Connection
) -> None:
    change = asyncio.create_task(
        done(embedded, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    )
    await asyncio.sleep(0.005)
    change.cancel()
    with pytest.raises(asyncio.CancelledError):
        await change
    foreign.execute("COMMIT")
    await done(embedded, lambda conn: accounts.create(conn, "rival", FREE, NOW))
    assert [one.name for one in await read(embedded, accounts.listed)] == ["rival"]


async def test_who_is_cancelled_hears_of_it_when_the_thread_is_done(connection: Connection) -> None:
    go_on, ended = threading.Event(), []

    def work() -> None:
        go_on.wait()
        ended.append(True)

    task = asyncio.create_task(connection.in_thread(work))
    await asyncio.sleep(0)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == [True]


async def test_a_mistake_in_a_statement_is_not_tried_again(connection: Connection) -> None:
    tries = []

    def work() -> None:
        tries.append(True)
        raise sqlite3.OperationalError("no such table: x")

    with pytest.raises(sqlite3.OperationalError):
        await connection.patiently(work)
    assert tries == [True]


async def test_changes_cancelled_at_any_moment_are_whole_or_not_there(embedded: Database) -> None:
    async def pair(number: int) -> int:
        async with embedded.change() as conn:
            await accounts.create(conn, f"{number} a", FREE, NOW)
            await accounts.create(conn, f"{number} b", FREE, NOW)
        return number

    tasks = []
    for number in range(80):
        tasks.append(asyncio.create_task(pair(number)))
        for _ in range(number % 7):
            await asyncio.sleep(0)
        if number % 3:
            tasks[number // 2].cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    names = {one.name for one in await read(embedded, accounts.listed)}
    whole = {number for number in range(80) if f"{number} a" in names}
    assert names == {f"{number} {half}" for number in whole for half in "ab"}
    assert whole >= {one for one in ended if isinstance(one, int)}
    assert 0 < len(whole) < 80
