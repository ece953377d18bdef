"""What a page becomes in a browser: its document, its requests, the cookies of its scripts.

A page is loaded in a context of its own, as a new visitor; under a content security policy if one
is to be tried (``site/security/policy_trial``). Nothing is judged here.
"""

import asyncio
import base64
import contextlib
import re
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Error, Page

from mergegate.core.web_address import origin as origin_of
from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import attached, hardened, present
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.journey import isolated
from mergegate.site.browser_test.journey.arrival import arrive
from mergegate.site.browser_test.journey.isolated import WORLD, Isolated, Stuck
from mergegate.site.browser_test.journey.telling import address, clean
from mergegate.site.document import read
from mergegate.site.facts.document import Document
from mergegate.site.rendering.listening import BINDING, Bounds, Listener
from mergegate.site.security.facts import PolicyBreach, RenderedPage, SentCookie

__all__ = ["Bounds", "Load", "Worn", "load", "render"]

HEADER = "Content-Security-Policy"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OF_THE_BODY = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie"})
"""What no longer holds: the body comes unpacked, and the browser has the cookies already."""
_SCRIPT = re.compile(rb"<script(?=[\s>/])", re.IGNORECASE)
Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worn:
    """A policy that a page is loaded under."""

    policy: str
    reports: bool = False
    """Whether it only reports; then the site's own policies stay in force."""
    nonce: str = ""
    """Given to every script that the server writes into the page; empty for none."""


