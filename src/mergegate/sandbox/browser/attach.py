"""Playwright on a running Chromium: contexts deaf to tricks, credentials, a page's own proxy."""

import asyncio
import contextlib
import importlib
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Dialog,
    Error,
    Page,
    Playwright,
    async_playwright,
)
from playwright.async_api import TimeoutError as Late

from mergegate.core import web_address
from mergegate.core.errors import EngineFailed, EngineTimeout, UsageError
from mergegate.sandbox.browser.launch import Chromium
from mergegate.sandbox.process.node import version
from mergegate.sandbox.visit import Credentials

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
        raise chromium.failure(f"Playwright could not attach to Chromium: {reason}") from error


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


Event = Mapping[str, Any]


async def present(session: CDPSession, origin: str, credentials: Credentials) -> None:
    """Let requests to ``origin`` carry ``credentials``, and no others, in the session's page.

    Call it before the first visit, once a page; its frames of the same process and its dedicated
    workers are served too. Chromium asks us again for every hop of a redirect and drops our headers
    when it leaves the origin. Cookies are host-only, Lax, and Secure on https; that other ports of
    the host would get them too is the web's rule, and the way out's to prevent. Service workers,
    WebSockets and frames in another process (those inside a foreign site) send none of the headers.
    Raises UsageError when ``origin`` is none, or Chromium refuses a cookie.
    """
    own = _web_origin(origin)
    for name, value in credentials.cookies:
        await _set_cookie(session, own, name, value)
    if credentials.headers:
        await _send_headers(session, own, credentials.headers)


def _web_origin(text: str) -> str:
    """``text`` as Chromium writes it: lower case, without a default port."""
    own = web_address.origin(text)
    if not own or any(one in own for one in "*?\\ "):
        raise UsageError("credentials belong to an http or https origin")
    return own


async def _set_cookie(session: CDPSession, own: str, name: str, value: str) -> None:
    cookie = {
        "name": name,
        "value": value,
        "url": f"{own}/",
        "path": "/",
        "secure": own.startswith("https:"),
        "httpOnly": True,
        "sameSite": "Lax",
    }
    try:
        answer = await session.send("Network.setCookie", cookie)
    except Error as error:
        raise _refused(name) from error
    if not answer.get("success"):
        raise _refused(name)


def _refused(name: str) -> UsageError:
    return UsageError(f"the browser refuses the cookie {name[:80]!r}")


async def _send_headers(session: CDPSession, own: str, headers: Sequence[tuple[str, str]]) -> None:
    running: set[asyncio.Task[None]] = set()

    def paused(event: Event) -> None:
        task = asyncio.get_running_loop().create_task(_go_on(session, own, headers, event))
        running.add(task)  # the loop itself holds tasks weakly
        task.add_done_callback(running.discard)

    session.on("Fetch.requestPaused", paused)
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": f"{own}/*"}]})


async def _go_on(
    session: CDPSession, own: str, headers: Sequence[tuple[str, str]], event: Event
) -> None:
    answer: dict[str, Any] = {"requestId": event["requestId"]}
    request = event["request"]
    if str(request["url"]).startswith(f"{own}/"):
        answer["headers"] = _joined(request["headers"], headers)
    with contextlib.suppress(Error):  # the page is gone, or has given the request up
        await session.send("Fetch.continueRequest", answer)


def _joined(sent: Mapping[str, str], headers: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    ours = {name.lower() for name, _ in headers}
    kept = [(name, value) for name, value in sent.items() if name.lower() not in ours]
    return [{"name": name, "value": value} for name, value in (*kept, *headers)]


_CHUNK_BYTES = 64 * 1024


class PageProxy:
    """A port on loopback that leads to the way out; made by :func:`page_proxy`."""

    def __init__(self, way_out: str) -> None:
        parts = urlsplit(way_out)
        self._host, self._port = parts.hostname, parts.port
        self._passing: set[asyncio.Task[None]] = set()
        self._is_shut = False
        self.url = ""
        """The proxy's address, in the form that a browser takes."""

    def shut(self) -> None:
        """Cut every connection and let no other one through, whatever it carries.

        Chromium's own means forget some: its DevTools break off no request of a shared worker, no
        WebSocket and no prefetch (seen in 156).
        """
        self._is_shut = True
        for one in self._passing:
            one.cancel()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on; break it off once this is shut."""
        if self._is_shut:
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._pass(reader, writer))
        self._passing.add(task)
        task.add_done_callback(partial(self._left, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        beyond, back = await asyncio.open_connection(self._host, self._port)
        try:
            await asyncio.gather(_carry(reader, back), _carry(beyond, writer))
        except BaseException:
            back.transport.abort()
            raise
        for one in (writer, back):
            one.close()  # once the last bytes are out

    def _left(self, writer: asyncio.StreamWriter, task: asyncio.Task[None]) -> None:
        self._passing.discard(task)
        if task.cancelled() or task.exception():  # it was shut, or one side broke off
            writer.transport.abort()


@contextlib.asynccontextmanager
async def page_proxy(way_out: str) -> AsyncIterator[PageProxy]:
    """A proxy before ``way_out`` (``Chromium.way_out``), for one browser context.

    A shut one goes on taking connections, to break them off: no other program shall get its port
    while there is a page that takes it for its proxy. Leave only when there is none.
    """
    held = PageProxy(way_out)
    server = await asyncio.start_server(held.accept, "127.0.0.1", 0)
    held.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield held
    finally:
        held.shut()
        server.close()


def proxy_settings(own: PageProxy) -> Mapping[str, str]:
    """The ``proxy`` of Playwright's ``Browser.new_context``; no host goes past it."""
    return {"server": own.url, "bypass": "<-loopback>"}


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_CHUNK_BYTES):
        writer.write(data)
        await writer.drain()
    writer.write_eof()
