import datetime as dt

import pytest
import sqlalchemy as sa

from mergegate.host.store.database import Database
from mergegate.host.store.sql import in_utc
from mergegate.host.store.tables import accounts
from tests.host.store.conftest import NOW, done, read

FAR = dt.timezone(dt.timedelta(hours=5, minutes=30))


@pytest.mark.anyio
@pytest.mark.parametrize("moment", [NOW, NOW.replace(microsecond=0), NOW.astimezone(FAR)])
async def test_a_moment_comes_back_aware_in_utc_and_whole(
    database: Database, moment: dt.datetime
) -> None:
    row = {"id": "acc_1", "name": "shop", "plan": "free", "created_at": moment}
    await done(database, lambda conn: conn.execute(sa.insert(accounts).values(row)))
    found = await read(database, lambda conn: conn.scalar(sa.select(accounts.c.created_at)))
    assert found == moment
    assert found is not None
    assert found.tzinfo is dt.UTC


@pytest.mark.anyio
async def test_moments_of_other_zones_are_compared_by_when_they_were(database: Database) -> None:
    row = {"id": "acc_1", "name": "shop", "plan": "free", "created_at": NOW}
    await done(database, lambda conn: conn.execute(sa.insert(accounts).values(row)))
    for later, expected in ((-1, False), (1, True)):
        asked = NOW.astimezone(FAR) + dt.timedelta(microseconds=later)
        async with database.read() as conn:
            found = await conn.scalar(sa.select(accounts.c.created_at < asked))
        assert bool(found) is expected


def test_a_moment_without_a_zone_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="time zone"):
        in_utc(NOW.replace(tzinfo=None))
