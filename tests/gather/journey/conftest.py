"""One site, another site, and one Chromium for all tests of a file."""

import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from mergegate.errors import EngineMissing
from mergegate.gather.journey import Bounds, travel
from mergegate.model.budget import Device
from mergegate.model.facts.journey import Journey, PageVisit
from mergegate.model.site.visit import NONE, Credentials, Visit
from mergegate.world.browser import Chromium, chromium, executable
from mergegate.world.egress import Policy, egress
from mergegate.world.stage import Stage
from tests.gather.journey.pages import Site, pages

QUICK = Bounds(load_s=8, step_s=5, settle_s=2, page_s=40)


@dataclass
class World:
    """What a test needs."""

    site: Site
    other: Site
    """Of another origin, on the same host."""
    chromium: Chromium
    silent: str
    """An origin at which nobody listens, though it may be asked."""

    def travel(
        self,
        path: str = "/",
        bounds: Bounds = QUICK,
        credentials: Credentials = NONE,
        device: Device = Device.DESKTOP,
    ) -> Journey:
        visit = Visit(url=self.site.url(path), device=device, credentials=credentials)
        return travel(visit, self.chromium, bounds=bounds)

    def look(self, page: str, bounds: Bounds = QUICK) -> PageVisit:
        """The one visit of a site with one page."""
        self.site.pages["/"] = page
        return self.travel(bounds=bounds).visits[0]


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
        ):
            yield World(site, other, running, f"http://127.0.0.1:{closed}")


@pytest.fixture(scope="module")
def _held() -> Iterator[World]:
    with journeys() as held:
        yield held


@pytest.fixture
def world(_held: World) -> World:
    for one in (_held.site, _held.other):
        one.pages, one.asked, one.wait_s = {}, [], 0.0
    return _held
