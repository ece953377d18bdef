"""A delivery is believed when it is signed, queued once, and answered at once."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from mergegate.core.change import Provider
from mergegate.core.plans import Lane, Tool
from mergegate.forges.deliveries import Credentials, ScanRequest
from mergegate.host.account import FREE, PLANS, Account
from mergegate.host.api.app import create_app
from mergegate.host.api.limits import Backpressure
from mergegate.host.api.service import Service
from mergegate.host.api.synchronous import ScanWatch
from mergegate.host.api.webhooks import Webhooks, webhook_routes
from mergegate.host.jobs.cancellation import SUPERSEDED
from mergegate.host.scan import Priority, Scan
from mergegate.host.store import accounts, hooks, scans
from mergegate.host.store.database import Database
from mergegate.host.store.hooks import Hook
from mergegate.host.store.scans import COLUMNS, scan_of
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.host.store.tables import scans as table
from mergegate.site.address import policy_for
from tests.forges.hooks import saying
from tests.forges.hooks.saying import NOW, SECRET, hub
from tests.host.store import conftest as store
from tests.postgres import migrated_file

pytestmark = pytest.mark.anyio
SEALER = Sealer([new_key()])
MOST = 9
"""Scans of a lane that may wait."""


@dataclass
class Clock:
    """Stands still."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Host:
    """One account with a hook of each kind, and somebody who delivers."""

    database: Database
    account: Account
    client: httpx.AsyncClient
    received: Webhooks
    clock: "Clock"

    async def deliver(
        self, provider: Provider, body: Any, headers: Mapping[str, str], hook: str = ""
    ) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        path = f"/hooks/{provider}/{hook or f'hook-{provider}'}"
        return await self.client.post(path, content=content, headers=dict(headers))

    async def github(self, body: Any, event: str = "pull_request", id: str = "1") -> httpx.Response:
        content = json.dumps(body).encode()
        headers = {
            "X-GitHub-Event": event,
            "X-GitHub-Delivery": id,
            "X-Hub-Signature-256": hub(content),
        }
        return await self.deliver(Provider.GITHUB, content, headers)

    async def gitlab(self, body: Any, id: str = "1") -> httpx.Response:
        told = {"X-Gitlab-Event": "Note Hook", "X-Gitlab-Token": SECRET.decode()}
        return await self.deliver(Provider.GITLAB, body, told | {"Idempotency-Key": id})


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    """For what no database has a part in."""
    (tmp_path / "service.db").write_bytes(migrated_file())
    database = Database.open(f"sqlite:///{tmp_path}/service.db")
    async with hosted(database) as made:
        yield made
    await database.close()


@pytest.fixture
async def each_host(database: Database) -> AsyncIterator[Host]:
    """On each kind of database in turn."""
    async with hosted(database) as made:
        yield made


@asynccontextmanager
async def hosted(database: Database) -> AsyncIterator[Host]:
    async with database.change() as conn:
        account = await accounts.create(conn, "shop", FREE, NOW)
        for provider in Provider:
            hook = Hook(f"hook-{provider}", account.id, provider, NOW)
            secret = Credentials(secret=SECRET.decode()).text()
            await hooks.add(conn, hook, SEALER.seal(secret, hook.place))
    watch, clock = ScanWatch(database), Clock()
    service = Service(
        database=database,
        policy=policy_for(also=()),
        watch=watch,
        backpressure=Backpressure(database, dict.fromkeys(Lane, MOST), clock),
        now=lambda: NOW,
    )
    received = Webhooks(service, SEALER)
    way = httpx.ASGITransport(create_app(service, webhook_routes(received)))
    async with httpx.AsyncClient(transport=way, base_url="http://host.example.org") as client:
        yield Host(database, account, client, received, clock)
    await watch.close()


async def begun(host: Host, scan_id: str) -> None:
    async with host.database.change() as conn:
        await store.begun(conn, scan_id, "worker", NOW)


async def accepted(host: Host) -> list[Scan]:
    async with host.database.read() as conn:
        return [scan_of(row) for row in await conn.execute(sa.select(*COLUMNS))]


async def test_a_signed_delivery_is_queued_and_acknowledged(each_host: Host) -> None:
    host = each_host
    answer = await host.github(saying.pull_request())
    assert answer.status_code == 202
    (scan,) = await accepted(host)
    assert answer.json() == {"status": "queued", "scanId": scan.id}
    assert (scan.tool, scan.lane) == (Tool.CHANGE, Lane.REPOSITORY)
    assert scan.account_id == host.account.id
    async with host.database.read() as conn:
        assert await conn.scalar(sa.select(table.c.priority)) == Priority.SOON
    errand = ScanRequest.model_validate_json(scan.request)
    assert (errand.hook, errand.heard.change.number) == ("hook-github", 7)
    assert errand.installation == 77


