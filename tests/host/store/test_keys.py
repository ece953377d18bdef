import asyncio
import datetime as dt
import hashlib

import pytest
import sqlalchemy as sa

from mergegate.core.plans import Scope
from mergegate.host.account import PAID, Account, Caller
from mergegate.host.store import accounts, keys
from mergegate.host.store.database import Database
from mergegate.host.store.keys import NewKey
from mergegate.host.store.tables import keys as table
from tests.host.store.conftest import NOW, done, read

pytestmark = pytest.mark.anyio
DAY = dt.timedelta(days=1)
BOTH = frozenset({Scope.REPO, Scope.SITE})


async def made(
    database: Database, owner: Account, expires_at: dt.datetime | None = None, name: str = ""
) -> NewKey:
    return await done(database, lambda conn: keys.make(conn, owner.id, name, BOTH, expires_at, NOW))


async def caller(database: Database, key: str, now: dt.datetime = NOW) -> Caller | None:
    return (await read(database, lambda conn: keys.authenticate(conn, key, now))).caller


async def test_a_key_stands_for_its_account_with_its_scopes_and_plan(
    database: Database, shop: Account
) -> None:
    key = await made(database, shop)
    assert await caller(database, key.key) == Caller(key.id, shop.id, BOTH, shop.plan)
    await done(database, lambda conn: accounts.set_plan(conn, shop.id, PAID))
    assert await caller(database, key.key) == Caller(key.id, shop.id, BOTH, PAID)


async def test_a_key_has_256_random_bits_and_shows_48(database: Database, shop: Account) -> None:
    key, other = await made(database, shop), await made(database, shop)
    assert len(key.key) == len("mg_") + 43  # 6 bits a character
    assert key.key.startswith(key.prefix)
    assert len(key.prefix) == len("mg_") + 8
    assert key.key != other.key


async def test_only_the_hash_is_stored(database: Database, shop: Account) -> None:
    key = await made(database, shop)
    async with database.read() as conn:
        row = (await conn.execute(sa.select(table))).one()
    assert row.hash == hashlib.sha256(key.key.encode()).hexdigest()
    assert not any(key.key in str(value) for value in row)


async def test_no_key_stands_in_a_representation(database: Database, shop: Account) -> None:
    key = await made(database, shop)
    assert key.key not in repr(key)
    assert key.prefix in repr(key)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "mg_",
        "mg_" + "A" * 43,
        "mg_" + "A" * 44,
        "Mg_" + "A" * 43,
        "mg_" + "é" * 43,
        "mg_" + "A" * 42 + "\n",
        "mg_" + "\0" * 43,
        "mg_" + "\udcff" * 43,
        "A" * 1_048_576,
    ],
)
async def test_what_is_no_key_stands_for_nobody(
    database: Database, shop: Account, key: str
) -> None:
    await made(database, shop)
    assert await caller(database, key) is None


def test_a_key_of_a_megabyte_is_not_even_hashed() -> None:
    assert keys.hash_of("A" * 1_048_576) == keys.hash_of("")


def test_nothing_has_the_hash_that_stands_for_what_is_no_key() -> None:
    assert keys.hash_of("mg_") == keys.hash_of("") != keys.hash_of("mg_" + "A" * 43)


@pytest.mark.parametrize(
    ("after", "works"),
    [(-DAY, True), (dt.timedelta(microseconds=-1), True), (dt.timedelta(), False)],
)
async def test_a_key_works_until_it_expires(
    database: Database, shop: Account, after: dt.timedelta, works: bool
) -> None:
    key = await made(database, shop, expires_at=NOW + DAY)
    assert (await caller(database, key.key, NOW + DAY + after) is not None) is works


@pytest.mark.parametrize("by", ["id", "prefix"])
async def test_a_revoked_key_stands_for_nobody(database: Database, shop: Account, by: str) -> None:
    key, other = await made(database, shop), await made(database, shop)
    which = getattr(key, by)
    assert await done(database, lambda conn: keys.revoke(conn, which, NOW))
    assert not await done(database, lambda conn: keys.revoke(conn, which, NOW))
    assert await caller(database, key.key) is None
    assert await caller(database, other.key) is not None


async def test_of_many_who_revoke_a_key_at_once_one_does(database: Database, shop: Account) -> None:
    key = await made(database, shop)
    many = [database, Database.open(database.url)]
    told = await asyncio.gather(
        *(
            done(many[number % 2], lambda conn: keys.revoke(conn, key.id, NOW))
            for number in range(20)
        )
    )
    await many[1].close()
    assert sum(told) == 1


@pytest.mark.parametrize("text", ["", "a\0b", "\udcff", "mg_%", "x" * 1_000_000])
async def test_what_names_no_key_revokes_none(database: Database, shop: Account, text: str) -> None:
    key = await made(database, shop)
    assert not await done(database, lambda conn: keys.revoke(conn, text, NOW))
    assert await caller(database, key.key) is not None


async def test_a_key_itself_revokes_nothing(database: Database, shop: Account) -> None:
    """Who mistakes it for the prefix must not leave it in a log for nothing either."""
    key = await made(database, shop)
    assert not await done(database, lambda conn: keys.revoke(conn, key.key, NOW))


async def test_keys_are_listed_oldest_first_and_by_account(
    database: Database, shop: Account, rival: Account
) -> None:
    first = await made(database, shop, expires_at=NOW + DAY, name="nightly")
    second = await made(database, rival)
    await done(database, lambda conn: keys.revoke(conn, second.id, NOW + DAY))
    (theirs,) = await read(database, lambda conn: keys.listed(conn, shop.id))
    assert (theirs.id, theirs.account, theirs.name) == (first.id, "shop", "nightly")
    assert (theirs.scopes, theirs.expires_at, theirs.revoked_at) == (BOTH, NOW + DAY, None)
    listed = await read(database, keys.listed)
    assert {one.account: one.revoked_at for one in listed} == {"shop": None, "rival": NOW + DAY}


async def test_a_scope_of_another_release_is_left_out(database: Database, shop: Account) -> None:
    key = await made(database, shop)
    await done(database, lambda conn: conn.execute(sa.update(table).values(scopes="repo cluster")))
    found = await caller(database, key.key)
    assert found is not None
    assert found.scopes == {Scope.REPO}
    (line,) = await read(database, keys.listed)
    assert line.scopes == {Scope.REPO}
