"""The journey: wave after wave of pages, each wave as many at once as there are tabs.

Pages are visited breadth first, in the order of their first link; what would change something by
being opened, or is a file, is not.
"""

import asyncio
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from mergegate.core.web_address import origin as origin_of
from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import attached
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.facts import Journey, PageVisit
from mergegate.site.browser_test.journey.arrival import watch
from mergegate.site.browser_test.journey.isolated import Bounds, library
from mergegate.site.browser_test.journey.page import Sight, Stop, Trip, look

_TRACKING = re.compile(
    r"(?:utm_\w+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|mc_[ce]id|_gl|igshid)",
    re.IGNORECASE,
)
"""Parameters that say where a visitor came from: with and without them it is the same page."""
_CHANGES = re.compile(
    r"(?<![a-z])(?:log[-_]?(?:out|off)|sign[-_]?(?:out|off)|abmelden|ausloggen|deconnexion"
    r"|cerrar[-_]?sesion|delete|remove|destroy|unsubscribe|add[-_]?to[-_]?(?:cart|basket)"
    r"|cancel|deactivate|disconnect|revoke|reset|purge|vote|checkout)(?![a-z])",
    re.IGNORECASE,
)
"""Words of links that change something when they are followed, although they should not."""
_FILES = re.compile(
    r"\.(?:7z|aac|apk|appimage|atom|avi|avif|bin|bmp|bz2|csv|css|deb|dmg|docx?|epub|exe|flac|gif"
    r"|gz|ico|ics|iso|jar|jpe?g|js|json|m4[av]|mjs|mkv|mov|mp[34]|mpe?g|msi|odt|og[agv]|pdf|pkg|png"
    r"|pptx?|rar|rpm|rss|rtf|svg|tar|tgz|tiff?|txt|wasm|wav|webm|webmanifest|webp|whl|woff2?|xlsx?"
    r"|xml|xz|ya?ml|zip|zst)",
    re.IGNORECASE,
)


def identity(url: str) -> str:
    """Equal for addresses of one page: without tracking and fragment, unless that is a route.

    Routers of single-page applications keep the path behind ``#/`` or ``#!``.
    """
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if not _TRACKING.fullmatch(name)]
    query = parts.query if len(kept) == len(pairs) else urlencode(kept)
    return urlunsplit(("", origin_of(url), parts.path or "/", query, _route(parts.fragment)))