async def test_every_forge_is_heard(host: Host) -> None:
    note = json.dumps(saying.note()).encode()
    pull = json.dumps(saying.bitbucket_pull()).encode()
    lab = {"X-Gitlab-Event": "Note Hook", "X-Gitlab-Token": SECRET.decode()}
    bucket = {"X-Event-Key": "pullrequest:created", "X-Hub-Signature": hub(pull)}
    answers = [
        await host.github(saying.pull_request()),
        await host.deliver(Provider.GITLAB, note, lab),
        await host.deliver(Provider.BITBUCKET, pull, bucket),
    ]
    assert [one.json()["status"] for one in answers] == ["queued"] * 3
    assert len(await accepted(host)) == 3


async def test_what_is_not_signed_looks_alike_and_leaves_nothing(host: Host) -> None:
    body = saying.pull_request()
    signed = {
        "X-GitHub-Event": "pull_request",
        "X-Hub-Signature-256": hub(json.dumps(body).encode()),
    }
    answers = [
        await host.deliver(Provider.GITHUB, body, {"X-GitHub-Event": "pull_request"}),
        await host.deliver(Provider.GITHUB, body, {**signed, "X-Hub-Signature-256": "sha256=0"}),
        await host.deliver(Provider.GITHUB, body, signed, hook="hook-nobody"),
        await host.deliver(Provider.GITHUB, body, signed, hook="hook-gitlab"),
        await host.deliver(Provider.GITHUB, body, signed, hook="x" * 500),
        await host.deliver(Provider.GITHUB, b"[" * 100_000, signed),
    ]
    problems = [{**one.json(), "instance": ""} for one in answers]
    assert {one.status_code for one in answers} == {401}
    assert all(one == problems[0] for one in problems)
    assert await accepted(host) == []


async def test_a_provider_that_is_none_is_refused(host: Host) -> None:
    answer = await host.client.post("/hooks/gitea/hook-github", content=b"{}")
    assert answer.status_code == 401


async def test_a_delivery_that_comes_again_is_queued_once(each_host: Host) -> None:
    host = each_host
    first = await host.github(saying.pull_request())
    again = await host.github(saying.pull_request())
    assert (first.json()["status"], again.json()) == ("queued", {"status": "duplicate"})
    assert len(await accepted(host)) == 1


async def test_a_delivery_that_comes_fifty_times_at_once_is_queued_once(each_host: Host) -> None:
    host = each_host
    answers = await asyncio.gather(*(host.github(saying.pull_request()) for _ in range(50)))
    assert sorted({one.json()["status"] for one in answers}) == ["duplicate", "queued"]
    assert len(await accepted(host)) == 1


async def test_a_newer_delivery_joins_what_has_not_begun(each_host: Host) -> None:
    host = each_host
    first = await host.github(saying.pull_request(), id="1")
    later = await host.github(saying.pull_request("synchronize"), id="2")
    assert later.json() == first.json()
    assert len(await accepted(host)) == 1


async def test_a_newer_delivery_replaces_what_is_under_way(each_host: Host) -> None:
    host = each_host
    first = (await host.github(saying.pull_request(), id="1")).json()["scanId"]
    await begun(host, first)
    later = (await host.github(saying.pull_request("synchronize"), id="2")).json()["scanId"]
    assert later != first
    over = await found(host, first)
    assert over.outcome == SUPERSEDED
    assert (await found(host, later)).outcome is None


async def found(host: Host, scan_id: str) -> Scan:
    async with host.database.read() as conn:
        scan = await scans.find(conn, host.account.id, scan_id)
    assert scan is not None
    return scan


async def test_another_pull_request_replaces_nothing(host: Host) -> None:
    first = (await host.github(saying.pull_request(), id="1")).json()["scanId"]
    await begun(host, first)
    other = saying.pull_request()
    other["pull_request"]["number"] = 8
    await host.github(other, id="2")
    assert [one.outcome for one in await accepted(host)] == [None, None]


async def test_orders_stand_beside_each_other(host: Host) -> None:
    for number in (1, 2):
        answer = await host.gitlab(saying.note(id=number), id=str(number))
        await begun(host, answer.json()["scanId"])
    assert [one.outcome for one in await accepted(host)] == [None, None]


async def test_what_is_said_again_under_another_name_is_a_duplicate(host: Host) -> None:
    answers = [
        await host.github(saying.pull_request(), id="1"),
        await host.github(saying.pull_request(), id="2"),
        await host.gitlab(saying.note(), id="3"),
        await host.gitlab(saying.note(created_at="2026-03-04T13:00:00Z"), id="4"),
    ]
    said = [one.json()["status"] for one in answers]
    assert said == ["queued", "duplicate", "queued", "duplicate"]


