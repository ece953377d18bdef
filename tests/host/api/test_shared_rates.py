"""One limit for all processes of a host."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from mergegate.host.account import FREE
from mergegate.host.api.limits import RateLimits, SharedRates
from mergegate.host.store.database import Database
from mergegate.host.store.tables import rates
from mergegate.host.store.usage import Use
from tests.host.api.conftest import Host, toy, wait_until
from tests.postgres import Server, migrated_file

LIMIT = FREE.requests_a_minute or 0
NOWHERE = "/api/repo/result?id=rs_none"


@pytest.fixture
def pair(postgres_server: Server, samples: Path, tmp_path: Path) -> Iterator[list[Host]]:
    """Two hosts on one PostgreSQL."""
    name = f"pair{os.getpid()}"
    postgres_server.run(f"CREATE DATABASE {name} TEMPLATE template0")
    hosts = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        hosts.append(toy(folder, samples, postgres_server.url(name)))
    for one in hosts:
        one.start()
    yield hosts
    for one in hosts:
        one.stop(signal.SIGKILL)
    postgres_server.run(f"DROP DATABASE {name} WITH (FORCE)")


def test_what_one_process_let_through_another_does_not(pair: list[Host]) -> None:
    first, second = pair
    key = first.key(first.account(FREE))
    asking = first.client(key)
    assert {asking.get(NOWHERE).status_code for _ in range(LIMIT)} == {404}
    counted = sa.select(sa.func.sum(rates.c.requests))
    wait_until(lambda: first.change(lambda conn: conn.scalar(counted)) == LIMIT)
    refused, passed = _until_refused(second.client(key))
    assert passed < LIMIT
    assert refused.json()["code"] == "RATE_LIMITED"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60


def _until_refused(client: httpx.Client) -> tuple[httpx.Response, int]:
    """The refusal, and how many requests went through before: slowly, it hears once a second."""
    for passed in range(LIMIT + 1):
        answer = client.get(NOWHERE)
        if answer.status_code == 429:
            return answer, passed
        time.sleep(0.2)
    raise AssertionError("the limit is none")


def test_what_others_counted_counts_here_until_it_is_over() -> None:
    counted = RateLimits()
    assert counted.wait_s("a", 3, 100.0) == 0
    counted.hear({"a": Use(2, 20.0)}, 110.0)
    assert counted.wait_s("a", 3, 110.0) == 20
    assert counted.wait_s("b", 3, 110.0) == 0
    counted.hear({}, 111.0)
    assert counted.wait_s("a", 3, 111.0) == 0


def test_only_what_still_counts_is_told() -> None:
    counted = RateLimits()
    for at_s in (100.0, 101.0, 101.5):
        counted.wait_s("a", 5, at_s)
    assert counted.used(110.0) == {"a": Use(3, 50.0)}
    assert counted.used(160.5) == {"a": Use(2, 1.0)}
    assert counted.used(161.0) == {}


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_key_that_rests_is_told_once_and_then_no_more(tmp_path: Path) -> None:
    (tmp_path / "service.db").write_bytes(migrated_file())
    database, counted, time_s = (
        Database.open(f"sqlite:///{tmp_path}/service.db"),
        RateLimits(),
        [0.0],
    )
    sharing = SharedRates(database, counted, lambda: time_s[0])
    stand = []
    counted.wait_s("a", 5, 0.0)
    for time_s[0] in (1.0, 2.0, 70.0, 71.0):
        await sharing.exchange()
        async with database.read() as conn:
            row = (await conn.execute(sa.select(rates.c.requests, rates.c.told_at))).one()
        stand.append(tuple(row))
    await database.close()
    assert [requests for requests, _ in stand] == [1, 1, 0, 0]
    assert stand[0] == stand[1] and stand[2] == stand[3]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_key_that_is_used_as_often_as_ever_is_told_anew(tmp_path: Path) -> None:
    """What was told a minute ago no longer counts."""
    (tmp_path / "service.db").write_bytes(migrated_file())
    database, counted, time_s = (
        Database.open(f"sqlite:///{tmp_path}/service.db"),
        RateLimits(),
        [0.0],
    )
    sharing = SharedRates(database, counted, lambda: time_s[0])
    stand = []
    for time_s[0] in (1.0, 61.0):
        counted.wait_s("a", 5, time_s[0])
        await sharing.exchange()
        async with database.read() as conn:
            row = (await conn.execute(sa.select(rates.c.requests, rates.c.told_at))).one()
        stand.append(tuple(row))
    await database.close()
    assert [requests for requests, _ in stand] == [1, 1]
    assert stand[0] != stand[1]