class Dresser:
    """Dresses the document of one frame."""

    def __init__(self, session: CDPSession, frame: str, worn: Worn, most_bytes: int) -> None:
        self._session = session
        self._frame = frame
        self._worn = worn
        self._most_bytes = most_bytes
        self._running: set[asyncio.Task[None]] = set()
        self.failure = "the policy could not be put on the page"
        """Why the page went without; empty as soon as it does not."""

    async def begin(self) -> None:
        """Pause answers, before the page is opened; others may pause requests in other sessions."""
        self._session.on("Fetch.requestPaused", self._paused)
        pattern = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"}
        await self._session.send("Fetch.enable", {"patterns": [pattern]})

    def _paused(self, event: Event) -> None:
        task = asyncio.get_running_loop().create_task(self._go_on(event))
        self._running.add(task)  # the loop itself holds tasks weakly
        task.add_done_callback(self._running.discard)

    async def _go_on(self, event: Event) -> None:
        with contextlib.suppress(Error):  # the page is gone, or went elsewhere
            if self._is_page(event):
                await self._dress(event)
            else:
                await self._let_pass(event)

    def _is_page(self, event: Event) -> bool:
        answered = "responseErrorReason" not in event and "responseStatusCode" in event
        return (
            answered
            and event["frameId"] == self._frame
            and event["responseStatusCode"] not in _REDIRECTS
        )

    async def _let_pass(self, event: Event) -> None:
        await self._session.send("Fetch.continueRequest", {"requestId": event["requestId"]})

    async def _dress(self, event: Event) -> None:
        given = {"requestId": event["requestId"]}
        answer = await self._session.send("Fetch.getResponseBody", given)
        body = _bytes(answer)
        if len(body) > self._most_bytes:
            self.failure = "the page is too large to be tried"
            await self._let_pass(event)
            return
        await self._session.send(
            "Fetch.fulfillRequest",
            {
                **given,
                "responseCode": event["responseStatusCode"],
                "responseHeaders": self._headers(event.get("responseHeaders", ())),
                "body": base64.b64encode(self._marked(body)).decode("ascii"),
            },
        )
        self.failure = ""

    def _headers(self, sent: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
        gone = _OF_THE_BODY if self._worn.reports else _OF_THE_BODY | {HEADER.lower()}
        name = f"{HEADER}-Report-Only" if self._worn.reports else HEADER
        kept = [dict(one) for one in sent if one["name"].lower() not in {*gone, name.lower()}]
        return [*kept, {"name": name, "value": self._worn.policy}]

    def _marked(self, body: bytes) -> bytes:
        """``body`` with the nonce in every script tag, also in those that scripts hold as text.

        Without quotes, which would end such a text; of two nonces browsers take the first.
        """
        nonce = self._worn.nonce.encode("ascii")
        return _SCRIPT.sub(b"<script nonce=" + nonce, body) if nonce else body


def _bytes(answer: Mapping[str, Any]) -> bytes:
    body = str(answer["body"])
    return base64.b64decode(body) if answer["base64Encoded"] else body.encode("utf-8", "replace")


_LONGEST_NAME = 200


def set_by_scripts(
    jar: Iterable[Mapping[str, Any]], answered: Set[str], page: str, most: int
) -> list[SentCookie]:
    """Those of ``jar`` (``Network.getCookies``) that no answer set, by name; at most ``most``.

    ``answered`` are the names that answers set. No script sets one that is HttpOnly: what opens
    the site, which we set ourselves, is HttpOnly too.
    """
    ours = (one for one in jar if not one["httpOnly"] and one["name"] not in answered)
    found = [_cookie(one, page) for one in ours]
    return sorted(found, key=lambda one: (one.name, one.domain, one.path))[:most]


def _cookie(one: Mapping[str, Any], page: str) -> SentCookie:
    domain = str(one["domain"])
    return SentCookie(
        name=clean(one["name"], _LONGEST_NAME),
        set_by=page,
        domain=clean(domain[1:], _LONGEST_NAME) if domain.startswith(".") else "",
        path=clean(one["path"], _LONGEST_NAME),
        secure=bool(one["secure"]),
        same_site=str(one.get("sameSite", "")),
        partitioned=bool(one.get("partitionKey")),
        max_age_s=None if one["session"] else round(one["expires"] - time.time()),
        by_script=True,
    )


_FAREWELL_S = 5.0
_LOOK_EVERY_S = 0.1
_CALM = 3
"""Looks in a row at which nothing is on its way."""
_LOOKS = {
    "viewport": {"width": 1280, "height": 800},
    "reduced_motion": "reduce",
    "locale": "en-US",
    "timezone_id": "UTC",
}
"""The same on every machine."""
_DOCTYPE = "(document.doctype ? '<!doctype html>' : '')"
_MARKUP = f"({_DOCTYPE} + (document.documentElement?.outerHTML ?? '')).slice(0, %d)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What became of a page."""

    page: RenderedPage
    reported: tuple[PolicyBreach, ...] = ()
    """Breaches of policies that only report."""
    enforced: tuple[PolicyBreach, ...] = ()
    """Breaches of policies in force."""
    hashes: tuple[tuple[str, str], ...] = ()
    """``script`` or ``style`` and the hash of each inline element that breached one."""
    errors: tuple[str, ...] = ()
    """The messages of scripts that threw."""
    led: tuple[tuple[str, str], ...] = ()
    """Redirects: from where, to where."""
    whole: bool = True
    """Whether all was heard that the browser said."""


@dataclass(slots=True)
class _Seen:
    """What is known so far, should the rest take too long."""

    url: str
    listener: Listener
    html: str = ""
    cookies: list[Any] = field(default_factory=list)
    failure: str = ""


async def load(
    browser: Browser,
    chromium: Chromium,
    visit: Visit,
    bounds: Bounds,
    worn: Worn | None = None,
) -> Load:
    """Open the page, under ``worn`` if that is given, and wait until it is quiet.

    Whatever the page does is told in ``Load.page.failure`` and raises nothing.
    """
    seen = _Seen(visit.url, Listener(bounds))
    try:
        async with asyncio.timeout(bounds.page_s), _opened(browser) as page:
            await _look(page, seen, visit, bounds, worn)
    except TimeoutError:
        seen.failure = f"there was no more time for it after {bounds.page_s:g} s"
    except Stuck as stuck:
        seen.failure = stuck.reason
    except Error:
        gone = "the page closed itself or its renderer died"
        seen.failure = gone if chromium.alive else f"the browser ended: {chromium.fault}"
    return _load(seen)


@contextlib.asynccontextmanager
async def _opened(browser: Browser) -> AsyncIterator[Page]:
    context = await hardened(browser, **_LOOKS)
    try:
        yield await context.new_page()
    finally:
        # A page that hangs is not waited for; it ends with its browser.
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(context.close(), _FAREWELL_S)


async def _look(page: Page, seen: _Seen, visit: Visit, bounds: Bounds, worn: Worn | None) -> None:
    session = await page.context.new_cdp_session(page)
    tree = await session.send("Page.getFrameTree")
    frame: str = tree["frameTree"]["frame"]["id"]
    await _prepare(session, seen)
    if visit.credentials:
        await present(session, origin_of(visit.url), visit.credentials)
    dresser = await _dressed(page, frame, worn, bounds) if worn else None
    arrival = await arrive(page, visit.url, isolated.Bounds(load_s=bounds.load_s))
    seen.url = address(page.url) if page.url.startswith("http") else visit.url
    seen.failure = arrival.failure
    if not seen.failure:
        await _quiet(seen.listener, bounds)
        world = Isolated(session, frame)
        seen.html = str(await world.run(_MARKUP % bounds.html_letters, within_s=bounds.step_s))
        found = (await session.send("Network.getCookies"))["cookies"]
        seen.cookies = set_by_scripts(found, seen.listener.cookies, seen.url, bounds.cookies)
        seen.failure = dresser.failure if dresser else ""


async def _prepare(session: CDPSession, seen: _Seen) -> None:
    await seen.listener.listen(session)
    await session.send("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD})
    given = {"source": _script(), "worldName": WORLD}
    await session.send("Page.addScriptToEvaluateOnNewDocument", given)


async def _dressed(page: Page, frame: str, worn: Worn, bounds: Bounds) -> Dresser:
    dresser = Dresser(await page.context.new_cdp_session(page), frame, worn, bounds.body_bytes)
    await dresser.begin()
    return dresser


async def _quiet(listener: Listener, bounds: Bounds) -> None:
    """Wait until nothing is on its way, but not for ever."""
    calm, deadline = 0, time.monotonic() + bounds.settle_s
    while calm < _CALM and time.monotonic() < deadline:
        await asyncio.sleep(_LOOK_EVERY_S)
        calm = 0 if listener.pending else calm + 1


def _load(seen: _Seen) -> Load:
    heard = seen.listener
    document = read(seen.html, seen.url) if seen.html else Document(url=seen.url)
    page = RenderedPage(
        document=document,
        requests=tuple(heard.requests),
        mixed=heard.mixed,
        cookies=tuple(seen.cookies),
        failure=seen.failure,
    )
    return Load(
        page=page,
        reported=heard.breaches("report"),
        enforced=heard.breaches("enforce"),
        hashes=heard.hashes,
        errors=heard.errors,
        led=tuple(heard.led),
        whole=not heard.overflown,
    )


@cache
def _script() -> str:
    return (Path(__file__).parent / "tell.js").read_text(encoding="utf-8")


_BOUNDS = Bounds()


def render(
    visit: Visit, chromium: Chromium, *, csp: str | None = None, bounds: Bounds = _BOUNDS
) -> RenderedPage:
    """The page after its scripts ran, under the policy ``csp`` if it is given.

    A page that cannot be opened, hangs or takes its renderer down has a ``failure``, and what was
    seen of it until then. Raises EngineMissing, EngineFailed or EngineTimeout.
    """
    return asyncio.run(_render(visit, chromium, csp, bounds))


async def _render(
    visit: Visit, chromium: Chromium, csp: str | None, bounds: Bounds
) -> RenderedPage:
    async with attached(chromium) as browser:
        worn = Worn(policy=csp) if csp is not None else None
        return (await load(browser, chromium, visit, bounds, worn)).page
