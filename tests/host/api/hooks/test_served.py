"""A host hears of a change beside its API: nobody has a key, and nothing of it is in the log."""

import datetime as dt
import json
from collections.abc import Callable
from functools import partial

import httpx
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.core.plans import Lane, Tool
from mergegate.forges.deliveries import Credentials
from mergegate.host.scan import Scan
from mergegate.host.store import hooks, scans
from mergegate.host.store.hooks import Hook
from mergegate.host.store.sealing import Sealer
from tests.forges.hooks import saying
from tests.forges.hooks.saying import SECRET, hub
from tests.host.api.conftest import PLAIN, SEAL, Host


async def add(hook: Hook, conn: AsyncConnection) -> None:
    sealed = Sealer([SEAL]).seal(Credentials(secret=SECRET.decode()).text(), hook.place)
    await hooks.add(conn, hook, sealed)


async def found(account: str, id: str, conn: AsyncConnection) -> Scan | None:
    return await scans.find(conn, account, id)


def test_a_delivery_to_a_host_is_queued_for_its_workers(own_host: Callable[..., Host]) -> None:
    host = own_host(MERGEGATE_SLOTS="repository=0,browser=0,light=1,waited=1")
    host.start()
    account = host.account().id
    made = dt.datetime.now(dt.UTC)
    host.change(partial(add, Hook("hook_1", account, Provider.GITHUB, made)))
    content = json.dumps(saying.pull_request()).encode()
    headers = {"X-GitHub-Event": "pull_request", "X-GitHub-Delivery": "d-1"}
    signed = headers | {"X-Hub-Signature-256": hub(content)}
    with httpx.Client(base_url=host.url, timeout=60, verify=PLAIN) as forge:
        answers = [
            forge.post("/hooks/github/hook_1", content=content, headers=headers),
            forge.post("/hooks/github/hook_1", content=content, headers=signed),
            forge.post("/hooks/github/hook_1", content=content, headers=signed),
            forge.get("/hooks/github/hook_1"),
        ]
    assert [one.status_code for one in answers] == [401, 202, 202, 405]
    assert answers[2].json() == {"status": "duplicate"}
    scan = host.change(partial(found, account, answers[1].json()["scanId"]))
    assert scan is not None
    assert (scan.tool, scan.lane) == (Tool.CHANGE, Lane.REPOSITORY)
    log = host.log.read_text()
    assert answers[1].json()["scanId"] in log
    assert [word in log for word in (SECRET.decode(), hub(content), "topic")] == [False] * 3
