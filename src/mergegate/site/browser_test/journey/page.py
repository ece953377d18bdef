"""Look at one page, in a context of its own, from its first request to its last picture.

A context of its own makes each visit that of a new visitor: no page finds what another one left,
whichever came first, and a page that hangs takes no other one with it.
"""

import asyncio
import base64
import contextlib
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, CDPSession, Error, Page, Route

from mergegate.core.web_address import origin as origin_of
from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import (
    PageProxy,
    hardened,
    page_proxy,
    present,
    proxy_settings,
)
from mergegate.sandbox.visit import Device, Visit
from mergegate.site.address import registered
from mergegate.site.browser_test.facts import Fault, PageVisit, ScriptFault, Vitals
from mergegate.site.browser_test.journey.arrival import Arrival, arrive, judged, lost, vitals, watch
from mergegate.site.browser_test.journey.isolated import WORLD, Bounds, Isolated, Stuck, script
from mergegate.site.browser_test.journey.pictures import (
    VIEWS,
    Camera,
    View,
    picture,
    resize,
    view_of,
    violations,
    worst,
)
from mergegate.site.browser_test.journey.recorder import Recorder
from mergegate.site.browser_test.journey.telling import Rendered, address, rendered
from mergegate.site.words import counted

_WORDS = (
    "log.?out|log.?off|sign.?out|abmelden|d[ée]connexion|delete|remove|destroy|erase|clear|reset"
    "|l[öo]schen|entfernen|supprimer|eliminar|borrar|buy|pay|order|purchase|checkout|donate"
    "|kaufen|bezahlen|zahlen|bestellen|acheter|payer|comprar|pagar|submit|send|save|senden"
    "|speichern|envoyer|enregistrer|enviar|guardar|subscribe|unsubscribe|cancel|confirm|accept"
    "|agree|approve|publish|vote|post|print|download|upload|install|call|share"
)
_TARGETS = 3
_KEYS = ("Tab", "Tab", "Shift", "Escape")
_ANSWERED = "new Promise((done) => setTimeout(() => setTimeout(done)))"


@dataclass(frozen=True, slots=True)
class _Tab:
    page: Page
    session: CDPSession
    world: Isolated
    recorder: Recorder
    door: PageProxy


async def touch(tab: _Tab, bounds: Bounds) -> tuple[str, ...]:
    """Shut the door; move, click and press keys where it is harmless; notes. Raises Stuck.

    The recorder hears what scripts throw at it.
    """
    tab.door.shut()
    targets = await tab.world.call(script("targets.js"), _WORDS, _TARGETS, within_s=bounds.step_s)
    try:
        async with asyncio.timeout(bounds.step_s):
            held = _Held()
            await tab.page.context.route("**/*", held.take)
            await _patiently(_press(tab, targets, bounds), tab.recorder, held, bounds.step_s / 2)
    except TimeoutError as error:
        raise Stuck("it does not answer to input", hangs=True) from error
    except Error as error:
        raise Stuck("it is gone") from error
    await _counted(tab.world, bounds)
    return tuple(_notes(held.methods))


class _Held:
    """What pages ask for once input is tried: neither let out nor broken off.

    What a page does about a request that fails would else be told as its own mistake. To know them
    is to tell what input would have changed; that nothing gets out is the door's work.
    """

    def __init__(self) -> None:
        self.methods: list[str] = []
        self._routes: list[Route] = []
        self._over = False

    async def take(self, route: Route) -> None:
        """Hold one request back."""
        self.methods.append(route.request.method)
        self._routes.append(route)
        if self._over:
            await self.release()

    async def release(self) -> None:
        """Break them off, and what comes from here on."""
        self._over = True
        routes, self._routes = self._routes, []
        for route in routes:
            with contextlib.suppress(Error):  # it is gone with its page
                await route.abort("blockedbyclient")


async def _patiently(
    pressing: Coroutine[Any, Any, None], recorder: Recorder, held: _Held, most_s: float
) -> None:
    """Have it done, heard by the recorder; a page that waits for an answer gets none after a while.

    From then on nothing is heard, as that may be of the failed request.
    """
    recorder.hear_input()
    task = asyncio.ensure_future(pressing)
    try:
        await asyncio.wait({task}, timeout=most_s)
        recorder.pause()
        await held.release()
        await task
    finally:
        task.cancel()


