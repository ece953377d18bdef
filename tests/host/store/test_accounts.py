import asyncio

import pytest

from mergegate.core.errors import UsageError
from mergegate.host.account import FREE, PAID, UNLIMITED, Account
from mergegate.host.store import accounts
from mergegate.host.store.database import Database
from tests.host.store.conftest import NOW, done, read

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


async def test_of_many_who_make_one_name_at_once_one_does(database: Database) -> None:
    many = [database, Database.open(database.url)]

    async def one(number: int) -> bool:
        try:
            await done(many[number % 2], lambda conn: accounts.create(conn, "shop", FREE, NOW))
        except UsageError:
            return False
        return True

    made = await asyncio.gather(*(one(number) for number in range(20)))
    await many[1].close()
    assert sum(made) == 1
    assert len(await read(database, accounts.listed)) == 1


async def test_a_name_changes_unless_another_has_it(
    database: Database, shop: Account, rival: Account
) -> None:
    with pytest.raises(UsageError, match="'rival' already"):
        await done(database, lambda conn: accounts.rename(conn, shop.id, "rival"))
    await done(database, lambda conn: accounts.rename(conn, shop.id, "store"))
    found = await read(database, accounts.listed)
    assert [(one.id, one.name) for one in found] == [(rival.id, "rival"), (shop.id, "store")]


@pytest.mark.parametrize("name", ["a\0b", "\udcff", ""])
async def test_what_is_no_text_names_nobody(database: Database, name: str) -> None:
    assert await read(database, lambda conn: accounts.named(conn, name)) is None


def test_a_plan_of_another_release_is_worth_the_free_one() -> None:
    assert accounts.plan_of("platinum") == FREE
