"""Open addresses in the scan's browser, a few at once, and say what a visitor would get."""

import asyncio
import contextlib
from collections.abc import Sequence

import httpx
from playwright.async_api import BrowserContext, Error, Page, Response

from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import attached, hardened, present
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web.address import origin
from mergegate.site.links.bounds import Reopen, Reopened
from mergegate.site.links.page import read_page

_TABS = 4
_LOAD_S = 12.0
"""For the answer and what came with it."""
_SETTLE_S = 3.0
"""For scripts, until the network is silent."""
_READ_S = 3.0
"""For the page's text; a script that never ends keeps it."""
_TOTAL_S = 60.0
_CLOSE_S = 3.0
_FAILURE_LETTERS = 80
_LARGEST_PAGE = 8 * 1024 * 1024
"""Letters that are read of one page."""


def browser_reopen(
    chromium: Chromium, own: Visit, *, load_s: float = _LOAD_S, total_s: float = _TOTAL_S
) -> Reopen:
    """What ``check_links`` takes as ``reopen``; the credentials of ``own`` go to its origin alone.

    Addresses that the browser has no time for are left out. Raises EngineFailed or EngineTimeout
    when nothing can be opened at all.
    """

    def reopen(urls: Sequence[str]) -> dict[str, Reopened]:
        return asyncio.run(_Opening(chromium, own, load_s).all(urls, total_s))

    return reopen


class _Opening:
    """Tabs of one private context."""

    def __init__(self, chromium: Chromium, own: Visit, load_s: float) -> None:
        self._chromium = chromium
        self._own = own
        self._load_s = load_s
        self._tabs = asyncio.Semaphore(_TABS)
        self._opened: dict[str, Reopened] = {}

    async def all(self, urls: Sequence[str], total_s: float) -> dict[str, Reopened]:
        """What the browser got, in the order of ``urls``, as far as time went."""
        async with attached(self._chromium) as browser:
            context = await hardened(browser)
            tasks = [asyncio.create_task(self._open(context, url)) for url in urls]
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(total_s):
                    await asyncio.gather(*tasks, return_exceptions=True)
            await _closed(context)
        return {url: self._opened[url] for url in urls if url in self._opened}

    async def _open(self, context: BrowserContext, url: str) -> None:
        async with self._tabs:
            page = await context.new_page()
            try:
                await self._present(context, page)
                self._opened[url] = await _visited(page, url, self._load_s)
            finally:
                await _closed(page)

    async def _present(self, context: BrowserContext, page: Page) -> None:
        if self._own.credentials:
            session = await context.new_cdp_session(page)
            await present(session, _spelled(self._own.url), self._own.credentials)


async def _visited(page: Page, url: str, load_s: float) -> Reopened:
    try:
        response = await page.goto(url, wait_until="domcontentloaded", timeout=load_s * 1000)
        with contextlib.suppress(Error):  # some are never silent
            await page.wait_for_load_state("networkidle", timeout=_SETTLE_S * 1000)
        async with asyncio.timeout(_READ_S):
            # Playwright reads it in a world of its own, where the page's scripts have no say.
            html = await page.content()
    except (Error, TimeoutError) as error:
        return Reopened(status=None, final_url="", error=_network_error(str(error)))
    return _reopened(response, page.url, html)


def _reopened(response: Response | None, final_url: str, html: str) -> Reopened:
    page = read_page(html[:_LARGEST_PAGE])
    return Reopened(
        status=response.status if response else None,
        final_url=final_url,
        title=page.title,
        heading=page.heading,
        anchors=page.anchors,
        whole=page.whole and len(html) <= _LARGEST_PAGE,
    )


def _network_error(message: str) -> str:
    """Chromium's name for it, out of a message that may quote the address."""
    words = [word for word in message.split() if word.startswith("net::ERR_")]
    return words[0][:_FAILURE_LETTERS] if words else "it does not open"


async def _closed(what: Page | BrowserContext) -> None:
    with contextlib.suppress(Error, TimeoutError):
        async with asyncio.timeout(_CLOSE_S):
            await what.close()


def _spelled(url: str) -> str:
    scheme, host, port = origin(httpx.URL(url))
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