async def test_checks_may_be_asked_for_again_in_the_same_words(host: Host) -> None:
    for id in ("1", "2"):
        answer = await host.github(saying.suite(), "check_suite", id=id)
        assert answer.json()["status"] == "queued"
        await begun(host, answer.json()["scanId"])
    assert len(await accepted(host)) == 2


async def test_a_full_lane_refuses_for_now_and_remembers_nothing(host: Host) -> None:
    full = [await host.gitlab(saying.note(id=id), id=str(id)) for id in range(1, 12)]
    assert [one.status_code for one in full] == [202] * MOST + [503] * (11 - MOST)
    assert int(full[-1].headers["Retry-After"]) > 0
    await begun(host, full[0].json()["scanId"])
    host.clock.seconds += 60
    again = await host.gitlab(saying.note(id=11), id="11")
    assert again.json()["status"] == "queued"


async def test_an_account_has_so_many_waiting_and_no_more(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLANS, "free", replace(FREE, most_waiting=2))
    answers = [await host.gitlab(saying.note(id=id), id=str(id)) for id in (1, 2, 3)]
    assert [one.status_code for one in answers] == [202, 202, 503]
    assert len(await accepted(host)) == 2


async def test_few_large_bodies_are_held_at_a_time(host: Host) -> None:
    while not host.received.large.locked():
        await host.received.large.acquire()
    large = await host.github(saying.pull_request(body="x" * (1 << 20)))
    small = await host.github(saying.pull_request())
    assert (large.status_code, small.status_code) == (503, 202)
    host.received.large.release()
    assert (await host.github(saying.pull_request(body="x" * (1 << 20)))).status_code == 202


@pytest.mark.parametrize("length", [70 << 10, 2 << 20])
async def test_strangers_hold_no_place_that_a_forge_would_need(host: Host, length: int) -> None:
    while not host.received.strange.locked():
        await host.received.strange.acquire()
    body = json.dumps(saying.pull_request(body="x" * length)).encode()
    headers = {"X-GitHub-Event": "pull_request", "X-Hub-Signature-256": hub(body)}
    strange = await host.deliver(Provider.GITHUB, body, headers, hook="hook-nobody")
    genuine = await host.deliver(Provider.GITHUB, body, headers)
    assert (strange.status_code, genuine.status_code) == (503, 202)


async def test_a_body_whose_length_nobody_says_is_read(host: Host) -> None:
    content = json.dumps(saying.pull_request()).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(content), 100):
            yield content[start : start + 100]

    headers = {"X-GitHub-Event": "pull_request", "X-Hub-Signature-256": hub(content)}
    answer = await host.client.post("/hooks/github/hook-github", content=pieces(), headers=headers)
    assert answer.json()["status"] == "queued"


async def test_a_host_that_stops_takes_nothing_new(host: Host) -> None:
    host.received.service.draining.set()
    assert (await host.github(saying.pull_request())).status_code == 503


@pytest.mark.parametrize(
    ("event", "body"),
    [
        ("ping", {"zen": "x"}),
        ("pull_request", saying.pull_request("labeled")),
        ("pull_request", {"action": "opened"}),
    ],
)
async def test_what_asks_for_nothing_is_acknowledged(host: Host, event: str, body: Any) -> None:
    answer = await host.github(body, event)
    assert (answer.status_code, answer.json()["status"]) == (202, "ignored")
    assert await accepted(host) == []


async def test_talk_is_no_order(host: Host) -> None:
    lab = {"X-Gitlab-Event": "Note Hook", "X-Gitlab-Token": SECRET.decode()}
    answer = await host.deliver(Provider.GITLAB, saying.note(note="Looks good"), lab)
    assert answer.json() == {"status": "ignored", "reason": "the comment gives no order"}


async def test_an_old_signature_of_gitlab_is_refused(host: Host) -> None:
    content = json.dumps(saying.note()).encode()
    old = saying.standard(content, at=NOW - dt.timedelta(hours=1))
    headers = {name.replace("_", "-"): said for name, said in old.items()}
    answer = await host.deliver(Provider.GITLAB, content, headers | {"X-Gitlab-Event": "Note Hook"})
    assert answer.status_code == 401


async def test_more_than_github_sends_is_not_read(host: Host) -> None:
    # Said, and not sent: the refusal comes before the body.
    answer = await host.deliver(Provider.GITHUB, b"x", {"Content-Length": str((25 << 20) + 1)})
    assert (answer.status_code, answer.json()["code"]) == (413, "PAYLOAD_TOO_LARGE")
