"""What a person sees behind the link of a repository scan."""

import asyncio
import datetime as dt
from dataclasses import replace

import httpx
import pytest
from starlette.applications import Starlette

from mergegate.api.pages import Links, Pages, routes
from mergegate.model.service.scan import Done, Failed, Outcome, Scan, State
from mergegate.model.service.tool import Lane, Tool
from mergegate.report.html import render
from mergegate.wire import read, to_json
from tests.report import samples

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

    async def got() -> httpx.Response:
        app = Starlette(routes=list(routes(Pages(LINKS, find, lambda: NOON))))
        way = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=way, base_url="http://app.example.org") as client:
            return await client.get(address or LINKS.link("rs_1", NOON))

    return asyncio.run(got())


def test_a_waiting_scan_says_so_and_looks_again() -> None:
    page = seen(RUNNING)
    assert page.status_code == 200
    assert "in the queue and has not begun" in page.text
    assert "Accepted 1 min 10 s ago" in page.text
    assert '<meta http-equiv="refresh" content="3">' in page.text


def test_a_running_scan_says_since_when() -> None:
    begun = replace(RUNNING, started_at=NOON - dt.timedelta(seconds=9))
    assert "begun 9 s ago" in seen(begun).text


def test_a_finished_scan_is_the_report_and_stays() -> None:
    text = to_json(samples.failed())
    page = seen(settled(Done(text)))
    assert page.text == render(read(text.encode()))
    assert 'http-equiv="refresh"' not in page.text


def test_a_failed_scan_says_why() -> None:
    page = seen(settled(Failed("BRANCH_NOT_FOUND", "There is no branch main")))
    assert "There is no branch main" in page.text
    assert "BRANCH_NOT_FOUND" in page.text


def test_a_failed_scan_with_a_result_shows_it() -> None:
    text = to_json(samples.incomplete())
    page = seen(settled(Failed("ENGINE_FAILED", "semgrep crashed", text)))
    assert page.text == render(read(text.encode()))


def test_a_result_that_cannot_be_read_is_no_pass() -> None:
    page = seen(settled(Done("{}")))
    assert "The scan failed" in page.text


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


def test_hostile_names_are_text() -> None:
    page = seen(
        replace(RUNNING, request='{"owner":"<script>alert(1)</script>","repo":"a\\u202eb"}')
    )
    assert "<script>alert" not in page.text
    assert "\u202e" not in page.text


def test_the_page_is_kept_by_nobody_and_sends_no_referrer() -> None:
    headers = seen(RUNNING).headers
    assert headers["cache-control"] == "private, no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-robots-tag"] == "noindex"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
