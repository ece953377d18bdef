import pytest

from mergegate.errors import UsageError
from mergegate.model.service.account import FREE, PAID, UNLIMITED, Account
from mergegate.store.service import accounts
from mergegate.store.service.database import Database
from tests.store.service.conftest import NOW, done, read

pytestmark = pytest.mark.anyio


async def test_an_account_is_found_by_its_name(database: Database) -> None:
    made = await done(database, lambda conn: accounts.create(conn, "shop", PAID, NOW))
    assert made.id.startswith("acc_")
    assert (made.plan, made.created_at) == (PAID, NOW)
    assert await read(database, lambda conn: accounts.named(conn, "shop")) == made
    assert await read(database, lambda conn: accounts.named(conn, "Shop")) is None


async def test_a_name_is_given_once(database: Database, shop: Account) -> None:
    with pytest.raises(UsageError, match="'shop' already"):
        await done(database, lambda conn: accounts.create(conn, "shop", FREE, NOW))
    assert await read(database, accounts.listed) == [shop]


async def test_a_plan_can_change(database: Database, shop: Account, rival: Account) -> None:
    await done(database, lambda conn: accounts.set_plan(conn, shop.id, UNLIMITED))
    found = await read(database, accounts.listed)
    assert [(one.name, one.plan) for one in found] == [("rival", FREE), ("shop", UNLIMITED)]


def test_a_plan_of_another_release_is_worth_the_free_one() -> None:
    assert accounts.plan_of("platinum") == FREE
