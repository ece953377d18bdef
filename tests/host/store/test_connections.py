import datetime as dt
from dataclasses import replace

import pytest
import sqlalchemy as sa
from cryptography.fernet import Fernet

from mergegate.core.change import Provider
from mergegate.core.errors import StoreError
from mergegate.host.account import Account
from mergegate.host.store import accounts, connections, hooks
from mergegate.host.store.connections import Connection, OpenConnection
from mergegate.host.store.database import Database
from mergegate.host.store.hooks import Hook
from mergegate.host.store.key_rotation import reseal
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.host.store.tables import connections as table
from tests.host.store.conftest import NOW, done, read

pytestmark = pytest.mark.anyio
SEALER = Sealer([new_key()])


def github(owner: Account) -> Connection:
    return Connection("con_1", owner.id, Provider.GITHUB, "https://github.com", NOW)


async def put(database: Database, one: Connection, token: str, sealer: Sealer = SEALER) -> None:
    await done(database, lambda conn: connections.put(conn, one, sealer.seal(token, one.place)))


async def find(
    database: Database, owner: Account, provider: Provider, sealer: Sealer = SEALER
) -> OpenConnection | None:
    return await read(database, lambda conn: connections.find(conn, sealer, owner.id, provider))


async def test_a_connection_is_found_with_its_token(
    database: Database, shop: Account, rival: Account
) -> None:
    await put(database, github(shop), "ghp_sesame")
    assert await find(database, shop, Provider.GITHUB) == OpenConnection(github(shop), "ghp_sesame")
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
    assert await find(database, shop, Provider.GITHUB) == OpenConnection(
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
    sealed = Sealer([old]).seal("open", hook.place)
    await done(database, lambda conn: hooks.add(conn, hook, sealed))
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
    hook = Hook("hook_1", rival.id, Provider.GITLAB, NOW)
    lost = Sealer([new_key()]).seal("open", hook.place)
    await done(database, lambda conn: hooks.add(conn, hook, lost))
    with pytest.raises(StoreError) as refused:
        await done(database, lambda conn: reseal(conn, Sealer([new, old])))
    assert str(refused.value) == (
        "nothing was sealed anew: the connection of 'rival' with github, the gitlab hook hook_1 of"
        " 'rival' open with none of the keys. Add the key that it was sealed with to"
        " MERGEGATE_SECRET_KEYS, or give the secret anew."
    )
    assert await find(database, shop, Provider.GITHUB, Sealer([old])) is not None


async def moved(database: Database, **values: str) -> None:
    async with database.change() as conn:
        await conn.execute(sa.update(table).where(table.c.id == "con_1").values(**values))


async def test_a_token_is_of_no_use_in_another_accounts_row(
    database: Database, shop: Account, rival: Account
) -> None:
    await put(database, github(shop), "ghp_sesame")
    await moved(database, account_id=rival.id)
    with pytest.raises(StoreError, match="opens with none of the keys"):
        await find(database, rival, Provider.GITHUB)


async def test_a_token_is_sent_to_no_address_but_the_one_it_was_given_for(
    database: Database, shop: Account
) -> None:
    await put(database, github(shop), "ghp_sesame")
    await moved(database, base_url="https://thief.example.org")
    with pytest.raises(StoreError, match="opens with none of the keys"):
        await find(database, shop, Provider.GITHUB)


async def test_a_token_of_an_earlier_release_opens_and_is_bound_when_it_is_sealed_anew(
    database: Database, shop: Account, rival: Account
) -> None:
    key = new_key()
    earlier = Fernet(key).encrypt(b"ghp_sesame").decode()
    await done(database, lambda conn: connections.put(conn, github(shop), earlier))
    opened = await find(database, shop, Provider.GITHUB, Sealer([key]))
    assert opened == OpenConnection(github(shop), "ghp_sesame")
    assert await done(database, lambda conn: reseal(conn, Sealer([key]))) == 1
    assert await find(database, shop, Provider.GITHUB, Sealer([key])) == opened
    await moved(database, account_id=rival.id)
    with pytest.raises(StoreError):
        await find(database, rival, Provider.GITHUB, Sealer([key]))


async def test_a_suspended_account_has_no_connection_until_it_is_resumed(
    database: Database, shop: Account
) -> None:
    await put(database, github(shop), "ghp_sesame")
    await done(database, lambda conn: accounts.suspend(conn, shop.id, NOW))
    assert await find(database, shop, Provider.GITHUB) is None
    await done(database, lambda conn: accounts.resume(conn, shop.id))
    assert await find(database, shop, Provider.GITHUB) is not None