async def _press(tab: _Tab, targets: list[dict[str, Any]], bounds: Bounds) -> None:
    mouse, keyboard = tab.page.mouse, tab.page.keyboard
    for target in targets:
        async with _one_input(tab, bounds):
            await mouse.move(target["x"], target["y"])
            await mouse.click(target["x"], target["y"])
            if target["kind"] == "field":
                await keyboard.press("a")
    for key in _KEYS:
        async with _one_input(tab, bounds):
            await keyboard.press(key)


@contextlib.asynccontextmanager
async def _one_input(tab: _Tab, bounds: Bounds) -> AsyncIterator[None]:
    """An input, and the page's answer: what its handlers throw, and the promises they leave."""
    with tab.recorder.input():
        yield
        await tab.world.run(_ANSWERED, within_s=bounds.step_s)


async def _counted(world: Isolated, bounds: Bounds) -> None:
    """Wait until the library has counted an input; it hears of one once that is shown.

    Of the first input of a page it always does, on a busy machine late.
    """
    until = time.monotonic() + bounds.step_s
    while time.monotonic() < until:
        if await world.run("'inp' in globalThis.vitals", within_s=bounds.step_s):
            return
        await asyncio.sleep(_LOOK_EVERY_S)


def _notes(broken_off: list[str]) -> list[str]:
    changing = sum(one not in {"GET", "HEAD", "OPTIONS"} for one in broken_off)
    return [f"input set off {changing} requests that change state: broken off"] if changing else []


_FAREWELL_S = 5.0
_MOST_ARRIVALS = 10
_CALM = 4
_LOOK_EVERY_S = 0.1
_BUFFER_BYTES = 20_000_000
"""Bytes of answers that Chromium keeps for us."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A page to visit."""

    url: str
    depth: int


@dataclass(frozen=True, slots=True)
class Trip:
    """What all pages of a journey have in common."""

    browser: Browser
    chromium: Chromium
    visit: Visit
    bounds: Bounds
    deadline: float
    """The end of the whole journey in seconds of the monotonic clock."""
    doors: contextlib.AsyncExitStack
    """The proxies of all pages; they stay open when a page does not close."""
    one_at_a_time: asyncio.Semaphore
    """Held by a large page while its accessibility is judged."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What became of one stop."""

    visit: PageVisit
    onward: tuple[str, ...] = ()
    """Where its links lead, in their order."""
    is_page: bool = True
    """False for a file, and for what leads to another site."""


async def look(stop: Stop, origin: str, trip: Trip) -> Sight:
    """Visit ``stop``; whatever the page does is told in the visit and raises nothing.

    Raises EngineMissing.
    """
    seen = _Seen(stop)
    limit = min(trip.bounds.page_s, trip.deadline - time.monotonic())
    try:
        async with asyncio.timeout(limit), _open(trip) as tab:
            await _look(tab, seen, origin, trip)
    except TimeoutError:
        seen.fails(f"there was no more time for it after {max(limit, 0):.0f} s")
    except Stuck as stuck:
        seen.fails(stuck.reason, crashed=stuck.hangs)
    except Error:
        seen.fails(_end_of(trip.chromium))
    if not trip.chromium.alive:
        seen.fails(_end_of(trip.chromium))
    return seen.sight()


