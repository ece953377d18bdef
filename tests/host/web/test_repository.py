"""What a person sees behind the link of a repository scan."""

import asyncio
import datetime as dt
import json
from dataclasses import replace

import httpx
import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from mergegate.core.errors import Failed, StoreError
from mergegate.core.plans import Lane, Tool
from mergegate.host.api.middleware import CompressionMiddleware
from mergegate.host.api.request_parsing import RequestContext, set_context
from mergegate.host.scan import Done, Outcome, Scan, State
from mergegate.host.web.repository import Find, Links, Pages, routes
from mergegate.repo.report.html import render
from mergegate.repo.wire import read, to_json
from tests.repo.report import samples

NOON = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
LINKS = Links(("k" * 40,), "http://app.example.org")
RUNNING = Scan(
    id="rs_1",
    account_id="a",
    tool=Tool.REPOSITORY,
    lane=Lane.REPOSITORY,
    request='{"branch":"main","owner":"acme","repo":"shop"}',
    state=State.RUNNING,
    created_at=NOON - dt.timedelta(seconds=70),
)


def settled(outcome: Outcome) -> Scan:
    state = State.COMPLETED if isinstance(outcome, Done) else State.FAILED
    return replace(RUNNING, state=state, outcome=outcome, started_at=NOON, finished_at=NOON)


def seen(scan: Scan | None, address: str | None = None) -> httpx.Response:
    async def find(scan_id: str) -> Scan | None:
        return scan if scan and scan.id == scan_id else None

    return asked(find, address or LINKS.link("rs_1", NOON))


def asked(find: Find, address: str, **headers: str) -> httpx.Response:
    """The answer of the pages, which know the scan that ``find`` finds."""
    app = Starlette(routes=list(routes(Pages(LINKS, find, lambda: NOON))))
    app.add_middleware(CompressionMiddleware)
    app.add_middleware(Laid)

    async def got() -> httpx.Response:
        way = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=way, base_url="http://app.example.org") as client:
            return await client.get(address, headers=headers)

    return asyncio.run(got())


class Laid:
    """As the application does, keeps a context for the log with each request."""

    last = RequestContext("")

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            Laid.last = RequestContext("request")
            set_context(scope, Laid.last)
        await self._app(scope, receive, send)


async def running(_: str) -> Scan:
    return RUNNING


def test_a_waiting_scan_says_so_and_looks_again_without_scripts() -> None:
    page = seen(RUNNING)
    assert page.status_code == 200
    assert "in the queue and has not begun" in page.text
    assert '<span data-seconds="70">1 min 10 s</span> ago' in page.text
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page.text


def test_a_running_scan_says_since_when() -> None:
    begun = replace(RUNNING, started_at=NOON - dt.timedelta(seconds=9))
    assert 'for <span data-seconds="9">9 s</span>' in seen(begun).text


def test_what_is_scanned_is_named_as_its_report_will_name_it() -> None:
    request = '{"branch":"main","commit":"0123456789abcdef","owner":"acme","repo":"shop"}'
    page = seen(replace(RUNNING, request=request))
    assert "acme/shop, branch main, commit 0123456789" in page.text


@pytest.mark.parametrize(
    ("scan", "state"),
    [
        (RUNNING, "waiting"),
        (replace(RUNNING, started_at=NOON), "scanning"),
        (settled(Failed("INTERNAL", "A mistake.")), "over"),
    ],
)
def test_the_script_of_a_page_is_told_how_far_the_scan_is(scan: Scan, state: str) -> None:
    async def find(_: str) -> Scan:
        return scan

    told = asked(find, LINKS.link("rs_1", NOON), accept="application/json")
    assert told.json()["state"] == state
    assert told.headers["cache-control"] == "private, no-store"


def test_the_script_is_told_nothing_through_a_forged_link() -> None:
    told = asked(running, "/repo?scan=rs_1&token=1.x", accept="application/json")
    assert told.status_code == 403
    assert told.text == seen(None).text


