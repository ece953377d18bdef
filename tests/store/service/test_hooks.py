import pytest

from mergegate.errors import StoreError
from mergegate.model.change import Provider
from mergegate.model.service.account import Account
from mergegate.store.service import hooks
from mergegate.store.service.database import Database
from mergegate.store.service.hooks import Hook, SharedSecret
from mergegate.store.service.sealing import Sealer, new_key
from tests.store.service.conftest import NOW, done, read

pytestmark = pytest.mark.anyio
SEALER = Sealer([new_key()])


async def test_a_hook_is_found_by_its_address_with_its_secret(
    database: Database, shop: Account
) -> None:
    hook = Hook("hook_1", shop.id, Provider.GITHUB, NOW)
    await done(database, lambda conn: hooks.add(conn, hook, SEALER.seal("sesame")))
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
    await done(database, lambda conn: hooks.add(conn, hook, SEALER.seal("sesame")))
    assert await read(database, lambda conn: hooks.listed(conn, shop.id)) == [hook]
    assert await read(database, lambda conn: hooks.listed(conn, rival.id)) == []
    assert not await done(database, lambda conn: hooks.remove(conn, rival.id, "hook_1"))
    assert await done(database, lambda conn: hooks.remove(conn, shop.id, "hook_1"))
    assert not await done(database, lambda conn: hooks.remove(conn, shop.id, "hook_1"))
