import datetime as dt
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.core.plans import Lane, Scope, Tool
from mergegate.host.account import FREE, Account, Caller
from mergegate.host.store import (
    accounts,
    connections,
    consoles,
    hooks,
    idempotency,
    keys,
    scans,
    schedules,
    usage,
)
from mergegate.host.store.accounts import Holdings
from mergegate.host.store.connections import Connection
from mergegate.host.store.consoles import ConnectedConsole
from mergegate.host.store.database import Database
from mergegate.host.store.hooks import Hook
from mergegate.host.store.scans import Submission
from mergegate.host.store.schedules import Schedule
from mergegate.host.store.tables import METADATA
from mergegate.host.store.usage import Use
from tests.host.store.conftest import NOW, done, read
from tests.postgres import migrated_file

pytestmark = pytest.mark.anyio


async def settle_in(database: Database, owner: Account) -> str:
    """Something in every table that belongs to accounts; tells its key."""
    id = owner.id
    async with database.change() as conn:
        key = await keys.make(conn, id, "", {Scope.REPO}, None, NOW)
        await usage.share_requests(conn, "process", {key.id: Use(1, 60.0)})
        one = Connection(f"con_{id}", id, Provider.GITHUB, "https://github.com", NOW)
        await connections.put(conn, one, "sealed")
        await consoles.put(conn, ConnectedConsole(id, "reader@example.org", NOW), "sealed")
        await hooks.add(conn, Hook(f"hook_{id}", id, Provider.GITHUB, NOW), "sealed")
        what = (Tool.SEO, Lane.LIGHT, "{}", "0 3 * * *", NOW - dt.timedelta(days=1), NOW)
        await schedules.add(conn, Schedule(f"sch_{id}", id, *what))
        await usage.admit_audit(conn, Caller(key.id, id, frozenset(), FREE), "example.org", NOW)
        await idempotency.claim(conn, id, "k", "h", "s", NOW)
        for number in range(3):
            given = Submission(f"seo_{number}{id}", id, Tool.SEO, Lane.LIGHT, "{}", NOW)
            await scans.submit(conn, given, joinable=False)
    return key.key


async def rows(database: Database) -> dict[str, int]:
    """Table → how many it holds, of those that hold anything of accounts."""
    named = {
        name: table
        for name, table in METADATA.tables.items()
        if "account_id" in table.c or name in ("accounts", "rates")
    }
    async with database.read() as conn:
        return {
            name: await conn.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for name, table in named.items()
        }


async def test_all_that_is_an_accounts_goes_with_it_and_nothing_else(
    database: Database, shop: Account, rival: Account
) -> None:
    await settle_in(database, rival)
    of_one = await rows(database) | {"accounts": 1}
    assert set(of_one.values()) == {1, 3}  # each of its tables is in the sample
    await settle_in(database, shop)
    await done(database, lambda conn: accounts.revoke_access(conn, shop.id, NOW))
    while await done(database, lambda conn: accounts.forget_scans(conn, shop.id, 2)):
        pass
    assert await done(database, lambda conn: accounts.forget(conn, shop.id))
    assert not await done(database, lambda conn: accounts.forget(conn, shop.id))
    assert await rows(database) == of_one


async def test_what_is_held_is_counted(database: Database, shop: Account, rival: Account) -> None:
    await settle_in(database, shop)
    found = await read(database, lambda conn: accounts.holdings(conn, shop.id))
    assert found == Holdings(keys=1, connections=1, hooks=1, schedules=1, scans=3)
    empty = await read(database, lambda conn: accounts.holdings(conn, rival.id))
    assert empty == Holdings(0, 0, 0, 0, 0)


async def test_the_first_step_takes_what_lets_in_and_what_starts(
    database: Database, shop: Account
) -> None:
    key = await settle_in(database, shop)
    await done(database, lambda conn: accounts.revoke_access(conn, shop.id, NOW))
    seen = await read(database, lambda conn: keys.authenticate(conn, key, NOW))
    assert seen.caller is None
    assert await read(database, lambda conn: schedules.due(conn, NOW)) == []
    found = await read(database, lambda conn: accounts.holdings(conn, shop.id))
    assert found == Holdings(0, 0, 0, 0, scans=3)
    assert len(await read(database, lambda conn: accounts.running(conn, shop.id))) == 3


async def test_a_suspended_account_rests_until_it_is_resumed(
    database: Database, shop: Account, rival: Account
) -> None:
    key, theirs = await settle_in(database, shop), await settle_in(database, rival)

    async def works(key: str, owner: Account) -> list[bool]:
        async with database.read() as conn:
            due = [one.account_id for one in await schedules.due(conn, NOW)]
            known = (await keys.authenticate(conn, key, NOW)).caller
        return [known is not None, owner.id in due]

    assert await works(key, shop) == [True] * 2
    assert await done(database, lambda conn: accounts.suspend(conn, shop.id, NOW))
    assert not await done(database, lambda conn: accounts.suspend(conn, shop.id, NOW))
    assert await works(key, shop) == [False] * 2
    assert await works(theirs, rival) == [True] * 2
    found = await read(database, lambda conn: accounts.named(conn, "shop"))
    assert found is not None
    assert found.suspended_at == NOW
    assert await done(database, lambda conn: accounts.resume(conn, shop.id))
    assert not await done(database, lambda conn: accounts.resume(conn, shop.id))
    assert await works(key, shop) == [True] * 2


@pytest.mark.parametrize(
    "step",
    [
        lambda conn: accounts.revoke_access(conn, "acc", NOW),
        lambda conn: accounts.forget_scans(conn, "acc"),
        lambda conn: accounts.forget(conn, "acc"),
    ],
)
async def test_a_file_keeps_nothing_of_what_is_forgotten_however_sqlite_was_built(
    tmp_path: Path, step: Callable[[AsyncConnection], Awaitable[object]]
) -> None:
    (tmp_path / "service.db").write_bytes(migrated_file())
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    async with database.change() as conn:
        await conn.exec_driver_sql("PRAGMA secure_delete = OFF")
        await step(conn)
        assert (await conn.exec_driver_sql("PRAGMA secure_delete")).scalar_one() == 1
    await database.close()
