"""Attach Playwright to a running Chromium, and make contexts that are deaf to a page's tricks."""

import asyncio
import contextlib
import importlib
import os
from collections.abc import AsyncIterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    Dialog,
    Error,
    Page,
    Playwright,
    async_playwright,
)
from playwright.async_api import TimeoutError as Late

from mergegate.core.errors import EngineFailed, EngineTimeout
from mergegate.sandbox.browser.launch import Chromium
from mergegate.sandbox.process.node import version

_PATIENCE_S = 30.0
_FAREWELL_S = 5.0
_STARTERS = ("playwright._impl.transport", "playwright._impl._transport")
"""Where Playwright starts its driver, since 1.60 and before."""
_NEEDED = ("PATH", "PLAYWRIGHT_NODEJS_PATH")
_room: ContextVar[Path] = ContextVar("room of the browser")


@contextlib.asynccontextmanager
async def attached(chromium: Chromium) -> AsyncIterator[Browser]:
    """Playwright's hold on ``chromium``; letting go ends no browser.

    Its driver is a Node.js process that Playwright starts. It reads what pages say, so it gets
    PATH alone of our environment, and its leftovers lie in the browser's room. It ends with the
    block.
    Raises EngineFailed or EngineTimeout when it cannot attach, EngineMissing without a Node.js.
    """
    _room.set(chromium.room)
    _keep_our_environment()
    playwright = await _driven()
    try:
        browser = await _connected(playwright, chromium)
        try:
            yield browser
        finally:
            await _unless_stuck(browser)
    finally:
        await playwright.stop()


async def hardened(browser: Browser, **options: Any) -> BrowserContext:
    """A private context as :func:`harden` leaves it, without downloads and service workers.

    ``options`` are those of Playwright's ``Browser.new_context``. Close it when done.
    """
    given = {"accept_downloads": False, "service_workers": "block", **options}
    context = await browser.new_context(**given)
    await harden(context)
    return context


async def harden(context: BrowserContext) -> None:
    """Dismiss every dialog, close every popup, grant nothing; before the first page is opened.

    A page that asks again and again still hangs, and a caller that waits for it needs a limit.
    Leaving a page is always allowed, whatever it says before it unloads.
    """
    context.on("dialog", _answer)
    context.on("page", _close_popup)
    await context.clear_permissions()


async def _driven() -> Playwright:
    version()  # says what a Node.js lacks that does not start; Playwright does not
    try:
        return await async_playwright().start()
    except Exception as error:  # Playwright has no class of its own for this
        raise EngineFailed("Playwright's driver did not start") from error


async def _connected(playwright: Playwright, chromium: Chromium) -> Browser:
    try:
        return await playwright.chromium.connect_over_cdp(
            chromium.endpoint, timeout=_PATIENCE_S * 1000
        )
    except Late as error:
        raise EngineTimeout("Playwright could not attach to Chromium in time") from error
    except Error as error:
        reason = chromium.fault or "it does not answer"
        raise EngineFailed(f"Playwright could not attach to Chromium: {reason}") from error


async def _unless_stuck(browser: Browser) -> None:
    """A browser that is gone or hangs is not waited for; the code that started it ends it."""
    with contextlib.suppress(Error, TimeoutError):
        await asyncio.wait_for(browser.close(), _FAREWELL_S)


async def _answer(dialog: Dialog) -> None:
    with contextlib.suppress(Error):  # it went away with its page
        await (dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())


async def _close_popup(page: Page) -> None:
    """Pages that we open have no opener; those of ``noopener`` links have one all the same."""
    with contextlib.suppress(Error):  # it is closed already
        if await page.opener():
            await page.close()


def _keep_our_environment() -> None:
    """Playwright copies the whole environment and offers no way to say less."""
    for name in _STARTERS:
        with contextlib.suppress(ImportError):
            starter = importlib.import_module(name)
            if hasattr(starter, "get_driver_env"):
                vars(starter)["get_driver_env"] = _environment


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    home = _room.get(None)
    own = {"HOME": str(home), "TMPDIR": str(home)} if home else {}
    return {"PATH": os.defpath, "PW_LANG_NAME": "python", **own, **kept}
