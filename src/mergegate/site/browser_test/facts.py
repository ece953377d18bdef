"""What a real browser met on its way through the pages of a site."""

from dataclasses import dataclass
from enum import StrEnum

from mergegate.site.level import Element


class Fault(StrEnum):
    """What kind of script trouble it was."""

    UNCAUGHT = "uncaught"
    REJECTION = "rejection"
    CONSOLE = "console"
    """Written to ``console.error``."""
    LOGGED = "logged"
    """Written to the console by the browser itself: what a policy or a wrong type kept out…"""
    REQUEST = "request"
    """A resource of the page that failed to load."""
    CRASH = "crash"
    """The page took its renderer down, or hung."""


@dataclass(frozen=True, slots=True)
class StackFrame:
    """One line of a script's stack."""

    url: str
    line: int
    """From 1."""
    column: int
    function: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFault:
    """One error of a page, as the browser told it; all text is hostile."""

    fault: Fault
    message: str
    url: str = ""
    """The script, or the resource that failed."""
    frames: tuple[StackFrame, ...] = ()
    """Innermost first."""
    status: int | None = None
    """HTTP status of a failed resource; None where there was no answer."""
    resource: str = ""
    """Kind of a failed resource: ``script``, ``image``, ``fetch``…"""
    count: int = 1
    """How often it happened on this page."""
    vendor: str | None = None
    """The third party it comes from; None for the site's own."""
    by_input: bool = False
    """Whether our own clicks and keys set it off."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the rendered page."""

    url: str
    """Absolute, with its fragment."""
    element: Element
    scripted: bool = False
    """Whether it was not in the page as it came from the server."""


@dataclass(frozen=True, slots=True)
class AxeNode:
    """One element that breaks a rule of axe."""

    element: Element
    summary: str
    """What axe says is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AxeViolation:
    """One rule of axe that a page breaks."""

    rule: str
    impact: str
    """``minor``, ``moderate``, ``serious`` or ``critical``."""
    help: str
    help_url: str
    tags: tuple[str, ...]
    nodes: tuple[AxeNode, ...]
    """Some of them, the worst first: the others are no worse than the last."""
    count: int
    """How many elements break it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """Core web vitals of one load in this laboratory; None where there was nothing to measure."""

    lcp: float | None = None
    """Milliseconds, as the next three."""
    inp: float | None = None
    fcp: float | None = None
    ttfb: float | None = None
    cls: float | None = None
    """Without a unit."""


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A picture of a page."""

    page: str
    viewport: str
    """``desktop`` or ``mobile``."""
    image: bytes
    """JPEG."""
    boxed: tuple[str, ...] = ()
    """Selectors of the failing elements that are boxed in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVisit:
    """One page, as the browser met it."""

    url: str
    """The address in the link."""
    final_url: str
    status: int | None
    """None when there was no answer."""
    title: str = ""
    depth: int = 0
    """Links from the first page."""
    failure: str = ""
    """Why nothing below could be looked at; empty when it could."""
    faults: tuple[ScriptFault, ...] = ()
    links: tuple[Link, ...] = ()
    anchors: frozenset[str] = frozenset()
    """Ids and names that a fragment can point at, in the rendered page."""
    violations: tuple[AxeViolation, ...] = ()
    vitals: Vitals = Vitals()
    screenshots: tuple[Screenshot, ...] = ()
    load_ms: int = 0
    notes: tuple[str, ...] = ()
    """What could not be looked at in full, and why."""
    gaps: tuple[str, ...] = ()
    """The notes, or the failure, that say that a whole kind of judgement is missing here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """The pages that were visited, in breadth-first order."""

    start: str
    visits: tuple[PageVisit, ...]
    found: int = 0
    """How many same-origin pages were seen linked, visited or not."""
    browser: str = ""
    """Its version."""
    notes: tuple[str, ...] = ()
    """Why it ended before its time; empty when it did not."""


OUT_OF_TIME = "beyond the time of the check"
"""The reason of links that there was no time to ask for."""


class LinkState(StrEnum):
    """What became of a link."""

    ALIVE = "alive"
    DEAD = "dead"
    """It leads nowhere: gone, no such host, or an anchor that is not there."""
    BLOCKED = "blocked"
    """The server does not answer robots, or wants a login: a person may well get through."""
    FLAKY = "flaky"
    """It failed in a way that may pass: a time-out, a server's error, too many requests."""
    SOFT_404 = "soft-404"
    """It answers well, and says that there is nothing."""
    UNCHECKED = "unchecked"
    """Not a web address, or beyond the limits of the scan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAnswer:
    """What the address of a link answered."""

    url: str
    """With its fragment."""
    state: LinkState
    status: int | None = None
    final_url: str = ""
    reason: str = ""
    """One phrase for people."""
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class LinkAnswers:
    """One answer for each address that was linked."""

    answers: tuple[LinkAnswer, ...]
    """Sorted by address."""