class _Seen:
    """What is known of a page so far."""

    def __init__(self, stop: Stop) -> None:
        self.onward: tuple[str, ...] = ()
        self.is_page = True
        self.visit = PageVisit(url=stop.url, final_url=stop.url, status=None, depth=stop.depth)
        self.recorder: Recorder | None = None
        self._is_read = False

    def put(self, **known: Any) -> None:
        """Fields of the visit."""
        self.visit = replace(self.visit, **known)

    def note(self, *notes: str) -> None:
        """What could not be looked at in full."""
        self.put(notes=(*self.visit.notes, *(one for one in notes if one)))

    def lacks(self, gap: str) -> None:
        """A whole kind of judgement is missing."""
        self.note(gap)
        self.put(gaps=(*self.visit.gaps, gap))

    def read(self, page: Rendered) -> None:
        """Take what ``page`` holds; the visit then counts, whatever fails later."""
        self._is_read = True
        self.onward = page.onward
        self.put(title=page.title, links=page.links, anchors=page.anchors, load_ms=page.load_ms)
        self.note(*page.notes)

    def forget(self) -> None:
        """What was read is of a page that was on its way elsewhere."""
        known = self.visit
        self.visit = PageVisit(
            url=known.url, final_url=known.final_url, status=known.status, depth=known.depth
        )
        self._is_read, self.onward = False, ()

    def fails(self, reason: str, *, crashed: bool = False, by_right: bool = False) -> None:
        """End the visit: as a failure of the page before it was read, else with a note.

        ``by_right``: there is no page of the site here, and so nothing to judge.
        """
        gone = bool(self.recorder and self.recorder.crashed)
        if gone or crashed:
            message = "The page took its renderer down" if gone else "The page hangs"
            self.put(faults=(*self.visit.faults, ScriptFault(fault=Fault.CRASH, message=message)))
            reason = "it took its renderer down" if gone else reason
        if self._is_read:
            self.lacks(f"it was not looked at to the end: {reason}")
            return
        self.put(failure=reason)
        if not by_right:
            self.put(gaps=(*self.visit.gaps, reason))

    def sight(self) -> Sight:
        """Faults are told of pages that failed, too."""
        heard = self.recorder.faults() if self.recorder else ()
        self.put(faults=(*heard, *self.visit.faults))
        if self.recorder and self.recorder.overflown:
            self.lacks("it said more than is listened to: later errors of its scripts are not told")
        if self.recorder and self.recorder.overgrown:
            self.note("frames of others and workers in it said more than is listened to")
        if self.recorder and self.recorder.kept_out_worker:
            self.note("its service worker was not let run: whether it would is not known")
        if self.recorder and self.recorder.garbled:
            self.lacks("some of what the browser said of it could not be understood")
        return Sight(self.visit, self.onward, self.is_page)


@contextlib.asynccontextmanager
async def _open(trip: Trip) -> AsyncIterator[_Tab]:
    """An empty page in a context of its own, behind a door of its own, that is listened to."""
    own = await trip.doors.enter_async_context(page_proxy(trip.chromium.way_out))
    looks = _looks(view_of(trip.visit.device))
    context = await hardened(trip.browser, proxy=proxy_settings(own), **looks)
    try:
        yield await _tab(context, own, trip)
    finally:
        own.shut()
        # A page that hangs is not waited for; it ends with its browser.
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(context.close(), _FAREWELL_S)


def _looks(view: View) -> dict[str, Any]:
    """Context options that make pages look the same on every machine."""
    mobile = view.device is Device.MOBILE
    return {
        "viewport": {"width": view.width, "height": view.height},
        "is_mobile": mobile,
        "has_touch": mobile,
        "reduced_motion": "reduce",
        "locale": "en-US",
        "timezone_id": "UTC",
    }


async def _tab(context: BrowserContext, own: PageProxy, trip: Trip) -> _Tab:
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    tree = await session.send("Page.getFrameTree")
    frame = tree["frameTree"]["frame"]["id"]
    recorder = Recorder(frame, trip.bounds)
    await recorder.listen(session)
    for domain in ("Page", "Runtime", "Inspector", "Log"):
        await session.send(f"{domain}.enable")
    kept = {"maxTotalBufferSize": _BUFFER_BYTES, "maxResourceBufferSize": trip.bounds.body_bytes}
    await session.send("Network.enable", kept)
    await session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script("console.js")})
    for source in (script("page.js"), watch()):
        given = {"source": source, "worldName": WORLD}
        await session.send("Page.addScriptToEvaluateOnNewDocument", given)
    if trip.visit.credentials:
        await present(session, origin_of(trip.visit.url), trip.visit.credentials)
    return _Tab(page, session, Isolated(session, frame), recorder, own)