def page_of(url: str) -> str:
    """The address that is visited for ``url``: without a fragment, unless that is a route."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=parts.path or "/", fragment=_route(parts.fragment)))


def leads_on(url: str, origin: str) -> bool:
    """Whether ``url`` is a page of ``origin`` that may be opened without changing anything.

    A link that search engines are told not to follow (``rel=nofollow``) is followed: people do.
    """
    if origin_of(url) != origin:
        return False
    parts = urlsplit(url)
    words = unquote(f"{parts.path}?{parts.query}#{parts.fragment}")
    last = parts.path.rpartition("/")[2]
    is_file = _FILES.fullmatch(f".{last.rpartition('.')[2]}") if "." in last else None
    return not is_file and not _CHANGES.search(words)


def _route(fragment: str) -> str:
    return fragment if fragment.startswith(("/", "!")) else ""


class Itinerary:
    """The pages in breadth-first order of their first link."""

    def __init__(self, start: str) -> None:
        self._origin = origin_of(start)
        self._known = {identity(start)}
        self._arrived: set[str] = set()
        self._level = [Stop(start, 0)]
        self._next: list[Stop] = []

    @property
    def found(self) -> int:
        """How many pages of the site were seen linked, the first one included."""
        return len(self._known)

    @property
    def origin(self) -> str:
        """Whose pages are visited."""
        return self._origin

    def take(self, most: int) -> tuple[Stop, ...]:
        """The next stops, all equally deep: what one holds never decides whether others are."""
        if not self._level:
            self._level, self._next = self._next, []
        taken, self._level = self._level[:most], self._level[most:]
        return tuple(taken)

    def settle_on(self, url: str) -> None:
        """The first page led to ``url``: the site is there."""
        self._origin = origin_of(url)

    def arrive(self, url: str) -> bool:
        """Whether a visit that ended on ``url`` is the first one there."""
        here = identity(url)
        first = here not in self._arrived
        self._arrived.add(here)
        return first

    def add(self, links: Iterable[str], depth: int) -> None:
        """Note where ``links`` of a page lead, in their order."""
        for stop in self._new(links, depth):
            self._next.append(stop)

    def _new(self, links: Iterable[str], depth: int) -> Iterator[Stop]:
        for link in links:
            if not leads_on(link, self._origin):
                continue
            here = identity(link)
            if here not in self._known and here not in self._arrived:
                self._known.add(here)
                yield Stop(page_of(link), depth)


_BOUNDS = Bounds()
_DETOURS = 3
"""Stops for each page wanted: links may turn out to be files or to lead to other sites."""


def travel(visit: Visit, chromium: Chromium, *, bounds: Bounds = _BOUNDS) -> Journey:
    """Visit ``visit.url`` and the pages of its origin that it links to, breadth first.

    Which pages are visited does not depend on which of them answers first. The first visit is
    always told, with its ``failure`` when there is no page to look at; files and what leads to
    other sites are not among the others. Raises EngineMissing, EngineFailed or EngineTimeout.
    """
    # They are asked for at once, so that a missing one is not found out page by page.
    watch()
    library("axe-core", "axe.min.js")
    return asyncio.run(_travel(visit, chromium, bounds))


async def _travel(visit: Visit, chromium: Chromium, bounds: Bounds) -> Journey:
    plan = Itinerary(page_of(visit.url))
    deadline = time.monotonic() + bounds.journey_s
    async with AsyncExitStack() as doors, attached(chromium) as browser:
        trip = Trip(browser, chromium, visit, bounds, deadline, doors, asyncio.Semaphore())
        visits, notes = await _through(plan, trip)
    return Journey(
        start=visit.url,
        visits=tuple(visits),
        found=plan.found,
        browser=chromium.version,
        notes=notes,
    )


async def _through(plan: Itinerary, trip: Trip) -> tuple[list[PageVisit], tuple[str, ...]]:
    visits: list[PageVisit] = []
    gate = asyncio.Semaphore(trip.bounds.tabs)
    tries = 0
    while len(visits) < trip.bounds.pages and tries < trip.bounds.pages * _DETOURS:
        stops = plan.take(trip.bounds.pages - len(visits))
        if not stops:
            break
        tries += len(stops)
        for sight in await _wave(stops, plan.origin, trip, gate):
            visits += _taken(sight, plan)
        if end := _end(trip):
            return visits, (end,)
    return visits, ()


async def _wave(
    stops: Sequence[Stop], origin: str, trip: Trip, gate: asyncio.Semaphore
) -> list[Sight]:
    """What was seen at each stop, in the order of the stops."""

    async def one(stop: Stop) -> Sight:
        async with gate:
            return await look(stop, origin, trip)

    return await asyncio.gather(*(one(stop) for stop in stops))


def _taken(sight: Sight, plan: Itinerary) -> list[PageVisit]:
    """The visit, unless it is none or the same page was visited under another address."""
    visit = sight.visit
    if visit.depth == 0 and not visit.failure:
        plan.settle_on(visit.final_url)
    first = plan.arrive(visit.final_url)
    if visit.depth and not (sight.is_page and first):
        return []
    plan.add(sight.onward, visit.depth + 1)
    return [visit]


def _end(trip: Trip) -> str:
    """Why no more pages are visited; empty when they are."""
    if not trip.chromium.alive:
        return f"the browser ended: {trip.chromium.fault or 'it crashed'}"
    if time.monotonic() > trip.deadline:
        return f"there was no time for more pages after {trip.bounds.journey_s:.0f} s"
    return ""
