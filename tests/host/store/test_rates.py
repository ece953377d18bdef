"""What processes tell each other of keys."""

import pytest

from mergegate.host.store import usage
from mergegate.host.store.database import Database
from mergegate.host.store.sql import DatabaseClock
from mergegate.host.store.tables import rates as table
from mergegate.host.store.usage import Use
from tests.host.store.conftest import done, read

pytestmark = pytest.mark.anyio


async def tell(database: Database, process: str, **used: int) -> None:
    uses = {key: Use(count, 30.0) for key, count in used.items()}
    await done(database, lambda conn: usage.share_requests(conn, process, uses))


async def told(database: Database, process: str) -> dict[str, int]:
    found = await read(database, lambda conn: usage.requests_elsewhere(conn, process))
    return {key: one.requests for key, one in found.items()}


async def test_a_process_hears_the_sum_of_all_others(database: Database) -> None:
    await tell(database, "a", k=1, l=5)
    await tell(database, "b", k=2)
    await tell(database, "c", k=4)
    assert await told(database, "a") == {"k": 6}
    assert await told(database, "d") == {"k": 7, "l": 5}


async def test_what_is_told_again_counts_in_place_of_before(database: Database) -> None:
    await tell(database, "a", k=1, l=1)
    await tell(database, "a", k=3, l=0)
    await tell(database, "a")
    assert await told(database, "b") == {"k": 3}


async def test_the_first_to_free_a_place_says_when(database: Database) -> None:
    for process, frees_in_s in (("a", 50.0), ("b", 20.0)):
        use = {"k": Use(1, frees_in_s)}
        await done(database, lambda conn, of=(process, use): usage.share_requests(conn, *of))  # type: ignore[misc]
    found = await read(database, lambda conn: usage.requests_elsewhere(conn, "c"))
    assert 0 < found["k"].frees_in_s <= 20.0


async def test_what_was_told_longer_ago_than_a_minute_is_over(database: Database) -> None:
    await tell(database, "a", k=1)
    old = table.update().values(told_at=DatabaseClock() - usage.KEPT_S - 1)
    await done(database, lambda conn: conn.execute(old))
    assert await told(database, "b") == {}
    assert await done(database, usage.purge_rates) == 0
    older = table.update().values(told_at=DatabaseClock() - 2 * usage.KEPT_S - 1)
    await done(database, lambda conn: conn.execute(older))
    assert await done(database, usage.purge_rates) == 1
