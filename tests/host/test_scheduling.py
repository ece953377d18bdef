import datetime as dt
import json

import pytest

from mergegate.core.change import Provider
from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane, Tool
from mergegate.host.account import FREE
from mergegate.host.commands.schedules import SCHEDULABLE, scheduled
from mergegate.host.store import accounts, connections
from mergegate.host.store.connections import Connection
from mergegate.host.store.database import Database
from mergegate.sandbox.egress.policy import PUBLIC
from tests.postgres import database, database_url, postgres_server

__all__ = ["database", "database_url", "postgres_server"]
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]
NOW = dt.datetime(2026, 3, 1, 9, 30, tzinfo=dt.UTC)
PAGE = '{"url": "HTTPS://Example.org"}'
REPOSITORY = '{"owner": "acme", "repo": "shop"}'


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def ordered(
    database: Database, tool: Tool, body: str, *providers: Provider
) -> tuple[Lane, dict[str, object]]:
    async with database.change() as conn:
        owner = await accounts.create(conn, "shop", FREE, NOW)
        for one in providers:
            given = Connection(f"con_{one}", owner.id, one, f"https://{one}.example.org", NOW)
            await connections.put(conn, given, "sealed")
        order = await scheduled(conn, owner.id, tool, body, PUBLIC)
    assert order.tool is tool
    return order.lane, json.loads(order.request)


@pytest.mark.parametrize(
    ("tool", "lane"),
    [
        (Tool.SEO, Lane.LIGHT),
        (Tool.AUDIT, Lane.BROWSER),
        (Tool.BROWSER_TEST, Lane.BROWSER),
        (Tool.SECURITY_SCAN, Lane.LIGHT),
    ],
)
async def test_a_page_is_scanned_where_nobody_waits(
    database: Database, tool: Tool, lane: Lane
) -> None:
    assert await ordered(database, tool, PAGE) == (lane, {"url": "https://example.org/"})


async def test_a_page_that_is_rendered_needs_a_browser(database: Database) -> None:
    body = '{"url": "https://example.org", "renderJs": true}'
    assert (await ordered(database, Tool.SEO, body))[0] is Lane.BROWSER


async def test_the_only_connection_is_the_one(database: Database) -> None:
    lane, request = await ordered(database, Tool.REPOSITORY, REPOSITORY, Provider.GITLAB)
    assert lane is Lane.REPOSITORY
    assert request == {"owner": "acme", "repo": "shop", "provider": "gitlab"}


@pytest.mark.parametrize("providers", [(), (Provider.GITLAB, Provider.GITHUB)])
async def test_of_none_and_of_several_connections_one_must_be_named(
    database: Database, providers: tuple[Provider, ...]
) -> None:
    with pytest.raises(UsageError, match=f"{len(providers)} connections"):
        await ordered(database, Tool.REPOSITORY, REPOSITORY, *providers)


async def test_a_connection_that_is_named_is_taken(database: Database) -> None:
    body = '{"owner": "acme", "repo": "shop", "provider": "github"}'
    _, request = await ordered(database, Tool.REPOSITORY, body)
    assert request["provider"] == "github"


@pytest.mark.parametrize(
    ("tool", "body", "said"),
    [
        (Tool.SEO, "", "no JSON"),
        (Tool.SEO, "[]", "no JSON object"),
        (Tool.SEO, '{"url": "https://example.org", "url": "https://example.com"}', "no JSON"),
        (Tool.SEO, "{}", "url"),
        (Tool.AUDIT, '{"url": "https://example.org", "speed": 1}', "speed"),
        (Tool.BROWSER_TEST, '{"url": "http://169.254.169.254/"}', "link-local"),
        (Tool.SECURITY_SCAN, '{"url": "file:///etc/passwd"}', "neither http nor https"),
        (Tool.REPOSITORY, '{"owner": "acme", "repo": "..", "provider": "github"}', "repo"),
        (Tool.SEO, '{"url": "\udcff"}', "no JSON"),
    ],
)
async def test_what_the_api_would_refuse_is_told(
    database: Database, tool: Tool, body: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        await ordered(database, tool, body)


async def test_a_change_comes_from_a_webhook_alone(database: Database) -> None:
    assert set(Tool) - set(SCHEDULABLE) == {Tool.CHANGE}
