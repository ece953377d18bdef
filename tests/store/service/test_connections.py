import datetime as dt
from dataclasses import replace

import pytest
import sqlalchemy as sa

from mergegate.errors import StoreError
from mergegate.model.change import Provider
from mergegate.model.service.account import Account
from mergegate.store.service import connections, hooks
from mergegate.store.service.connections import Connection, Opened
from mergegate.store.service.database import Database
from mergegate.store.service.hooks import Hook
from mergegate.store.service.resealing import reseal
from mergegate.store.service.sealing import Sealer, new_key
from mergegate.store.service.tables import connections as table
from tests.store.service.conftest import NOW, done, read

pytestmark = pytest.mark.anyio
SEALER = Sealer([new_key()])


def github(owner: Account) -> Connection:
    return Connection("con_1", owner.id, Provider.GITHUB, "https://github.com", NOW)


async def put(database: Database, one: Connection, token: str, sealer: Sealer = SEALER) -> None:
    await done(database, lambda conn: connections.put(conn, one, sealer.seal(token)))


async def find(
    database: Database, owner: Account, provider: Provider, sealer: Sealer = SEALER
) -> Opened | None:
    return await read(database, lambda conn: connections.find(conn, sealer, owner.id, provider))


async def test_a_connection_is_found_with_its_token(
    database: Database, shop: Account, rival: Account
) -> None:
    await put(database, github(shop), "ghp_sesame")
    assert await find(database, shop, Provider.GITHUB) == Opened(github(shop), "ghp_sesame")
    assert await find(database, shop, Provider.GITLAB) is None
    assert await find(database, rival, Provider.GITHUB) is None


async def test_a_token_is_stored_sealed_and_never_represented(
    database: Database, shop: Account
) -> None:
    await put(database, github(shop), "ghp_sesame")
    async with database.read() as conn:
        (row,) = (await conn.execute(sa.select(table))).all()
    assert "ghp_sesame" not in str(row)
    assert "ghp_sesame" not in repr(await find(database, shop, Provider.GITHUB))


async def test_a_new_token_takes_the_place_of_the_old(database: Database, shop: Account) -> None:
    await put(database, github(shop), "ghp_old")
    own = replace(github(shop), id="con_2", base_url="https://git.example.org")
    own = replace(own, created_at=NOW + dt.timedelta(days=1))
    await put(database, own, "ghp_new")
    assert await find(database, shop, Provider.GITHUB) == Opened(
        replace(own, id="con_1"), "ghp_new"
    )


async def test_connections_are_listed_and_removed(
    database: Database, shop: Account, rival: Account
) -> None:
    gitlab = Connection("con_2", shop.id, Provider.GITLAB, "https://gitlab.com", NOW)
    theirs = Connection("con_3", rival.id, Provider.GITHUB, "https://github.com", NOW)
    for one in (gitlab, github(shop), theirs):
        await put(database, one, "token")
    mine = await read(database, lambda conn: connections.listed(conn, shop.id))
    assert mine == [github(shop), gitlab]
    assert len(await read(database, connections.listed)) == 3
    for expected in (True, False):
        gone = await done(database, lambda conn: connections.remove(conn, shop.id, Provider.GITHUB))
        assert gone is expected
    assert await find(database, rival, Provider.GITHUB) is not None


async def test_a_token_under_a_key_that_is_gone_is_told(database: Database, shop: Account) -> None:
    await put(database, github(shop), "ghp_sesame")
    with pytest.raises(StoreError, match="opens with none of the keys"):
        await find(database, shop, Provider.GITHUB, Sealer([new_key()]))


async def test_rotation_brings_every_secret_under_the_new_key(
    database: Database, shop: Account, rival: Account
) -> None:
    old, new = new_key(), new_key()
    await put(database, github(shop), "ghp_sesame", Sealer([old]))
    hook = Hook("hook_1", rival.id, Provider.GITLAB, NOW)
    await done(database, lambda conn: hooks.add(conn, hook, Sealer([old]).seal("open")))
    assert await done(database, lambda conn: reseal(conn, Sealer([new, old]))) == 2
    opened = await find(database, shop, Provider.GITHUB, Sealer([new]))
    shared = await read(database, lambda conn: hooks.find(conn, Sealer([new]), "hook_1"))
    assert opened is not None
    assert shared is not None
    assert (opened.token, shared.secret) == ("ghp_sesame", "open")


async def test_a_rotation_that_meets_an_unknown_key_changes_nothing(
    database: Database, shop: Account, rival: Account
) -> None:
    old, new = new_key(), new_key()
    await put(database, github(shop), "ghp_sesame", Sealer([old]))
    theirs = Connection("con_2", rival.id, Provider.GITHUB, "https://github.com", NOW)
    await put(database, theirs, "token", Sealer([new_key()]))
    with pytest.raises(StoreError):
        await done(database, lambda conn: reseal(conn, Sealer([new, old])))
    assert await find(database, shop, Provider.GITHUB, Sealer([old])) is not None
