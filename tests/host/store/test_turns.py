"""Changes that wait for the disk together, and are nobody else's business for it."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import StoreError
from mergegate.host.account import FREE
from mergegate.host.store import accounts, turns
from mergegate.host.store.database import Database
from tests.host.store.conftest import NOW, done, read
from tests.postgres import migrated_file

pytestmark = pytest.mark.anyio
FULL = "PRAGMA max_page_count = 1"


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    (tmp_path / "service.db").write_bytes(migrated_file())
    return tmp_path / "service.db"


@pytest.fixture
async def narrow(file: Path) -> Database:
    """With a single connection."""
    return Database.open(f"sqlite:///{file}", pool=1)


async def names(database: Database) -> list[str]:
    return [one.name for one in await read(database, accounts.listed)]


async def add(database: Database, name: str) -> None:
    await done(database, lambda conn: accounts.create(conn, name, FREE, NOW))


def commits(database: Database) -> list[int]:
    """Grows by one for each transaction that ends well."""
    found: list[int] = []
    sa.event.listen(database._engine.sync_engine, "commit", lambda _: found.append(1))
    return found


async def test_those_who_queue_share_a_transaction(narrow: Database) -> None:
    ended = commits(narrow)
    await asyncio.gather(*(add(narrow, f"shop {number}") for number in range(20)))
    assert len(await names(narrow)) == 20
    assert len(ended) == 1


async def test_no_more_than_a_few_dozen_share_one(
    narrow: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "_MOST_TOGETHER", 5)
    ended = commits(narrow)
    await asyncio.gather(*(add(narrow, f"shop {number}") for number in range(20)))
    assert len(await names(narrow)) == 20
    assert len(ended) == 4


async def test_one_that_fails_undoes_itself_alone(narrow: Database) -> None:
    async def fail(number: int) -> None:
        async with narrow.change() as conn:
            await accounts.create(conn, f"bad {number}", FREE, NOW)
            raise LookupError

    tasks = [add(narrow, f"shop {at}") if at % 2 else fail(at) for at in range(10)]
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in found] == [LookupError, type(None)] * 5
    assert sorted(await names(narrow)) == [f"shop {at}" for at in range(1, 10, 2)]


async def test_a_refusal_of_the_database_undoes_that_change_alone(narrow: Database) -> None:
    found = await asyncio.gather(
        *(add(narrow, name) for name in ("a", "b", "a", "c")), return_exceptions=True
    )
    assert [one is None for one in found] == [True, True, False, True]
    assert sorted(await names(narrow)) == ["a", "b", "c"]


async def test_one_that_is_cancelled_undoes_itself_alone(narrow: Database) -> None:
    inside = asyncio.Event()

    async def endless() -> None:
        async with narrow.change() as conn:
            await accounts.create(conn, "bad", FREE, NOW)
            inside.set()
            await asyncio.Event().wait()

    first = asyncio.create_task(add(narrow, "a"))
    middle = asyncio.create_task(endless())
    last = asyncio.create_task(add(narrow, "b"))
    await inside.wait()
    middle.cancel()
    await asyncio.gather(first, middle, last, return_exceptions=True)
    assert sorted(await names(narrow)) == ["a", "b"]


async def test_one_that_is_cancelled_while_it_waits_for_its_turn_holds_nobody_up(
    narrow: Database,
) -> None:
    go = asyncio.Event()

    async def slow() -> None:
        async with narrow.change() as conn:
            await accounts.create(conn, "a", FREE, NOW)
            await go.wait()

    first = asyncio.create_task(slow())
    await asyncio.sleep(0)
    rest = [asyncio.create_task(add(narrow, name)) for name in ("b", "c")]
    await asyncio.sleep(0)
    rest[0].cancel()
    go.set()
    await asyncio.gather(first, *rest, return_exceptions=True)
    assert sorted(await names(narrow)) == ["a", "c"]


async def test_none_ends_before_all_are_on_the_disk(narrow: Database, file: Path) -> None:
    """Seen by a connection that is none of theirs; an exception is about what it saw, too."""
    other = Database.open(f"sqlite:///{file}")
    seen: list[int] = []

    async def change(name: str, fails: bool) -> None:
        try:
            async with narrow.change() as conn:
                await accounts.create(conn, name, FREE, NOW)
                if fails:
                    raise LookupError
        finally:
            seen.append(len(await names(other)))

    changes = [change(f"shop {at}", fails=at == 2) for at in range(6)]
    await asyncio.gather(*changes, return_exceptions=True)
    await other.close()
    assert seen == [5] * 6


async def test_where_the_disk_is_full_none_of_them_is_told_that_it_was_done(
    narrow: Database,
) -> None:
    """SQLite then ends the transaction by itself, with what others did in it."""
    await add(narrow, "before")
    async with narrow.read() as conn:
        await conn.exec_driver_sql(FULL)
    large = "x" * 1_000_000
    found = await asyncio.gather(
        *(add(narrow, name) for name in ("a", large, "b")), return_exceptions=True
    )
    written = await names(narrow)
    told = [name for name, one in zip(("a", large, "b"), found, strict=True) if one is None]
    assert isinstance(found[1], StoreError)
    assert set(written) == {"before", *told}


async def test_a_transaction_that_was_ended_from_within_is_nobodys_success(
    narrow: Database,
) -> None:
    async def meddle(conn: AsyncConnection) -> None:
        await conn.exec_driver_sql("ROLLBACK")

    found = await asyncio.gather(
        add(narrow, "a"), done(narrow, meddle), add(narrow, "b"), return_exceptions=True
    )
    assert [isinstance(one, StoreError) for one in found] == [True, True, False]
    assert await names(narrow) == ["b"]


async def test_closing_waits_for_what_is_on_its_way(narrow: Database, file: Path) -> None:
    task = asyncio.create_task(add(narrow, "a"))
    await asyncio.sleep(0)
    await asyncio.gather(task, narrow.close())
    other = Database.open(f"sqlite:///{file}")
    assert await names(other) == ["a"]
    await other.close()


async def test_who_waits_too_long_for_a_turn_is_told_and_the_others_go_on(
    narrow: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many wait, and however long another process keeps the database to itself."""
    monkeypatch.setattr(turns, "_LONGEST_QUEUE_S", 0.05)
    async with narrow.change() as conn:
        await accounts.create(conn, "a", FREE, NOW)
        waits = [add(narrow, f"late {number}") for number in range(5)]
        found = await asyncio.gather(*waits, return_exceptions=True)
    assert [isinstance(one, StoreError) for one in found] == [True] * 5
    await add(narrow, "b")
    assert sorted(await names(narrow)) == ["a", "b"]