async def _look(tab: _Tab, seen: _Seen, origin: str, trip: Trip) -> None:
    seen.recorder = tab.recorder
    tab.recorder.belongs_to(urlsplit(seen.visit.url).hostname or "")
    arrival = await arrive(tab.page, seen.visit.url, trip.bounds)
    if _stays(tab, seen, arrival, origin):
        if not await _settled(tab, trip.bounds):
            seen.note("it keeps changing: this is how it was after it had loaded")
        if _stays(tab, seen, _shown(tab, arrival), origin):
            await _examine(tab, seen, trip)
            # A busy browser may follow a refresh only now; input would lead elsewhere, too.
            gone = _shown(tab, arrival)
            if gone.failure:
                seen.forget()
                _stays(tab, seen, gone, origin)
                return
            await _finish(tab, seen, trip)


def _shown(tab: _Tab, first: Arrival) -> Arrival:
    """What answered the page that is shown once it has settled: it may have gone elsewhere."""
    answer = tab.recorder.answer
    if tab.recorder.arrivals <= 1 or answer is None:
        return Arrival(status=first.status)
    if "errorText" in answer:
        return lost(str(answer["errorText"]))
    return judged(str(answer["url"]), int(answer["status"]), answer["headers"])


def _stays(tab: _Tab, seen: _Seen, arrival: Arrival, origin: str) -> bool:
    """Whether there is a page of the site to look at."""
    final = address(tab.page.url) if tab.page.url.startswith("http") else seen.visit.url
    seen.put(status=arrival.status, final_url=final)
    seen.note(arrival.note)
    if arrival.failure:
        seen.is_page = arrival.is_page
        seen.fails(arrival.failure, by_right=arrival.is_none)
        return False
    if _is_home(final, origin, first=seen.visit.depth == 0):
        return True
    seen.is_page = False
    seen.fails("it leads to another site", by_right=True)
    return False


def _is_home(url: str, origin: str, *, first: bool) -> bool:
    """The first page may lead to another host of its domain: ``www``, https."""
    if not first:
        return origin_of(url) == origin
    here, there = (registered(urlsplit(one).hostname or "") for one in (url, origin))
    return here == there


async def _settled(tab: _Tab, bounds: Bounds) -> bool:
    """Wait until nothing loads and no element comes or goes; False when that takes too long."""
    size, calm = -1, 0
    deadline = time.monotonic() + bounds.settle_s
    while calm < _CALM:
        if tab.recorder.arrivals > _MOST_ARRIVALS:
            raise Stuck("it keeps going to other addresses")
        if time.monotonic() > deadline:
            return False
        now = await tab.world.run(
            "globalThis.mergegate?.query(document, '*').length ?? 0", within_s=bounds.step_s
        )
        calm = calm + 1 if now == size and not tab.recorder.pending else 0
        size = now
        await asyncio.sleep(_LOOK_EVERY_S)
    return True


async def _examine(tab: _Tab, seen: _Seen, trip: Trip) -> None:
    bounds = trip.bounds
    page = await rendered(tab.world, await _sent(tab), bounds)
    seen.read(page)
    for colours, what in ((False, "accessibility was"), (True, "contrasts of colours were")):
        step = _accessible(tab, seen, page, trip, colours=colours)
        await _judge(seen, f"{what} not judged", step)
    await _judge(seen, "web vitals were not read", _timed(tab, seen, bounds))
    await _attempt(seen, "it was not scrolled", _scrolled(tab, seen, bounds))


async def _finish(tab: _Tab, seen: _Seen, trip: Trip) -> None:
    """What changes a page, and so comes last: other sizes of the window, and input."""
    _kept_in(seen, tab.recorder.settle())
    tab.recorder.pause()
    await _pictures(tab, seen, trip)
    await _judge(seen, "input was not tried", _touched(tab, seen, trip.bounds))


_NEEDED = frozenset({"script", "stylesheet", "document", "fetch", "xhr", "eventsource"})
"""Without one of these a page does not do what it was written to do."""


def _kept_in(seen: _Seen, refused: Sequence[ScriptFault]) -> None:
    """Say what a page asked for and this scan may not: of its own host it is what it lives by."""
    here = urlsplit(seen.visit.final_url).hostname
    for place in sorted({origin_of(one.url) for one in refused}):
        asked = [one for one in refused if origin_of(one.url) == place]
        to = urlsplit(place)
        told = (
            f"{counted(len(asked), 'request')} to {place} not let out of this scan: "
            f"--allow {to.hostname}:{to.port or _HTTP} lets it out"
        )
        own = to.hostname == here and any(one.resource in _NEEDED for one in asked)
        (seen.lacks if own else seen.note)(told)


