"""Scripts of ours in a page, out of reach of its own: an isolated world has its own JavaScript.

It is no subject of the page's content security policy either, and nothing in it is seen by the
page but what it does to the elements (DevTools protocol, ``Page.createIsolatedWorld``).
"""

import asyncio
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Error

from mergegate.sandbox.process.node import packaged

WORLD = "mergegate"
_SCRIPTS = Path(__file__).parent / "scripts"
_LOST = ("Cannot find context", "Execution context was destroyed", "uniqueContextId not found")
"""What Chromium says when the page went to another address meanwhile."""
_TRIES = 3


class Stuck(Exception):
    """The page does not let us look; never leaves this room."""

    def __init__(self, reason: str, *, hangs: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        """One clause of our own words, without a full stop."""
        self.hangs = hangs
        """Whether it did not answer in time."""


@cache
def script(name: str) -> str:
    """One of the files in ``scripts/``."""
    return (_SCRIPTS / name).read_text(encoding="utf-8")


@cache
def library(package: str, file: str) -> str:
    """A script of an npm package; raises EngineMissing."""
    return packaged(package, file).read_text(encoding="utf-8")


class Isolated:
    """Our world in the main frame of one page."""

    def __init__(self, session: CDPSession, frame: str) -> None:
        self._session = session
        self._frame = frame

    async def call(self, function: str, *arguments: object, within_s: float) -> Any:
        """What ``function``, JavaScript source, returns; raises Stuck.

        When the page goes elsewhere meanwhile it is called again there.
        """
        given = ", ".join(json.dumps(one) for one in arguments)
        return await self.run(f"({function})({given})", within_s=within_s)

    async def run(self, source: str, *, within_s: float) -> Any:
        """The value of ``source``; raises Stuck."""
        try:
            async with asyncio.timeout(within_s):
                return await self._persistently(source)
        except TimeoutError as error:
            raise Stuck(f"it does not answer within {within_s:g} s", hangs=True) from error
        except Error as error:
            raise Stuck("it is gone") from error

    async def interrupt(self) -> None:
        """End the script that runs now, ours or the page's."""
        try:
            async with asyncio.timeout(1):
                await self._session.send("Runtime.terminateExecution")
        except (TimeoutError, Error):
            return

    async def _persistently(self, source: str) -> Any:
        for _ in range(_TRIES):
            try:
                return await self._once(source)
            except Error as error:
                if not any(one in error.message for one in _LOST):
                    raise
        raise Stuck("it keeps going to other addresses")

    async def _once(self, source: str) -> Any:
        world = await self._session.send(
            "Page.createIsolatedWorld", {"frameId": self._frame, "worldName": WORLD}
        )
        answer = await self._session.send(
            "Runtime.evaluate",
            {
                "expression": source,
                "contextId": world["executionContextId"],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        if "exceptionDetails" in answer:
            raise Stuck("our look at it failed in the page")
        return answer["result"].get("value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Beyond them there is a note, never silence."""

    pages: int = 5
    tabs: int = 4
    """Pages that are open at once; no result depends on it."""
    journey_s: float = 300.0
    page_s: float = 150.0
    """All that is done on one page."""
    load_s: float = 20.0
    """Until the page has loaded; what it looks like by then is looked at."""
    settle_s: float = 4.0
    """The wait after that for scripts that are still building the page."""
    step_s: float = 10.0
    """The limit of one look at a page; a page that takes longer hangs."""
    axe_s: float = 60.0
    """One of the two parts in which accessibility is judged."""
    links: int = 3000
    """The most links of one page; the limits below are per page too."""
    anchors: int = 50_000
    faults: int = 100
    """The most different faults of a page."""
    events: int = 5000
    """Messages of the browser about a page, and as many about its workers and the frames of others
    in it together; it is deaf to what comes after."""
    branches: int = 50
    """Workers and frames of others that are listened to in one page."""
    elements: int = 150_000
    """The most elements of a page whose accessibility is judged."""
    coloured: int = 40_000
    """The most of one whose colours are compared: 100,000 take 1.7 GB, in parts as well."""
    large: int = 15_000
    """With more, pages are judged one after the other: together they would fill the memory."""
    nodes: int = 10
    """Elements told of one rule of axe."""
    boxes: int = 8
    picture_height: int = 4000
    """Pixels."""
    picture_bytes: int = 700_000
    body_bytes: int = 5_000_000
    """The most bytes read of the page as the server sent it."""

    def __post_init__(self) -> None:
        if self.pages < 1 or self.tabs < 1:
            raise ValueError("a journey has at least one page and one tab")
