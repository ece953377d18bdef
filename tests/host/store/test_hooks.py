import pytest
import sqlalchemy as sa

from mergegate.core.change import Provider
from mergegate.core.errors import StoreError
from mergegate.host.account import Account
from mergegate.host.store import accounts, hooks
from mergegate.host.store.database import Database
from mergegate.host.store.hooks import Hook, SharedSecret
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.host.store.tables import hooks as table
from tests.host.store.conftest import NOW, done, read

pytestmark = pytest.mark.anyio
SEALER = Sealer([new_key()])


async def test_a_hook_is_found_by_its_address_with_its_secret(
    database: Database, shop: Account
) -> None:
    hook = Hook("hook_1", shop.id, Provider.GITHUB, NOW)
    await done(database, lambda conn: hooks.add(conn, hook, SEALER.seal("sesame", hook.place)))
    found = await read(database, lambda conn: hooks.find(conn, SEALER, "hook_1"))
    assert found == SharedSecret(hook, "sesame")
    assert "sesame" not in repr(found)
    assert await read(database, lambda conn: hooks.find(conn, SEALER, "hook_2")) is None
    with pytest.raises(StoreError):
        await read(database, lambda conn: hooks.find(conn, Sealer([new_key()]), "hook_1"))


@pytest.mark.parametrize("id", ["", "a\0b", "\udcff", "x" * 1_000_000])
async def test_a_hostile_address_is_nobodys(database: Database, id: str) -> None:
    assert await read(database, lambda conn: hooks.find(conn, SEALER, id)) is None


async def test_only_its_account_lists_and_removes_a_hook(
    database: Database, shop: Account, rival: Account
) -> None:
    hook = Hook("hook_1", shop.id, Provider.GITHUB, NOW)
    await done(database, lambda conn: hooks.add(conn, hook, SEALER.seal("sesame", hook.place)))
    assert await read(database, lambda conn: hooks.listed(conn, shop.id)) == [hook]
    assert await read(database, lambda conn: hooks.listed(conn, rival.id)) == []
    assert not await done(database, lambda conn: hooks.remove(conn, rival.id, "hook_1"))
    assert await done(database, lambda conn: hooks.remove(conn, shop.id, "hook_1"))
    assert not await done(database, lambda conn: hooks.remove(conn, shop.id, "hook_1"))


async def test_a_secret_vouches_for_no_other_account_and_rests_with_its_own(
    database: Database, shop: Account, rival: Account
) -> None:
    hook = Hook("hook_1", shop.id, Provider.GITHUB, NOW)
    await done(database, lambda conn: hooks.add(conn, hook, SEALER.seal("sesame", hook.place)))
    await done(database, lambda conn: accounts.suspend(conn, shop.id, NOW))
    assert await read(database, lambda conn: hooks.find(conn, SEALER, "hook_1")) is None
    async with database.change() as conn:
        await conn.execute(sa.update(table).values(account_id=rival.id))
    with pytest.raises(StoreError, match="opens with none of the keys"):
        await read(database, lambda conn: hooks.find(conn, SEALER, "hook_1"))
