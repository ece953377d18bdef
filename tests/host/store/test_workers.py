import pytest
import sqlalchemy as sa

from mergegate.host.store import leases
from mergegate.host.store.database import Database
from mergegate.host.store.tables import workers as table
from tests.host.store.conftest import done, read

pytestmark = pytest.mark.anyio
TTL_S = 20.0


async def beat(database: Database, *ids: str) -> None:
    async with database.change() as conn:
        for id in ids:
            await leases.beat(conn, id)


async def age(database: Database, id: str, by_s: float) -> None:
    older = sa.update(table).where(table.c.id == id).values(beat_at=table.c.beat_at - by_s)
    await done(database, lambda conn: conn.execute(older))


async def alive(database: Database) -> frozenset[str]:
    return await read(database, lambda conn: leases.alive(conn, TTL_S))


async def test_who_beats_lives_until_it_is_silent_too_long(database: Database) -> None:
    await beat(database, "w1", "w2")
    assert await alive(database) == {"w1", "w2"}
    await age(database, "w1", TTL_S)
    assert await alive(database) == {"w2"}


async def test_who_beats_again_lives_again(database: Database) -> None:
    await beat(database, "w1")
    await age(database, "w1", 3600)
    await beat(database, "w1")
    assert await alive(database) == {"w1"}


async def test_a_clock_that_was_set_back_keeps_no_dead_worker_alive(database: Database) -> None:
    await beat(database, "dead", "w1", "w2")
    for id in ("dead", "w1", "w2"):
        await age(database, id, -3600)
    await beat(database, "w1")
    await age(database, "w2", 3600 - TTL_S / 2)
    assert await alive(database) == {"w1", "w2"}


async def test_who_leaves_is_dead_at_once(database: Database) -> None:
    await beat(database, "w1", "w2")
    await done(database, lambda conn: leases.leave(conn, "w1"))
    assert await alive(database) == {"w2"}


async def test_the_clock_goes_on_within_a_transaction(database: Database) -> None:
    """PostgreSQL's ``now()`` would stand still."""
    async with database.change() as conn:
        await leases.beat(conn, "w1")
        await conn.execute(sa.text("SELECT 1"))
        await leases.beat(conn, "w2")
    async with database.read() as conn:
        rows = (await conn.execute(sa.select(table.c.beat_at).order_by(table.c.id))).scalars().all()
    assert rows[0] <= rows[1]
    assert not (rows[0] == rows[1] and not database.is_sqlite)


async def test_the_silent_are_forgotten(database: Database) -> None:
    await beat(database, "w1", "w2")
    await age(database, "w1", 3600)
    assert await done(database, lambda conn: leases.purge_workers(conn, TTL_S)) == 1
    assert await alive(database) == {"w2"}
