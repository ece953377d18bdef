"""One site, another site, and one Chromium for all tests of a room."""

import asyncio
import contextlib
import dataclasses
import socket
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TypeVar

import pytest
from playwright.async_api import Browser

from mergegate.core.errors import EngineMissing
from mergegate.sandbox.browser import Chromium, chromium, executable
from mergegate.sandbox.browser.attach import attached
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import NONE, Credentials, Device, Visit
from mergegate.site.browser_test.facts import Journey, PageVisit
from mergegate.site.browser_test.journey import page as page_module
from mergegate.site.browser_test.journey.isolated import Bounds
from tests.site.browser_test.journey.pages import Answer, Site, pages

QUICK = Bounds(load_s=8, step_s=5, settle_s=2, page_s=40)
Found = TypeVar("Found")
_WAY = import_module("mergegate.site.browser_test.journey.travel")
"""The module; the package has a function of that name."""
JUDGED, PICTURED = "_accessible", "_pictures"
"""The steps of ``journey.page`` that take half of its time and hear nothing of a page."""


class Hold:
    """One of Playwright's for many looks: to start its driver takes as long as a look."""

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._browser: Browser | None = None
        self._runner = asyncio.Runner()
        self._doors = contextlib.AsyncExitStack()

    def run(self, module: ModuleType, task: Coroutine[object, object, Found]) -> Found:
        """What ``task`` finds, for which ``module`` attaches to the Chromium."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "attached", self._attached)
            return self._runner.run(task)

    @contextlib.asynccontextmanager
    async def _attached(self, chromium: Chromium) -> AsyncIterator[Browser]:
        assert chromium is self._chromium
        if self._browser is None:
            self._browser = await self._doors.enter_async_context(attached(chromium))
        yield self._browser

    def close(self) -> None:
        with self._runner:
            self._runner.run(self._doors.aclose())


@dataclass
class World:
    """What a test needs."""

    site: Site
    other: Site
    """Of another origin, on the same host."""
    chromium: Chromium
    silent: str
    """An origin at which nobody listens, though it may be asked."""
    hold: Hold

    def travel(
        self,
        path: str = "/",
        bounds: Bounds = QUICK,
        credentials: Credentials = NONE,
        device: Device = Device.DESKTOP,
    ) -> Journey:
        visit = Visit(url=self.site.url(path), device=device, credentials=credentials)
        journey: Journey = self.hold.run(_WAY, _WAY._travel(visit, self.chromium, bounds))
        return journey

    def look(self, page: str | Answer, bounds: Bounds = QUICK) -> PageVisit:
        """The visit of this page; where it links to is not visited."""
        self.site.pages["/"] = page
        (visit,) = self.travel(bounds=dataclasses.replace(bounds, pages=1)).visits
        return visit

    def listen(self, page: str | Answer, bounds: Bounds = QUICK) -> PageVisit:
        """The visit, unjudged: for what a page says and does."""
        with without(JUDGED, PICTURED):
            return self.look(page, bounds)

    def judge(self, page: str | Answer, bounds: Bounds = QUICK) -> PageVisit:
        """The visit without pictures."""
        with without(PICTURED):
            return self.look(page, bounds)

    def picture(self, page: str | Answer, bounds: Bounds = QUICK) -> PageVisit:
        """The visit without what axe says."""
        with without(JUDGED):
            return self.look(page, bounds)


@contextlib.contextmanager
def without(*steps: str) -> Iterator[None]:
    """Visits without these steps of ``journey.page``."""

    async def nothing(*_: object, **__: object) -> None:
        return

    with pytest.MonkeyPatch.context() as patch:
        for step in steps:
            patch.setattr(page_module, step, nothing)
        yield


@contextlib.contextmanager
def journeys(*extra: str) -> Iterator[World]:
    """Two sites and a Chromium with these flags more."""
    try:
        executable()
    except EngineMissing:
        pytest.skip("NOT CHECKED: what a journey meets, for there is no Chromium")
    with Stage() as stage, pages() as site, pages() as other:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            closed = listener.getsockname()[1]
        ports = frozenset(
            (host, one)
            for host in ("127.0.0.1", "localhost")
            for one in (site.port, other.port, closed)
        )
        with (
            egress(Policy(allowed=ports)) as way,
            chromium(way.url, stage.room("browser"), extra=extra) as running,
            contextlib.closing(Hold(running)) as hold,
        ):
            yield World(site, other, running, f"http://127.0.0.1:{closed}", hold)


@pytest.fixture(scope="package")
def _held() -> Iterator[World]:
    with journeys() as held:
        yield held


@pytest.fixture
def world(_held: World) -> World:
    for one in (_held.site, _held.other):
        one.pages, one.asked, one.wait_s = {}, [], 0.0
    return _held
