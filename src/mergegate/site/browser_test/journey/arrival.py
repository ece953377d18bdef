"""Open one page, and say in words why that did not work out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error, Page, Response
from playwright.async_api import TimeoutError as TooSlow

from mergegate.sandbox.egress.destination import REFUSAL_HEADER
from mergegate.site.browser_test.facts import Vitals
from mergegate.site.browser_test.journey.isolated import Bounds, Isolated, library, script

# The library waits for an idle moment to count an input; a page that is not drawn has none.
_AT_ONCE = "globalThis.requestIdleCallback = (work) => setTimeout(work);"
# It leaves out shifts that an input may have caused, and Chromium takes the size of the window that
# we emulate for one (crbug.com/1094974). There is no input before the shifts are read.
_UNTOUCHED = "Object.defineProperty(LayoutShift.prototype, 'hadRecentInput', { get: () => false });"


def watch() -> str:
    """Source that counts from the beginning of a document on; raises EngineMissing."""
    found = library("web-vitals", "dist/web-vitals.iife.js")
    return f"if (self === top) {{ {_AT_ONCE}\n{_UNTOUCHED}\n{found};\n{script('vitals.js')} }}"


async def vitals(world: Isolated, *, within_s: float) -> Vitals:
    """The web vitals of the page so far; raises Stuck."""
    told = await world.run("({...globalThis.vitals})", within_s=within_s)
    return Vitals(
        lcp=_milliseconds(told, "lcp"),
        inp=_milliseconds(told, "inp"),
        fcp=_milliseconds(told, "fcp"),
        ttfb=_milliseconds(told, "ttfb"),
        cls=_number(told, "cls", 4),
    )


def _milliseconds(told: dict[str, Any], name: str) -> float | None:
    return _number(told, name, 1)


def _number(told: dict[str, Any], name: str, digits: int) -> float | None:
    value = told.get(name)
    return round(float(value), digits) if isinstance(value, int | float) and value >= 0 else None


_LONGEST = 200
POLICY = 403
"""The status with which the way out refuses what a scan may not reach."""
_NO_ANSWER = frozenset({502, 504})
"""The statuses of the way out for an allowed address at which no server answers."""


def refusal(headers: Mapping[str, str]) -> str:
    """Why the way out answers in the server's place, if the answer came over plain HTTP.

    There no server can say it; empty when none does. Behind TLS it means nothing.
    """
    named = (value for name, value in headers.items() if name.lower() == REFUSAL_HEADER.lower())
    return next(named, "").partition("; ")[2][:_LONGEST]


_NET = re.compile(r"net::(ERR_[A-Z0-9_]+)")
_REASONS: Mapping[str, str] = {
    "ERR_NAME_NOT_RESOLVED": "there is no such host",
    "ERR_CONNECTION_REFUSED": "the server refuses the connection",
    "ERR_CONNECTION_RESET": "the server broke off",
    "ERR_CONNECTION_CLOSED": "the server broke off",
    "ERR_EMPTY_RESPONSE": "the server broke off",
    "ERR_INVALID_HTTP_RESPONSE": "the server does not answer in HTTP",
    "ERR_TOO_MANY_REDIRECTS": "it redirects without end",
    "ERR_TIMED_OUT": "the server does not answer in time",
    "ERR_TUNNEL_CONNECTION_FAILED": "the server cannot be reached",
    "ERR_UNSAFE_PORT": "no browser opens this port",
}
_CERTIFICATE = "ERR_CERT_"
_NO_PAGE = ("Download is starting", "net::ERR_ABORTED")
"""A file to save, or an answer without content."""
_DENIALS = frozenset(range(400, 500)) - {408, 425, 429}
"""The statuses by which a server says that there is no page here, or none for us."""
_HTML = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What the address of a page answered."""

    status: int | None = None
    """None when there was no answer."""
    failure: str = ""
    """Why it is not looked at."""
    is_page: bool = True
    """False for what a browser would save or show as a file."""
    note: str = ""
    is_elsewhere: bool = False
    """Whether it leads to where this scan may not go."""

    @property
    def is_none(self) -> bool:
        """Whether there is no page of the site to judge, and none was missed."""
        denied = self.status is not None and self.status in _DENIALS
        return not self.is_page or self.is_elsewhere or denied


async def arrive(page: Page, url: str, bounds: Bounds) -> Arrival:
    """Go to ``url`` and wait until it has loaded, but not for ever."""
    limit = bounds.load_s * 1000
    try:
        answer = await page.goto(url, wait_until="commit", timeout=limit)
    except TooSlow:
        return Arrival(failure=f"it does not answer within {bounds.load_s:g} s")
    except Error as error:
        return _failed(error)
    if answer is None:
        return Arrival(failure="it answers with nothing", is_page=False)
    arrival = _judged(answer)
    return arrival if arrival.failure else await _loaded(page, arrival, bounds)


async def _loaded(page: Page, arrival: Arrival, bounds: Bounds) -> Arrival:
    try:
        await page.wait_for_load_state("load", timeout=bounds.load_s * 1000)
    except TooSlow:
        note = f"it had not finished loading after {bounds.load_s:g} s"
        return Arrival(status=arrival.status, note=note)
    return arrival


def _judged(answer: Response) -> Arrival:
    return judged(answer.url, answer.status, answer.headers)


def judged(url: str, status: int, headers: Mapping[str, str]) -> Arrival:
    """What the answer to the request of a page makes of it; names of headers in any case."""
    given = {name.lower(): value for name, value in headers.items()}
    kind = given.get("content-type", "").partition(";")[0].strip().lower()
    if url.startswith("http://") and (reason := refusal(given)):
        if status in _NO_ANSWER:
            return Arrival(failure=reason)
        return Arrival(failure=f"it was not let through: {reason}", is_elsewhere=True)
    if status >= 400:
        return Arrival(status=status, failure=f"it answers {status}")
    if kind not in _HTML | {""}:
        return Arrival(status=status, failure="it is no HTML page", is_page=False)
    return Arrival(status=status)


def _failed(error: Error) -> Arrival:
    if any(one in error.message for one in _NO_PAGE):
        return Arrival(failure="it is no page but a file to save", is_page=False)
    return lost(error.message)


def lost(message: str) -> Arrival:
    """Why there is no answer, by what the browser says of it."""
    found = _NET.search(message)
    if found is None:
        return Arrival(failure="the browser could not open it")
    if found[1].startswith(_CERTIFICATE):
        return Arrival(failure=f"its certificate is not valid ({found[1]})")
    return Arrival(failure=_REASONS.get(found[1], f"the browser could not open it ({found[1]})"))
