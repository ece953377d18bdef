"""What these tests share: a Chromium before a site, and a look at what is left of it."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import psutil
import pytest
from playwright.async_api import Browser

from mergegate.core.errors import EngineMissing
from mergegate.sandbox.browser import LIMITS, Chromium, chromium, executable
from mergegate.sandbox.browser.attach import attached
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import Egress, egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import Limits
from tests.sandbox.egress.sites import Site, site

Answer = TypeVar("Answer")


def is_here() -> bool:
    try:
        return executable().is_file()
    except EngineMissing:
        return False


needs_chromium = pytest.mark.skipif(
    not is_here(), reason="NOT CHECKED: no Chromium; `mergegate doctor --fix` installs it"
)


@dataclass(frozen=True)
class Stand:
    """One site, the way to it, and a Chromium."""

    there: Site
    way: Egress
    browser: Chromium
    room: Path

    @property
    def url(self) -> str:
        return f"http://site.example.org:{self.there.port}"

    def run(self, work: Callable[[Browser], Awaitable[Answer]], patience_s: float = 60) -> Answer:
        """What ``work`` finds with Playwright attached."""

        async def whole() -> Answer:
            async with attached(self.browser) as browser:
                return await work(browser)

        return asyncio.run(asyncio.wait_for(whole(), patience_s))


class Held:
    """One hold of Playwright's on a Chromium for many tests: to start its driver costs a second."""

    def __init__(self, runner: asyncio.Runner, browser: Browser) -> None:
        self._runner = runner
        self._browser = browser

    def run(self, work: Callable[[Browser], Awaitable[Answer]], patience_s: float = 60) -> Answer:
        """What ``work`` finds; it closes what it opens."""
        return self._runner.run(_within(patience_s, work(self._browser)))


async def _within(patience_s: float, work: Awaitable[Answer]) -> Answer:
    return await asyncio.wait_for(work, patience_s)


@contextlib.contextmanager
def held(browser: Chromium) -> Iterator[Held]:
    with asyncio.Runner() as runner:
        doors = contextlib.AsyncExitStack()
        try:
            yield Held(runner, runner.run(doors.enter_async_context(attached(browser))))
        finally:
            runner.run(doors.aclose())


@contextlib.contextmanager
def stand(pages: dict[str, str], limits: Limits = LIMITS) -> Iterator[Stand]:
    """``pages`` as site.example.org behind the way out; afterwards no process may be left."""
    with contextlib.ExitStack() as held:
        there = held.enter_context(site())
        there.pages.update({path: ("text/html", text.encode()) for path, text in pages.items()})
        allowed = frozenset({("site.example.org", there.port)})
        way = held.enter_context(egress(Policy(allowed=allowed), lookup=lambda _: ("127.0.0.1",)))
        room = held.enter_context(Stage()).room("browser")
        with chromium(way.url, room, limits=limits) as browser:
            yield Stand(there, way, browser, room)
        assert left_of(room) == []


def left_of(room: Path, patience_s: float = 0) -> list[str]:
    """Command lines of living processes that know ``room``; zombies are no processes any more.

    With ``patience_s`` those that are still there then: what is being ended takes its moment.
    """
    until = time.monotonic() + patience_s
    while (found := _living(room)) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def _living(room: Path) -> list[str]:
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = " ".join(process.info["cmdline"] or [])
        if str(room) in line and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(line)
    return found
