"""Search Console tells the account that lent it, and its key never meets a page."""

import asyncio
import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.plans import Tool
from mergegate.host.account import FREE
from mergegate.host.order import ConsoleQuestion, order_in, written
from mergegate.host.runner.consoles import Google as Where
from mergegate.host.runner.executor import ScanExecutor, scan_executor
from mergegate.host.scan import Done
from mergegate.host.settings import service_settings
from mergegate.host.store import accounts, consoles
from mergegate.host.store.consoles import ConnectedConsole
from mergegate.host.store.database import Database
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.sandbox.process.slots import Child
from tests.host.runner.ready import ready
from tests.host.runner.scans import ACCEPTED, opened, scan_of
from tests.site.seo.gather.google import TOKEN, Google, service_account, serving

ROW = {"keys": ["lanterns"], "clicks": 3.0, "impressions": 90.0, "ctr": 0.1, "position": 2.0}
AUTHORISED = json.dumps(
    {"client_id": "cid", "client_secret": "sesame-of-google", "refresh_token": "1//made-up"}
)


class Desk:
    """A host with two accounts, one of which lends it Search Console."""

    def __init__(self, carriage: ScanExecutor, database: Database, google: Google) -> None:
        self.carriage = carriage
        self.database = database
        self.google = google
        self.accounts: dict[str, str] = {}

    async def settle_in(self, sealer: Sealer, key: str) -> None:
        async with self.database.change() as conn:
            for name in ("shop", "rival"):
                self.accounts[name] = (await accounts.create(conn, name, FREE, ACCEPTED)).id
            one = ConnectedConsole(self.accounts["shop"], "cid", ACCEPTED)
            await consoles.put(conn, one, sealer.seal(key, one.place))

    async def scanned(self, account: str, url: str) -> dict[str, Any]:
        scan = scan_of(Tool.SEO, {"url": url}, self.accounts[account])
        outcome = await self.carriage(scan)
        assert isinstance(outcome, Done), outcome
        return dict(json.loads(outcome.result))


@pytest.fixture(scope="module", params=[AUTHORISED, ""], ids=["authorised", "service-account"])
def desk(
    request: pytest.FixtureRequest, site: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    google = Google(rows=[ROW], total={"clicks": 3.0, "impressions": 90.0}, now=None)
    google.sites = ({"siteUrl": f"{site}/", "permissionLevel": "siteOwner"},)
    data = tmp_path_factory.mktemp("data")
    settings = service_settings({"MERGEGATE_ALLOW_HOSTS": site.removeprefix("http://")}, data)
    sealer, database = Sealer([new_key()]), opened(settings.database_url)
    with serving(google), asyncio.Runner() as runner:
        where = Where(google.base(), f"{google.base()}/token")
        carriage = scan_executor(database, sealer, settings, google=where)
        made = Desk(carriage, database, google)
        runner.run(made.settle_in(sealer, request.param or service_account()))
        with ready(carriage):
            yield made
        carriage.close()
        runner.run(database.close())


def test_the_account_that_lent_it_is_told_and_no_other(desk: Desk, site: str) -> None:
    async def both() -> list[dict[str, Any]]:
        return [await desk.scanned(name, f"{site}/") for name in ("shop", "rival")]

    asked = len(desk.google.asked)
    mine, theirs = asyncio.run(both())
    assert mine["searchConsole"]["clicks"] == 3.0
    assert [one["query"] for one in mine["searchConsole"]["queries"]] == ["lanterns"]
    assert "search-console" in [one["name"] for one in mine["engines"]]
    assert "searchConsole" not in theirs
    assert len(desk.google.asked) - asked == len({"token", "sites", "index", "rows", "total"})


def test_what_google_does_not_tell_is_no_fault_of_the_page(desk: Desk, site: str) -> None:
    desk.google.refuses["sites.list"] = 403
    try:
        result = asyncio.run(desk.scanned("shop", f"{site}/"))
    finally:
        desk.google.refuses.clear()
    assert result["status"] == "done"
    assert "may not read this" in result["searchConsole"]["failure"]


def test_the_key_is_in_the_order_of_a_child_that_sees_no_page(
    desk: Desk, site: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    orders: list[tuple[int, dict[str, Any]]] = []
    ask = Child.ask

    def noted(child: Child, line: bytes, timeout_s: float) -> bytes:
        orders.append((id(child), json.loads(line)))
        return ask(child, line, timeout_s)

    monkeypatch.setattr(Child, "ask", noted)
    result = asyncio.run(desk.scanned("shop", f"{site}/"))
    told = [(child, one) for child, one in orders if one["order"] != "hello"]
    assert [one["order"] for _, one in told] == ["console", "scan"]
    assert told[0][0] != told[1][0]
    key = told[0][1]["key"]
    assert key not in json.dumps([told[1][1], result])
    assert TOKEN not in json.dumps([told[1][1], result])


def test_a_question_comes_back_as_it_was_written_and_shows_no_key() -> None:
    asked = ConsoleQuestion(key="sesame", url="u", proxy="p", google="g", tokens="t")
    assert order_in(written(asked)) == asked
    assert "sesame" not in repr(asked)


def test_a_suspended_account_lends_nothing(desk: Desk) -> None:
    async def found() -> str | None:
        now = dt.datetime.now(dt.UTC)
        async with desk.database.change() as conn:
            await accounts.suspend(conn, desk.accounts["shop"], now)
            key = await consoles.find(conn, Sealer([new_key()]), desk.accounts["shop"])
            await accounts.resume(conn, desk.accounts["shop"])
            return key

    assert asyncio.run(found()) is None
