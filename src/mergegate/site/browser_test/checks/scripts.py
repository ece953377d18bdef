"""Script faults of a page → problems.

Levels: what the site itself throws, and a script, style sheet, frame or call of it that does not
load, is an error; what a third party does, what is only written to the console, and a picture or
font that is late or forbidden, is a warning. A picture of the site that is gone is an error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.site.browser_test.checks.site import (
    MOST_EVIDENCE,
    MOST_MESSAGE,
    MOST_URL,
    Site,
    identity,
)
from mergegate.site.browser_test.checks.suggest import remedy
from mergegate.site.browser_test.facts import Fault, PageVisit, ScriptFault, StackFrame
from mergegate.site.browser_test.report import Kind, Problem
from mergegate.site.level import Level
from mergegate.site.words import cut

_EXTENSION = re.compile(r"(?:chrome|moz|safari(?:-web)?|ms-browser)-extension:", re.IGNORECASE)
_SEARCHED = 2_000


@dataclass(frozen=True, slots=True)
class Noise:
    """What looks like a fault of the page and is none, or no more than a warning."""

    id: str
    pattern: str
    """Found in the message, in capitals or not."""
    faults: tuple[Fault, ...]
    """What it is looked for in."""
    reason: str
    """Why it is none: a clause."""
    dropped: bool = True
    """A warning otherwise, whatever it would have been."""
    bare: bool = False
    """Only without a stack."""


_KNOWN = tuple(read_table(Path(__file__).with_name("noise.toml"), Noise).values())
"""The first that fits counts."""
_FOLLOWS = Noise(
    "lost-script",
    "",
    (),
    "a script of another site, which may define it, cannot be reached from here",
    dropped=False,
)


def known(fault: ScriptFault) -> Noise | None:
    """The kind of noise that ``fault`` is; None when it counts in full."""
    if _of_an_extension(fault):
        return Noise("extension", "", (), "it is an extension's, not the site's")
    message = fault.message[:_SEARCHED]
    for one in _KNOWN:
        fits = fault.fault in one.faults and not (one.bare and fault.frames)
        if fits and re.search(one.pattern, message, re.IGNORECASE):
            return one
    return None


def _of_an_extension(fault: ScriptFault) -> bool:
    frames = fault.frames[:1]
    return any(_EXTENSION.match(url) for url in (fault.url, *(one.url for one in frames)))


@dataclass(frozen=True, slots=True)
class Logged:
    """One kind of what the browser itself writes to the console."""

    id: str
    pattern: str
    """Found in the message, as it is written."""
    rule: str
    error: bool
    """Whether it keeps the site from what it was written to do."""


_LOGGED = tuple(read_table(Path(__file__).with_name("logged.toml"), Logged).values())
"""The first that fits counts."""
_UNKNOWN = Logged("message", "", "browser-message", error=False)


def _kind(fault: ScriptFault) -> Logged:
    message = fault.message[:_SEARCHED]
    return next((one for one in _LOGGED if re.search(one.pattern, message)), _UNKNOWN)


_MOST_FRAMES = 10
_RULES = {
    Fault.UNCAUGHT: "uncaught-error",
    Fault.REJECTION: "unhandled-rejection",
    Fault.CONSOLE: "console-error",
    Fault.CRASH: "page-crash",
}
_SAID = {Fault.CONSOLE: "console.error: "}
"""What a message needs before it to be understood."""
_NAMES = {
    "script": "script",
    "style": "style sheet",
    "stylesheet": "style sheet",
    "document": "frame",
    "fetch": "call to",
    "xhr": "call to",
    "eventsource": "stream",
    "websocket": "connection",
    "image": "image",
    "font": "font",
    "media": "recording",
    "manifest": "manifest",
}
_NEEDED = frozenset({"script", "style", "stylesheet", "document", "fetch", "xhr", "eventsource"})
"""Without one of these a page does not do what it was written to do."""
_ASKED = frozenset({"fetch", "xhr", "eventsource"})
_LOGIN = frozenset({401, 403})
"""What a call answers who is not logged in: a page may ask in order to learn just that."""
_GONE = frozenset({404, 410})
_FORBIDDEN = "blocked: csp"
_UNREACHED = "ERR_TUNNEL_CONNECTION_FAILED"
_NAMELESS = re.compile(r"(?:Uncaught )?ReferenceError: \S{1,80} is not defined")
_PLAIN = {
    # What Chromium sees of it through our way out: a visitor never would.
    _UNREACHED: "its server cannot be reached from here",
    "ERR_CONNECTION_CLOSED": "its server broke off",
    "ERR_CONNECTION_RESET": "its server broke off",
    "ERR_EMPTY_RESPONSE": "its server broke off",
    "ERR_TIMED_OUT": "its server did not answer in time",
    _FORBIDDEN: "the page's Content Security Policy forbids it",
    "blocked: integrity": "it is not what its integrity attribute names",
    "blocked: mixed-content": "it is plain HTTP on a page that came over HTTPS",
}
"""Chromium's words for why there was no answer."""
_TELLING_NAME = 4
"""Letters: what a minifier makes of a function's name is shorter, and differs by build."""


def script_problems(visit: PageVisit, site: Site) -> Iterator[Problem]:
    """One entry a fault that is not known to be noise."""
    lost = any(_is_lost_script(fault, site) for fault in visit.faults)
    for fault in visit.faults:
        noise = known(fault) or (_FOLLOWS if lost and _NAMELESS.match(fault.message) else None)
        if (noise and noise.dropped) or _is_the_page(fault, visit) or _is_default_icon(fault):
            continue
        if fault.fault is Fault.REQUEST:
            yield _request(fault, noise, visit, site)
        else:
            yield _error(fault, noise, visit, site)


