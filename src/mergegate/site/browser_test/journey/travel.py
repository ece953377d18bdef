"""The journey: wave after wave of pages, each wave as many at once as there are tabs."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.browser.attach import attached
from mergegate.sandbox.visit import Visit
from mergegate.site.browser_test.facts import Journey, PageVisit
from mergegate.site.browser_test.journey.arrival import watch
from mergegate.site.browser_test.journey.bounds import Bounds
from mergegate.site.browser_test.journey.isolated import library
from mergegate.site.browser_test.journey.itinerary import Itinerary, Stop, page_of
from mergegate.site.browser_test.journey.page import Sight, Trip, look

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
        trip = Trip(browser, chromium, visit, bounds, deadline, doors)
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
    """In the order of the stops, whichever is done first."""

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