_HTTP = 80


async def _judge(seen: _Seen, else_said: str, step: Coroutine[Any, Any, None]) -> None:
    """A step without which a kind of judgement is missing."""
    if said := await _failure(step):
        seen.lacks(f"{else_said}: {said}")


async def _attempt(seen: _Seen, else_said: str, step: Coroutine[Any, Any, None]) -> None:
    """A step that a report can do without."""
    if said := await _failure(step):
        seen.note(f"{else_said}: {said}")


async def _failure(step: Coroutine[Any, Any, None]) -> str:
    """Why the step failed, which no other one minds; empty when it did not."""
    try:
        await step
    except Stuck as stuck:
        return stuck.reason
    except Error:
        return "the browser could not do it"
    return ""


async def _accessible(tab: _Tab, seen: _Seen, page: Rendered, trip: Trip, *, colours: bool) -> None:
    large = page.elements > trip.bounds.large
    try:
        async with trip.one_at_a_time if large else contextlib.nullcontext():
            found = await violations(tab.world, page.elements, trip.bounds, colours=colours)
    except Stuck as stuck:
        if stuck.hangs:
            await tab.world.interrupt()
        raise
    seen.put(violations=tuple(sorted((*seen.visit.violations, *found), key=lambda one: one.rule)))


async def _timed(tab: _Tab, seen: _Seen, bounds: Bounds) -> None:
    seen.put(vitals=await vitals(tab.world, within_s=bounds.step_s))


async def _scrolled(tab: _Tab, seen: _Seen, bounds: Bounds) -> None:
    """Through what the pictures show, for what loads only once it is in sight.

    After links and vitals: it is told how the page loads, not how it is when all of it was seen.
    """
    before = tab.recorder.pending
    most = bounds.picture_height
    if await tab.world.call(script("scroll.js"), most, within_s=bounds.step_s):
        seen.note(f"what loads only in sight was looked for in its first {most:,} pixels")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(bounds.settle_s):
            while tab.recorder.pending > before:
                await asyncio.sleep(_LOOK_EVERY_S)


async def _pictures(tab: _Tab, seen: _Seen, trip: Trip) -> None:
    camera = Camera(tab.session, tab.world, trip.bounds)
    for view in VIEWS:
        step = _pictured(camera, seen, view)
        await _attempt(seen, f"there is no {view.device} picture", step)
    step = resize(tab.session, view_of(trip.visit.device))
    await _attempt(seen, "the window kept its size", step)


async def _pictured(camera: Camera, seen: _Seen, view: View) -> None:
    boxed = worst(seen.visit.violations, camera.bounds.boxes)
    try:
        async with asyncio.timeout(camera.bounds.step_s * 2):
            shot = await picture(camera, view, seen.visit.url, boxed)
    except TimeoutError as error:
        raise Stuck("it took too long", hangs=True) from error
    seen.put(screenshots=(*seen.visit.screenshots, shot))


async def _touched(tab: _Tab, seen: _Seen, bounds: Bounds) -> None:
    """Last, because input changes the page; of the vitals it adds the answer to input alone."""
    seen.note(*await touch(tab, bounds))
    after: Vitals = await vitals(tab.world, within_s=bounds.step_s)
    seen.put(vitals=replace(seen.visit.vitals, inp=after.inp))


async def _sent(tab: _Tab) -> str | None:
    """The page as the server sent it; None when Chromium did not keep it."""
    try:
        given = {"requestId": tab.recorder.document}
        answer = await tab.session.send("Network.getResponseBody", given)
    except Error:
        return None
    body = str(answer["body"])
    return base64.b64decode(body).decode("utf-8", "replace") if answer["base64Encoded"] else body


def _end_of(chromium: Chromium) -> str:
    if chromium.alive:
        return "it is gone: the page closed itself or its renderer died"
    return f"the browser ended: {chromium.fault or 'it crashed'}"
