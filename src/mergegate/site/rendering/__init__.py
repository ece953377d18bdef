"""What a page becomes in a browser: its document, its requests, the cookies of its scripts.

A page is loaded in a context of its own, as a new visitor; under a content security policy if one
is to be tried (``site/security/policy_trial``). Nothing is judged here.
"""

import asyncio
import contextlib
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
from mergegate.site.browser_test import journey
from mergegate.site.browser_test.journey.arrival import arrive
from mergegate.site.browser_test.journey.isolated import WORLD, Isolated, Stuck
from mergegate.site.browser_test.journey.telling import address, clean
from mergegate.site.document import read
from mergegate.site.facts.document import Document
from mergegate.site.rendering.header import Dresser, Worn
from mergegate.site.rendering.listening import BINDING, Bounds, Listener
from mergegate.site.security.facts import PolicyBreach, RenderedPage, SentCookie

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
    arrival = await arrive(page, visit.url, journey.Bounds(load_s=bounds.load_s))
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


__all__ = ["Bounds", "Load", "Worn", "load", "render"]
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
