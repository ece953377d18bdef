"""Looks at PostgreSQL that travel together, and are nobody else's business for it."""

import asyncio
from collections.abc import Iterator

import psycopg
import pytest
import sqlalchemy as sa

from mergegate.core.errors import StoreError
from mergegate.host.account import FREE
from mergegate.host.store import accounts, together
from mergegate.host.store.database import Database
from mergegate.host.store.questions import question
from mergegate.host.store.tables import accounts as table
from tests.host.store.conftest import NOW, done

pytestmark = pytest.mark.anyio
HOSTILE = (
    *("", " ", "NULL", "null", '"', "\\", "\\\\", '\\"', "{}", "{a,b}", "a,b", "'", "'; --"),
    *("%s", "%(name)s", "$1", "\n", "\t", "é", "\N{GRINNING FACE}", "x" * 10_000),
)
NAMED = question(
    {"name": sa.String()},
    lambda asked: sa.select(table.c.name, table.c.plan).where(table.c.name == asked["name"]),
)
NUMBER = question(
    {"text": sa.String()},
    lambda asked: sa.select(
        (sa.cast(asked["text"], sa.Integer) + sa.literal_column("1")).label("more")
    ),
)
SLOW = question(
    {"text": sa.String()},
    lambda asked: sa.select(asked["text"], sa.func.pg_sleep(sa.literal_column("30")).label("s")),
)


@pytest.fixture
def database_url(shared_postgres: str) -> Iterator[str]:
    yield shared_postgres
    with psycopg.connect(shared_postgres) as conn:
        conn.execute("DELETE FROM accounts")


@pytest.fixture
async def named(database: Database) -> Database:
    """With an account of each name."""
    for name in HOSTILE:
        await done(database, lambda conn, name=name: accounts.create(conn, name, FREE, NOW))  # type: ignore[misc]
    return database


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many looks each statement was for."""
    ask, found = together.PostgresPeeks._ask, []

    async def counted(self: together.PostgresPeeks, conn: object, looks: list[object]) -> object:
        found.append(len(looks))
        return await ask(self, conn, looks)  # type: ignore[arg-type]

    monkeypatch.setattr(together.PostgresPeeks, "_ask", counted)
    return found


async def look(database: Database, name: str) -> str | None:
    row = await database.peeks.row(NAMED, {"name": name})
    return None if row is None else row[0]


_SERVING = (
    "FROM pg_stat_activity WHERE query LIKE '%unnest%'"
    " AND pid <> pg_backend_pid() AND datname = current_database()"
)


async def sessions(database: Database) -> int:
    """How many serve looks."""
    async with database.read() as conn:
        return await conn.scalar(sa.text(f"SELECT count(*) {_SERVING}")) or 0


async def ended(database: Database) -> int:
    """How many of them there were: they are no more."""
    async with database.read() as conn:
        found = await conn.execute(sa.text(f"SELECT pg_terminate_backend(pid) {_SERVING}"))
        return len(found.all())


async def test_each_gets_its_own_whatever_it_holds(named: Database, sent: list[int]) -> None:
    asked = [*HOSTILE, "nobody", *reversed(HOSTILE)]
    found = await asyncio.gather(*(look(named, name) for name in asked))
    assert found == [None if name == "nobody" else name for name in asked]
    assert sorted(sent) == [len(asked) - NAMED.most_together, NAMED.most_together]


async def test_those_who_ask_while_one_is_under_way_go_together(
    named: Database, sent: list[int]
) -> None:
    first = asyncio.create_task(look(named, "é"))
    while not sent:
        await asyncio.sleep(0)
    rest = [asyncio.create_task(look(named, "NULL")) for _ in range(20)]
    assert await asyncio.gather(first, *rest) == ["é", *["NULL"] * 20]
    assert sent == [1, 20]


async def test_different_questions_do_not_wait_for_each_other_in_vain(named: Database) -> None:
    numbers = (named.peeks.row(NUMBER, {"text": str(at)}) for at in range(5))
    names = (look(named, name) for name in HOSTILE[:5])
    mixed = [one for pair in zip(numbers, names, strict=True) for one in pair]
    found = await asyncio.gather(*mixed)
    assert found == [one for at in range(5) for one in ((at + 1,), HOSTILE[at])]


async def test_a_look_that_fails_is_its_own_askers_alone(database: Database) -> None:
    texts = ["1", "2", "three", "4"]
    found = await asyncio.gather(
        *(database.peeks.row(NUMBER, {"text": one}) for one in texts), return_exceptions=True
    )
    assert isinstance(found[2], StoreError)
    assert [found[0], found[1], found[3]] == [(2,), (3,), (5,)]


async def test_who_leaves_ends_nobody_elses_look(named: Database) -> None:
    tasks = [asyncio.create_task(look(named, "é")) for _ in range(10)]
    await asyncio.sleep(0)
    for one in tasks[::2]:
        one.cancel()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert found[1::2] == ["é"] * 5
    assert all(isinstance(one, asyncio.CancelledError) for one in found[::2])
    assert await look(named, "é") == "é"


async def test_who_leaves_before_being_asked_for_is_not_asked_for(
    named: Database, sent: list[int]
) -> None:
    tasks = [asyncio.create_task(look(named, "é")) for _ in range(10)]
    await asyncio.sleep(0)
    for one in tasks[1:]:
        one.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert sent == [1]


async def test_no_more_connections_are_made_than_may_be(named: Database) -> None:
    for _ in range(5):
        await asyncio.gather(*(look(named, name) for name in HOSTILE * 5))
    assert 1 <= await sessions(named) <= 2


async def test_connections_that_were_ended_while_they_rested_are_nobodys_trouble(
    named: Database,
) -> None:
    await asyncio.gather(*(look(named, "é") for _ in range(100)))
    assert await ended(named) >= 1
    assert await asyncio.gather(*(look(named, "é") for _ in range(100))) == ["é"] * 100


async def test_a_connection_that_is_ended_in_the_middle_is_replaced(
    named: Database, sent: list[int]
) -> None:
    """It is asked again, for a look changes nothing; but not for ever."""
    slow = asyncio.create_task(named.peeks.row(SLOW, {"text": "a"}))
    while not slow.done():
        await ended(named)
    with pytest.raises(StoreError, match=r"terminat|closed"):
        await slow
    assert sent == [1, 1, 1]
    assert await look(named, "é") == "é"


async def test_a_look_that_takes_too_long_is_told_and_the_next_one_works(
    named: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "WAIT_S", 0.2)
    found = await asyncio.gather(
        *(named.peeks.row(SLOW, {"text": "a"}) for _ in range(3)), return_exceptions=True
    )
    assert ["in time" in str(one) for one in found] == [True] * 3
    monkeypatch.setattr(together, "WAIT_S", 10)
    assert await look(named, "é") == "é"


async def test_closing_ends_every_connection_and_tells_who_waits(database: Database) -> None:
    other = Database.open(database.url)
    waits = [asyncio.create_task(other.peeks.row(SLOW, {"text": "a"})) for _ in range(3)]
    while not await sessions(database):
        await asyncio.sleep(0)
    waits.append(asyncio.create_task(other.peeks.row(NUMBER, {"text": "1"})))
    await asyncio.sleep(0)
    await other.close()
    found = await asyncio.gather(*waits, return_exceptions=True)
    assert [isinstance(one, StoreError) for one in found[:3]] == [True] * 3
    while await sessions(database):
        await asyncio.sleep(0)
