"""A waiting page in a real browser, before a real host: it turns into the report by itself."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from mergegate.core.change import Provider
from mergegate.sandbox.browser import executable
from tests.host.api.conftest import Host, running, settled, toy

_numbers = itertools.count()


@dataclass
class Opened:
    """The page of a scan that goes on until ``over`` is called."""

    host: Host
    client: httpx.Client
    name: str
    scan_id: str
    page: Page
    looks: list[str]
    """What each request of the page was answered with: a status, or that it failed."""
    asked: list[str]
    """What each request was for."""

    def later(self) -> int:
        """In the page, not here, time passes until it has looked once more; tells the seconds."""
        before, passed_s = len(self.looks), 0
        while len(self.looks) == before:
            self.page.clock.run_for(1_000)
            passed_s += 1
            while len(self.asked) > len(self.looks):
                self.page.wait_for_timeout(10)
        return passed_s

    def begun(self) -> None:
        """The page shows that a worker has taken the scan up."""
        while not self.page.title().startswith("Scanning"):
            self.later()

    def let_go(self) -> None:
        """Its slot is for others, once the worker sees it."""
        (self.host.folder / "gate" / self.name).touch()

    def over(self) -> None:
        """Ends the scan, and returns when its host knows."""
        self.let_go()
        settled(self.client, "/api/repo/result", self.scan_id)


@pytest.fixture(scope="module")
def keyed(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Host, str]]:
    """A host, and a key to it that is connected; made before there is a browser.

    Playwright keeps a loop running in this thread, in which nobody else can run one.
    """
    folder = tmp_path_factory.mktemp("live")
    for host in running(toy(folder, samples, f"sqlite:///{folder}/service.db")):
        account = host.account()
        host.connect(account, Provider.GITHUB)
        yield host, host.key(account)


@pytest.fixture(scope="module")
def browser(keyed: tuple[Host, str]) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])


@pytest.fixture
def opened(keyed: tuple[Host, str], browser: Browser) -> Iterator[Opened]:
    host, key = keyed
    with host.client(key) as client, browser.new_context() as context:
        made = opening(host, client, context.new_page(), f"live-{next(_numbers)}")
        yield made
        made.let_go()


def opening(host: Host, client: httpx.Client, page: Page, name: str) -> Opened:
    body = {"owner": f"slow-{name}", "repo": "shop", "branch": "<i>"}
    scan_id = client.post("/api/repo/scan", json=body).json()["scanId"]
    url = client.get("/api/repo/result", params={"id": scan_id}).json()["url"]
    looks: list[str] = []
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.resource_type))
    page.on("response", lambda one: looks.append(str(one.status)))
    page.on("requestfailed", lambda _: looks.append("failed"))
    page.clock.install()
    page.goto(url)
    looks.clear()
    asked.clear()
    return Opened(host, client, name, scan_id, page, looks, asked)


def test_it_turns_into_the_report_and_stops(opened: Opened) -> None:
    page = opened.page
    expect(page).to_have_title(re.compile(r"^\w+ing: .*/shop, branch <i> · Mergegate$"))
    opened.begun()
    expect(page.get_by_role("status")).to_have_text("The repository is being fetched and scanned.")
    opened.over()
    opened.asked.clear()
    opened.looks.clear()
    opened.later()
    expect(page.get_by_role("heading", level=1)).to_have_text("Failed")
    page.clock.run_for(10 * 60_000)
    assert opened.asked == ["fetch", "document"]


def test_it_survives_its_host_and_hears_when_nothing_comes_of_the_scan(opened: Opened) -> None:
    page, host = opened.page, opened.host
    host.stop(9)
    opened.later()
    expect(page.get_by_role("status")).to_contain_text("The host does not answer at the moment")
    port = str(urlsplit(host.url).port)
    host.told = (*host.told[:2], port, *host.told[3:])
    host.start()
    opened.later()
    expect(page.locator("#trouble")).to_be_empty()
    opened.client.delete("/api/repo/scan", params={"id": opened.scan_id}).raise_for_status()
    opened.later()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not scanned")
    expect(page.get_by_text("CANCELLED", exact=True)).to_be_visible()


def test_it_asks_less_and_less_while_nothing_changes(opened: Opened) -> None:
    opened.begun()
    pauses_s = [opened.later() for _ in range(10)]
    assert 2 <= pauses_s[0] <= 4
    assert 10 <= pauses_s[-1] <= 11


def test_it_gives_up_after_half_a_day_and_says_so(opened: Opened) -> None:
    page = opened.page
    page.clock.fast_forward("12:00:01")
    expect(page.get_by_role("status")).to_contain_text("no longer looks by itself")
    asked = list(opened.asked)
    page.clock.run_for(10 * 60_000)
    assert opened.asked == asked