def _is_lost_script(fault: ScriptFault, site: Site) -> bool:
    """Whether a script of another site could not be reached from here."""
    asked = fault.fault is Fault.REQUEST and fault.resource == "script"
    return asked and fault.message == _UNREACHED and not site.owns(fault.url)


def _is_the_page(fault: ScriptFault, visit: PageVisit) -> bool:
    """A page that does not load is told with the links to it."""
    return fault.resource == "document" and fault.url in {visit.url, visit.final_url}


def _is_default_icon(fault: ScriptFault) -> bool:
    """Whether this is the default icon, which browsers request on their own."""
    asked = fault.fault is Fault.REQUEST and fault.resource in {"", "other", "image"}
    return asked and fault.url.partition("?")[0].endswith("/favicon.ico")


def _error(fault: ScriptFault, noise: Noise | None, visit: PageVisit, site: Site) -> Problem:
    rule = _kind(fault).rule if fault.fault is Fault.LOGGED else _RULES[fault.fault]
    level = Level.WARNING if _is_mild(fault, noise) else Level.ERROR
    message = fault.message or "The page gave no message"
    locator = _locator(fault, visit, site)
    return Problem(
        id=identity(rule, locator, site.plain(message)),
        kind=Kind.SCRIPT,
        rule=rule,
        level=level,
        message=cut(f"{_SAID.get(fault.fault, '')}{message}", MOST_MESSAGE),
        page=visit.url,
        pages=(visit.url,),
        evidence=cut(_evidence(fault), MOST_EVIDENCE),
        url=cut(fault.url, MOST_URL),
        vendor=fault.vendor,
        frames=fault.frames[:_MOST_FRAMES],
        count=fault.count,
        remedy=_remedy(rule, noise, fault.vendor),
    )


def _is_mild(fault: ScriptFault, noise: Noise | None) -> bool:
    if fault.fault is Fault.CRASH:
        return False
    mild = fault.fault is Fault.CONSOLE
    mild |= fault.fault is Fault.LOGGED and not _kind(fault).error
    return bool(mild or noise or fault.vendor)


def _locator(fault: ScriptFault, visit: PageVisit, site: Site) -> str:
    """The script and the function, neither line nor build: both move without a change of it."""
    if fault.fault is Fault.CRASH:
        return site.path(visit.url)
    frame = fault.frames[0] if fault.frames else StackFrame(fault.url, 0, 0)
    pages = {_address(visit.url), _address(visit.final_url)}
    script = "inline" if _address(frame.url) in pages else site.plain(frame.url)
    name = frame.function if len(frame.function) >= _TELLING_NAME else ""
    return f"{script} {site.plain(name)}"


def _address(url: str) -> str:
    return url.partition("#")[0]


def _evidence(fault: ScriptFault) -> str:
    """The first line of the stack, and whether it took a click or a key."""
    touched = "; once an element was clicked, or a key pressed" if fault.by_input else ""
    return f"{_place(fault)}{touched}"


def _place(fault: ScriptFault) -> str:
    if not fault.frames:
        return fault.url
    frame = fault.frames[0]
    where = f"{frame.url}:{frame.line}:{frame.column}"
    return f"at {frame.function} ({where})" if frame.function else f"at {where}"


def _request(fault: ScriptFault, noise: Noise | None, visit: PageVisit, site: Site) -> Problem:
    own = _is_forbidden(fault)
    image = fault.resource == "image"
    failed = "broken-image" if image else "failed-request"
    rule = "blocked-by-policy" if own else failed
    outcome = _outcome(fault)
    name = _NAMES.get(fault.resource, "resource")
    return Problem(
        id=identity(rule, site.plain(fault.url), fault.resource),
        kind=Kind.IMAGE if image else Kind.SCRIPT,
        rule=rule,
        level=_request_level(fault, noise),
        message=f"The {name} {cut(site.path(fault.url), MOST_MESSAGE)} {outcome}",
        page=visit.url,
        pages=(visit.url,),
        evidence=cut(_asked(fault), MOST_EVIDENCE),
        url=cut(fault.url, MOST_URL),
        status=fault.status,
        vendor=None if own else fault.vendor,
        frames=fault.frames[:_MOST_FRAMES],
        count=fault.count,
        remedy=_remedy(rule, noise, None if own else fault.vendor),
    )


def _is_forbidden(fault: ScriptFault) -> bool:
    """Whether the site's own policy keeps out what its own markup asks for."""
    return fault.message == _FORBIDDEN and not fault.frames


def _request_level(fault: ScriptFault, noise: Noise | None) -> Level:
    if noise or (fault.vendor and not _is_forbidden(fault)):
        return Level.WARNING
    if fault.resource == "image":
        return Level.ERROR if fault.status in _GONE else Level.WARNING
    if fault.resource in _ASKED and fault.status in _LOGIN:
        return Level.WARNING
    return Level.ERROR if fault.resource in _NEEDED else Level.WARNING


def _outcome(fault: ScriptFault) -> str:
    if fault.status is not None:
        return f"answers {fault.status}"
    reason = _PLAIN.get(fault.message) or cut(fault.message, MOST_MESSAGE // 2)
    return f"does not load: {reason}" if reason else "does not load"


def _asked(fault: ScriptFault) -> str:
    """What the message leaves out: the whole address, Chromium's word, and who asked for it."""
    word = fault.message if fault.status is None and fault.message in _PLAIN else ""
    asker = f"asked for {_evidence(fault)}" if fault.frames else ""
    return "; ".join(filter(None, (cut(fault.url, MOST_MESSAGE), word, asker)))


def _remedy(rule: str, noise: Noise | None, vendor: str | None) -> str:
    if noise:
        return f"Only a warning: {noise.reason}."
    if vendor:
        return remedy("vendor-fault").text
    return remedy(rule).text
