"""What is counted once, and what is refused when too much is asked for."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx
import pytest
import sqlalchemy as sa

from mergegate.core.change import Provider
from mergegate.core.plans import Lane, Tool
from mergegate.host.account import FREE, UNLIMITED, Account
from mergegate.host.api.acceptance import accept
from mergegate.host.api.problems import Code, Refusal, busy
from mergegate.host.api.scan_requests import ScanRequest
from mergegate.host.store import connections
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from mergegate.host.store.tables import audit_months, scans
from tests.host.api.conftest import Host, now, settled, wait_until
from tests.host.api.test_requests import REPO

SITE = "https://shop.example.org/"
FREE_BUT_FAST = replace(FREE, requests_a_minute=None)


@pytest.fixture
def free(host: Host) -> Account:
    """On the free plan."""
    return host.account(FREE)


def count(host: Host, account: Account) -> int:
    """Its scans."""
    mine = sa.select(sa.func.count()).where(scans.c.account_id == account.id)
    return host.change(lambda conn: conn.scalar(mine)) or 0


def audits(host: Host, account: Account, *urls: str) -> list[httpx.Response]:
    client = host.client(host.key(account))
    return [client.post("/api/audit", json={"url": url}) for url in urls]


SPELLINGS = [
    "http://shop.example.org/",
    "HTTPS://SHOP.Example.ORG./x?y#z",
    "https://www.shop.example.org/",
    "https://shop.example.org:443/",
    "https://other.example.org/",
]


def test_a_site_is_cooled_down_however_it_is_spelled(host: Host, free: Account) -> None:
    assert {one.status_code for one in audits(host, free, *[SITE] * 5)} == {200}
    *refused, other = audits(host, free, *SPELLINGS, "https://elsewhere.example.com/")
    assert {(one.status_code, one.json()["code"]) for one in refused} == {(429, "SCAN_COOLDOWN")}
    assert all(1 <= int(one.headers["Retry-After"]) <= 900 for one in refused)
    assert other.status_code == 200
    assert count(host, free) == 6


def test_names_beyond_ascii_are_one_site_with_their_other_spelling(
    host: Host, free: Account
) -> None:
    audits(host, free, *["https://bücher.example.com/"] * 5)
    (refused,) = audits(host, free, "https://xn--bcher-kva.example.com/")
    assert refused.json()["code"] == "SCAN_COOLDOWN"


def test_only_audits_that_were_answered_count_and_headers_tell_what_is_left(
    host: Host, free: Account
) -> None:
    failed = audits(host, free, *["https://unreachable.example.org/"] * 6)
    assert {one.status_code for one in failed} == {422}
    answered = audits(host, free, *[SITE] * 5)
    assert {one.status_code for one in answered} == {200}
    (refused,) = audits(host, free, SITE)
    assert refused.json()["code"] == "SCAN_COOLDOWN"
    told = [one.headers["X-Audits-Remaining"] for one in (*failed, *answered, refused)]
    assert told == [*["5"] * 6, "4", "3", "2", "1", "0", "0"]
    assert refused.headers["X-Audits-Limit"] == "5"
    assert 0 < int(refused.headers["X-Audits-Reset"]) <= 31 * 86_400
    (unlimited,) = audits(host, host.account(), SITE)
    assert "X-Audits-Limit" not in unlimited.headers


def test_the_cooldown_is_the_accounts_whichever_key_is_used(host: Host, free: Account) -> None:
    audits(host, free, *[SITE] * 5)
    (refused,) = audits(host, free, SITE)  # makes a key of its own
    assert refused.status_code == 429


def test_a_refused_address_counts_for_nothing(host: Host, free: Account) -> None:
    refused = audits(host, free, *["http://10.0.0.1/"] * 6)
    assert {one.json()["code"] for one in refused} == {"TARGET_NOT_ALLOWED"}
    assert {one.status_code for one in audits(host, free, *[SITE] * 5)} == {200}
    assert count(host, free) == 5


def test_a_paid_plan_knows_no_cooldown(host: Host) -> None:
    answers = audits(host, host.account(), *[SITE] * 7)
    assert {one.status_code for one in answers} == {200}


@pytest.mark.parametrize(
    "host", [pytest.param("sqlite", marks=pytest.mark.thorough), "postgresql"], indirect=True
)
def test_of_a_thousand_parallel_audits_exactly_five_are_free(host: Host) -> None:
    many = 1_000 if host.database_url.startswith("sqlite") else 300  # that one is slower
    account = host.account(FREE)
    keys = [host.key(account) for _ in range(20)]  # 60 requests a minute each
    clients = [host.client(key) for key in keys]

    def ask(at: int) -> int:
        body = {"url": f"https://s{at}.example.org/"}
        return clients[at % len(clients)].post("/api/audit", json=body).status_code

    with ThreadPoolExecutor(32) as callers:
        answers = list(callers.map(ask, range(many)))
    used = sa.select(audit_months.c.used).where(audit_months.c.account_id == account.id)
    assert host.change(lambda conn: conn.scalar(used)) == 5
    assert (answers.count(200), answers.count(429)) == (5, many - 5)
    assert count(host, account) == 5


def test_an_idempotency_key_starts_one_scan(host: Host) -> None:
    account = host.account()
    client = host.client(host.key(account))
    headers = {"Idempotency-Key": "one"}
    body: dict[str, Any] = {"url": SITE, "renderJs": False}

    def ask(_: object = None, **more: Any) -> httpx.Response:
        return client.post("/api/seo-optimizer", json=body | more, headers=headers)

    with ThreadPoolExecutor(8) as callers:
        answers = list(callers.map(ask, range(8)))
    assert {one.status_code for one in answers} == {200}
    assert len({one.content for one in answers}) == 1
    settled(client, "/api/seo-optimizer", answers[0].json()["scanId"])
    assert ask().content == answers[0].content
    assert count(host, account) == 1


def test_an_idempotency_key_with_another_request_is_a_conflict(host: Host) -> None:
    account = host.account()
    client = host.client(host.key(account))
    headers = {"Idempotency-Key": "one"}
    client.post("/api/seo-optimizer", json={"url": SITE}, headers=headers)
    other = client.post("/api/seo-optimizer", json={"url": f"{SITE}x"}, headers=headers)
    tool = client.post("/api/audit", json={"url": SITE}, headers=headers)
    for one in (other, tool):
        assert (one.status_code, one.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert count(host, account) == 1


def test_a_repeated_request_is_the_first_whatever_the_account_is_connected_with(
    host: Host,
) -> None:
    account = host.account()
    client, once = host.client(host.key(account)), {"Idempotency-Key": "one"}

    def ask() -> httpx.Response:
        return client.post("/api/repo/scan", json=REPO, headers=once)

    host.connect(account, Provider.GITHUB)
    first = ask()
    host.connect(account, Provider.GITLAB)
    assert ask().content == first.content
    for one in (Provider.GITHUB, Provider.GITLAB):
        host.change(partial(connections.remove, account_id=account.id, provider=one))
    assert ask().content == first.content
    other = client.post("/api/repo/scan", json={**REPO, "provider": "github"}, headers=once)
    assert other.json()["code"] == "IDEMPOTENCY_CONFLICT"


def test_a_repeated_audit_is_the_first_one_and_counts_once(host: Host, free: Account) -> None:
    client = host.client(host.key(free))
    answers = [
        client.post("/api/audit", json={"url": SITE}, headers={"Idempotency-Key": "one"})
        for _ in range(7)
    ]
    assert {one.json()["reportId"] for one in answers} == {answers[0].json()["reportId"]}
    assert count(host, free) == 1


def test_a_full_lane_is_told_when_to_come_back(own_host: Any) -> None:
    host = own_host(
        MERGEGATE_SLOTS="light=1,repository=0,browser=0,waited=1",
        MERGEGATE_MOST_WAITING="light=3,waited=1",
    )
    host.start()
    client = host.client()
    once = {"Idempotency-Key": "once"}
    first = client.post("/api/seo-optimizer", json={"url": SITE}, headers=once)
    answers = [_seo(client, f"https://slow-f.example.org/{at}") for at in range(12)]
    again = client.post("/api/seo-optimizer", json={"url": SITE}, headers=once)
    assert again.content == first.content  # what was accepted stays so
    refused = [one for one in answers if one.status_code == 503]
    accepted = [one.json()["scanId"] for one in answers if one.status_code == 200]
    assert len(accepted) + len(refused) == 12 and len(refused) >= 6
    assert {one.json()["code"] for one in refused} == {"OVERLOADED"}
    assert all(int(one.headers["Retry-After"]) >= 1 for one in refused)
    (host.folder / "gate" / "f").touch()
    for scan_id in accepted:
        assert settled(client, "/api/seo-optimizer", scan_id)["status"] == "done"


def test_equal_scans_that_wait_become_one(own_host: Any) -> None:
    host = own_host(MERGEGATE_SLOTS="light=1,repository=0,browser=0,waited=1")
    host.start()
    client = host.client()
    first = client.post("/api/seo-optimizer", json={"url": "https://slow-s.example.org/"})
    wait_until(lambda: _begun(host, first.json()["scanId"]))
    again = [client.post("/api/seo-optimizer", json={"url": SITE}).json() for _ in range(3)]
    assert len({one["scanId"] for one in again}) == 1
    assert again[0] != first.json()
    (host.folder / "gate" / "s").touch()


def _begun(host: Host, scan_id: str) -> bool:
    started = sa.select(scans.c.started_at).where(scans.c.id == scan_id)
    return host.change(lambda conn: conn.scalar(started)) is not None


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_who_is_refused_for_load_costs_the_database_nothing() -> None:
    class Full:
        async def refresh(self) -> None:
            """It knows."""

        def check(self, _: Lane) -> None:
            raise busy("Full.")

    service: Any = SimpleNamespace(draining=asyncio.Event(), backpressure=Full(), database=None)
    caller: Any = None
    with pytest.raises(Refusal) as refused:
        await accept(service, caller, ScanRequest(Tool.SEO, Lane.LIGHT, "{}"), None)
    assert refused.value.code is Code.OVERLOADED


def test_an_account_that_floods_is_stopped_alone(own_host: Any) -> None:
    host = own_host(MERGEGATE_SLOTS="light=1,repository=0,browser=0,waited=1")
    host.start()
    flood, calm = host.client(host.key(host.account(FREE))), host.client()
    account = host.account(FREE)
    clients = [host.client(host.key(account)) for _ in range(2)]
    answers = [
        _seo(clients[at % 2], f"https://slow-f.example.org/{at}").status_code for at in range(110)
    ]
    assert answers.count(200) in {100, 101}  # one may have begun
    assert set(answers) == {200, 503}
    assert _seo(calm, SITE).status_code == 200
    (host.folder / "gate" / "f").touch()
    flood.close()


def test_twice_the_load_is_answered_with_patience_and_harms_no_accepted_scan(own_host: Any) -> None:
    host = own_host(MERGEGATE_MOST_WAITING="light=20")
    host.start()
    client = host.client()
    with ThreadPoolExecutor(16) as callers:
        answers = list(
            callers.map(lambda at: _seo(client, f"https://slow-o.example.org/{at}"), range(60))
        )
    refused = [one for one in answers if one.status_code != 200]
    assert refused
    assert {one.status_code for one in refused} <= {429, 503}
    assert all(int(one.headers["Retry-After"]) >= 1 for one in refused)
    (host.folder / "gate" / "o").touch()
    accepted = {one.json()["scanId"] for one in answers if one.status_code == 200}
    results = [settled(client, "/api/seo-optimizer", one) for one in accepted]
    assert {one["status"] for one in results} == {"done"}


def _seo(client: httpx.Client, url: str) -> httpx.Response:
    return client.post("/api/seo-optimizer", json={"url": url})


def test_a_database_that_is_gone_is_no_mistake_of_the_callers(
    own_host: Any, postgres_server: Any
) -> None:
    name = "gone"
    postgres_server.run(f"CREATE DATABASE {name} TEMPLATE template0")
    host = own_host()
    host.database_url = postgres_server.url(name)
    host.start()
    client = host.client()
    postgres_server.run(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
    postgres_server.run(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    )
    answer = client.get("/api/repo/result", params={"id": "rs_1"})
    assert (answer.status_code, answer.json()["code"]) == (503, "OVERLOADED")
    assert int(answer.headers["Retry-After"]) >= 1
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    postgres_server.run(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
    wait_until(lambda: client.get("/readyz").status_code == 200)
    assert _seo(client, SITE).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_an_account_that_is_removed_meanwhile_has_no_key_any_more(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/service.db"
    migrate(url)
    database = Database.open(url)
    backpressure: Any = Mock(refresh=AsyncMock())
    service: Any = SimpleNamespace(
        draining=asyncio.Event(), backpressure=backpressure, database=database, now=now
    )
    gone: Any = SimpleNamespace(account_id="removed", plan=UNLIMITED)
    with pytest.raises(Refusal) as refused:
        await accept(service, gone, ScanRequest(Tool.SEO, Lane.LIGHT, "{}"), None)
    assert refused.value.code is Code.UNAUTHORIZED
    await database.close()
