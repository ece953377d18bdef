"""Send what opens a protected site to that site alone, from one page of a browser."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.async_api import CDPSession, Error

from mergegate.core import web_address
from mergegate.core.errors import UsageError
from mergegate.sandbox.visit import Credentials

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