def test_while_the_database_is_away_people_get_a_page() -> None:
    async def gone(_: str) -> Scan:
        raise StoreError("the database at /secret is gone", remedy="")

    page = asked(gone, LINKS.link("rs_1", NOON))
    assert (page.status_code, page.headers["retry-after"]) == (503, "5")
    assert "/secret" not in page.text
    assert (Laid.last.code, Laid.last.database_error) == (
        "OVERLOADED",
        "the database at /secret is gone",
    )


def test_the_log_knows_which_scan_was_opened() -> None:
    seen(RUNNING)
    assert Laid.last.scan_id == "rs_1"


def test_the_host_itself_has_a_page_that_leads_to_its_reference() -> None:
    page = asked(running, "/")
    assert page.status_code == 200
    assert 'href="api/docs"' in page.text


def test_a_long_page_is_sent_compressed() -> None:
    assert asked(running, "/", **{"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"


def test_a_finished_scan_is_the_report_and_stays() -> None:
    text = to_json(samples.failed())
    page = seen(settled(Done(text)))
    assert page.text == render(read(text.encode()))
    assert 'http-equiv="refresh"' not in page.text


def test_a_failed_scan_says_why() -> None:
    page = seen(settled(Failed("BRANCH_NOT_FOUND", "There is no branch main.")))
    assert "There is no branch main." in page.text
    assert "BRANCH_NOT_FOUND" in page.text
    assert "Push it, or name another." in page.text
    assert "2026-03-04 12:00 UTC" in page.text


def test_a_code_of_another_release_is_shown_as_it_is() -> None:
    page = seen(settled(Failed("SOMETHING_NEW", "It was new.")))
    assert "SOMETHING_NEW" in page.text
    assert "Next:" not in page.text


def test_a_failed_scan_with_a_result_shows_it() -> None:
    text = to_json(samples.incomplete())
    page = seen(settled(Failed("ENGINE_FAILED", "semgrep crashed", text)))
    assert page.text == render(read(text.encode()))


def test_a_result_that_cannot_be_read_is_no_pass() -> None:
    page = seen(settled(Done("{}")))
    assert "Not scanned" in page.text


@pytest.mark.parametrize(
    "address",
    [
        "/repo",
        "/repo?scan=rs_1",
        "/repo?scan=rs_1&token=1.x",
        f"/repo?scan={'r' * 300}&token={'1' * 300}",
        LINKS.link("rs_1", NOON - dt.timedelta(days=30)),
        LINKS.link("rs_2", NOON),
    ],
)
def test_forged_old_and_unknown_links_look_alike(address: str) -> None:
    page = seen(RUNNING, address)
    assert (page.status_code, page.text) == (403, seen(None).text)


def test_a_link_opens_no_scan_of_another_kind() -> None:
    assert seen(replace(RUNNING, tool=Tool.AUDIT)).status_code == 403


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e\x1b[31m&quot;'\" onload=x"


@pytest.mark.parametrize(
    "outcome",
    [None, Failed(HOSTILE[:60], HOSTILE), Done("{}")],
    ids=["running", "failed", "broken"],
)
def test_hostile_names_are_text(outcome: Outcome | None) -> None:
    request = json.dumps({"owner": HOSTILE, "repo": HOSTILE, "branch": HOSTILE, "commit": HOSTILE})
    page = seen(replace(RUNNING, request=request, outcome=outcome))
    assert "<script>alert" not in page.text
    assert "<img" not in page.text
    assert not {"\u202e", "\x1b"} & set(page.text)
    assert page.text.count("<script") == 1


@pytest.mark.parametrize(
    "scan",
    [RUNNING, settled(Failed("INTERNAL", "")), settled(Done(to_json(samples.hostile()))), None],
)
def test_no_page_is_kept_framed_found_or_told_to_those_it_links_to(scan: Scan | None) -> None:
    page = seen(scan)
    assert page.headers["cache-control"] == "private, no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["x-robots-tag"] == "noindex"
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith("frame-ancestors 'none'")
    assert "unsafe" not in policy


def test_a_page_that_does_not_wait_asks_its_host_nothing() -> None:
    failed = seen(settled(Failed("INTERNAL", "")))
    assert "connect-src 'self'" in seen(RUNNING).headers["content-security-policy"]
    assert "connect-src" not in failed.headers["content-security-policy"]
