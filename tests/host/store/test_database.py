import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import StoreError
from mergegate.host.account import FREE, Account
from mergegate.host.store import accounts, keys
from mergegate.host.store.address import address
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from tests.host.store.conftest import NOW, done, read
from tests.postgres import Server, migrated_file, new_server

pytestmark = pytest.mark.anyio


async def add(database: Database, name: str) -> None:
    await done(database, lambda conn: accounts.create(conn, name, FREE, NOW))


async def test_a_change_stays(database: Database) -> None:
    made = await done(database, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    assert await read(database, lambda conn: accounts.named(conn, "shop")) == made


async def test_a_change_that_fails_leaves_nothing(database: Database) -> None:
    async def fail(conn: AsyncConnection) -> None:
        await accounts.create(conn, "shop", FREE, NOW)
        raise LookupError

    with pytest.raises(LookupError):
        await done(database, fail)
    assert await read(database, accounts.listed) == []


async def test_a_cancelled_change_leaves_nothing_and_lets_others_in(database: Database) -> None:
    inside = asyncio.Event()

    async def endless() -> None:
        async with database.change() as conn:
            await accounts.create(conn, "shop", FREE, NOW)
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(endless())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await done(database, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    assert len(await read(database, accounts.listed)) == 1


async def test_changes_of_two_processes_do_not_lose_each_other(database: Database) -> None:
    other = Database.open(database.url)
    names = [f"shop {number}" for number in range(40)]
    await asyncio.gather(
        *(
            done(one, lambda conn, name=name: accounts.create(conn, name, FREE, NOW))  # type: ignore[misc]
            for one, name in zip([database, other] * 20, names, strict=True)
        )
    )
    await other.close()
    assert sorted(names) == [one.name for one in await read(database, accounts.listed)]


async def test_readers_go_on_while_a_change_is_open(database: Database) -> None:
    async with database.change() as conn:
        await accounts.create(conn, "shop", FREE, NOW)
        assert await read(database, accounts.listed) == []


async def test_a_reference_to_nothing_is_refused(database: Database) -> None:
    with pytest.raises(sa.exc.IntegrityError):
        await done(database, lambda conn: keys.make(conn, "acc_none", "", (), None, NOW))


async def test_no_value_stands_in_an_error_of_the_database(
    database: Database, shop: Account
) -> None:
    await done(database, lambda conn: keys.make(conn, shop.id, "", (), None, NOW, bytes))
    with pytest.raises(sa.exc.IntegrityError) as refused:
        await done(database, lambda conn: keys.make(conn, shop.id, "sesame", (), None, NOW, bytes))
    assert "sesame" not in str(refused.value)


async def test_sqlite_flushes_every_change_and_checks_references(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    async with database.read() as conn:
        found = [
            (await conn.exec_driver_sql(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    await database.close()
    assert found == ["wal", 2, 1]


async def test_a_full_disk_is_told_and_costs_nothing_that_was_accepted(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/service.db", pool=1)
    migrate(database.url)
    await done(database, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    async with database.change() as conn:
        await conn.exec_driver_sql("PRAGMA max_page_count = 1")
    large = "x" * 1_000_000
    with pytest.raises(StoreError, match="full") as refused:
        await add(database, large)
    assert refused.value.remedy == "Free disk space."
    names = ("a", large, "b")
    found = await asyncio.gather(*(add(database, one) for one in names), return_exceptions=True)
    told = {name for name, one in zip(names, found, strict=True) if one is None}
    assert {one.name for one in await read(database, accounts.listed)} == {"shop", *told}
    assert large not in told
    await database.close()


async def test_a_full_disk_of_postgresql_is_told(fresh_postgres: str) -> None:
    database = Database.open(fresh_postgres)
    full = "DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
    with pytest.raises(StoreError) as refused:
        await done(database, lambda conn: conn.execute(sa.text(full)))
    assert refused.value.remedy == "Free disk space."
    await database.close()


async def test_tables_that_are_missing_are_told(fresh_url: str) -> None:
    database = Database.open(fresh_url)
    with pytest.raises(StoreError, match="accounts") as refused:
        await read(database, accounts.listed)
    assert "mergegate serve" in refused.value.remedy
    await database.close()


async def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "service.db").write_text("no database at all" * 100)
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    for attempt in (read(database, accounts.listed), add(database, "shop")):
        with pytest.raises(StoreError) as refused:
            await attempt
        assert refused.value.remedy == "Restore the file from a backup."
    await database.close()


async def test_a_change_that_another_process_holds_up_too_long_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.host.store.address.BUSY_S", 0.05)
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    other = sqlite3.connect(tmp_path / "service.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked") as refused:
        async with database.change():
            pass
    assert "Try again" in refused.value.remedy
    other.close()
    await database.close()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another program that has the file to itself, as one that repairs it would."""
    (tmp_path / "service.db").write_bytes(migrated_file())
    held = sqlite3.connect(tmp_path / "service.db", isolation_level=None)
    held.execute("PRAGMA locking_mode = EXCLUSIVE")
    held.execute("BEGIN IMMEDIATE")
    yield held
    held.close()


async def test_a_read_waits_until_the_file_is_free_and_holds_nobody_up(
    alone: sqlite3.Connection, tmp_path: Path
) -> None:
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    waits = asyncio.create_task(read(database, accounts.listed))
    for _ in range(20):
        await asyncio.sleep(0.001)
    assert not waits.done()
    alone.execute("COMMIT")
    alone.close()
    assert await waits == []
    await database.close()


async def test_a_read_of_a_file_that_does_not_get_free_is_told(
    alone: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.host.store.address.BUSY_S", 0.02)
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    with pytest.raises(StoreError, match="locked") as refused:
        await read(database, accounts.listed)
    assert "Try again" in refused.value.remedy
    await database.close()


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[Database]:
    (tmp_path / "service.db").write_bytes(migrated_file())
    opened = Database.open(f"sqlite:///{tmp_path}/service.db")
    yield opened
    await opened.close()


@pytest.fixture
def foreign(tmp_path: Path, embedded: Database) -> Iterator[sqlite3.Connection]:
    """Another process's connection, in the middle of a change."""
    held = sqlite3.connect(tmp_path / "service.db", isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    yield held
    held.close()


async def test_waiting_for_another_process_holds_no_reader_up(
    embedded: Database, foreign: sqlite3.Connection
) -> None:
    change = asyncio.create_task(add(embedded, "shop"))
    for _ in range(5):
        assert await read(embedded, accounts.listed) == []
        await asyncio.sleep(0.002)
    assert not change.done()
    foreign.execute("COMMIT")
    await change


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is told to stop waits for SQLite all the same, and that for a quarter of a minute."""
    monkeypatch.setattr("mergegate.host.store.address.BUSY_S", 1.0)


@pytest.mark.usefixtures("impatient")
async def test_a_change_that_stops_waiting_for_another_process_lets_the_next_one_in(
    embedded: Database, foreign: sqlite3.Connection
) -> None:
    change = asyncio.create_task(add(embedded, "shop"))
    await asyncio.sleep(0.02)
    change.cancel()
    with pytest.raises(asyncio.CancelledError):
        await change
    foreign.execute("COMMIT")
    await add(embedded, "rival")
    assert [one.name for one in await read(embedded, accounts.listed)] == ["rival"]


async def test_a_change_that_waits_too_long_for_others_is_told_and_they_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "service.db").write_bytes(migrated_file())
    monkeypatch.setattr("mergegate.host.store.database._QUEUE_S", 0.05)
    narrow = Database.open(f"sqlite:///{tmp_path}/service.db")
    async with narrow.change() as conn:
        await accounts.create(conn, "a", FREE, NOW)
        waits = [add(narrow, f"late {number}") for number in range(5)]
        found = await asyncio.gather(*waits, return_exceptions=True)
    assert [isinstance(one, StoreError) for one in found] == [True] * 5
    await add(narrow, "b")
    assert {one.name for one in await read(narrow, accounts.listed)} == {"a", "b"}
    await narrow.close()


async def test_changes_cancelled_at_any_moment_are_whole_or_not_there(database: Database) -> None:
    async def pair(number: int) -> int:
        async with database.change() as conn:
            await accounts.create(conn, f"{number} a", FREE, NOW)
            await accounts.create(conn, f"{number} b", FREE, NOW)
        return number

    tasks = []
    for number in range(80):
        tasks.append(asyncio.create_task(pair(number)))
        await asyncio.sleep(number % 7 / 1000)
        if number % 3:
            tasks[number // 2].cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    names = {one.name for one in await read(database, accounts.listed)}
    whole = {number for number in range(80) if f"{number} a" in names}
    assert names == {f"{number} {half}" for number in whole for half in "ab"}
    assert whole >= {one for one in ended if isinstance(one, int)}
    assert 0 < len(whole) <= 80


def test_a_closed_connection_holds_no_lock_while_its_answer_is_unread(tmp_path: Path) -> None:
    """Where a change was cancelled, the traceback of its task keeps the cursor alive."""
    file = tmp_path / "service.db"
    arguments = address(f"sqlite:///{file}").arguments
    first = sqlite3.connect(file, **arguments)
    first.execute("CREATE TABLE names (name)")
    first.execute("BEGIN IMMEDIATE")
    unread = first.execute("INSERT INTO names VALUES ('a'), ('b') RETURNING name")
    first.close()
    second = sqlite3.connect(file, **{**arguments, "timeout": 0})
    second.execute("BEGIN IMMEDIATE")
    assert second.execute("SELECT * FROM names").fetchall() == []
    second.close()
    del unread


async def test_changes_at_once_that_fail_undo_themselves_alone(database: Database) -> None:
    async def fail(number: int) -> None:
        async with database.change() as conn:
            await accounts.create(conn, f"bad {number}", FREE, NOW)
            raise LookupError

    tasks = [add(database, f"shop {at}") if at % 2 else fail(at) for at in range(10)]
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in found] == [LookupError, type(None)] * 5
    names = sorted(one.name for one in await read(database, accounts.listed))
    assert names == [f"shop {at}" for at in range(1, 10, 2)]


async def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    database = Database.open("postgresql://ada:sesame@127.0.0.1:1/mergegate")
    for attempt in (read(database, accounts.listed), add(database, "shop")):
        with pytest.raises(StoreError, match="refused") as refused:
            await attempt
        assert "MERGEGATE_DATABASE_URL" in refused.value.remedy
        assert "sesame" not in str(refused.value)
    await database.close()


async def test_too_many_at_once_are_told_to_come_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.host.store.database._POOL_WAIT_S", 0.05)
    narrow = Database.open(database.url, pool=1)
    async with narrow.read():
        with pytest.raises(StoreError, match="every connection to the database is in use"):
            await read(narrow, accounts.listed)
    await narrow.close()


async def test_a_read_that_takes_too_long_is_told_and_the_next_one_works(
    fresh_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mergegate.host.store.database._READ_S", 0.5)
    database = Database.open(fresh_postgres, pool=1)
    with pytest.raises(StoreError, match="in time"):
        await read(database, lambda conn: conn.execute(sa.text("SELECT pg_sleep(30)")))
    assert await read(database, lambda conn: conn.scalar(sa.text("SELECT 1"))) == 1
    await database.close()


@pytest.fixture
def own_server() -> Iterator[Server]:
    server = new_server()
    server.start()
    yield server
    server.stop()
    shutil.rmtree(server.folder)


async def test_after_a_restart_of_the_server_the_first_request_works(own_server: Server) -> None:
    migrate(own_server.url())
    database = Database.open(own_server.url())
    await done(database, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    own_server.stop()
    with pytest.raises(StoreError):
        await read(database, accounts.listed)
    own_server.start()
    assert [one.name for one in await read(database, accounts.listed)] == ["shop"]
    await database.close()
