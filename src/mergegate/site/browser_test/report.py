"""The report of a browser test."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from mergegate.sandbox.visit import Device
from mergegate.site.browser_test.facts import LinkState, PageVisit, Screenshot, StackFrame, Vitals
from mergegate.site.level import Level
from mergegate.site.report import SiteReport

OUT_OF_REACH = "outside-links-not-checked"
"""The rule of the one problem that stands for all links to other sites when none answered."""


class Kind(StrEnum):
    """Which list of the result a problem stands in."""

    SCRIPT = "jsErrors"
    LINK = "brokenLinks"
    FORM = "formIssues"
    IMAGE = "imageIssues"
    ACCESSIBILITY = "accessibilityIssues"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, however many pages have it; its text is hostile."""

    id: str
    """Stable: rule, stable place and evidence, neither count nor order."""
    kind: Kind
    rule: str
    """Kebab-case: ``uncaught-error``, ``dead-link``, axe's own names…"""
    level: Level
    message: str
    """One sentence; what is wrong."""
    page: str
    """The first page that has it."""
    pages: tuple[str, ...]
    """All that have it, in the order of the visit."""
    selector: str = ""
    """The first element that has it."""
    selectors: tuple[str, ...] = ()
    """The first few, each once; empty where it is of no element."""
    evidence: str = ""
    """The tag, the first line of the stack, the answer of the server."""
    url: str = ""
    """What it is about: the link's target, the script, the resource."""
    status: int | None = None
    state: LinkState | None = None
    """The state of a link; None for other problems."""
    vendor: str | None = None
    """The third party that brought it; None for the site's own."""
    frames: tuple[StackFrame, ...] = ()
    count: int = 1
    """How many elements or times."""
    remedy: str = ""
    """What to change."""
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What to do next."""

    title: str
    message: str
    problem_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserReport(SiteReport):
    """Everything a renderer may show of a browser test."""

    visits: tuple[PageVisit, ...]
    device: Device = Device.MOBILE
    """What the pages were looked at as; pictures show both."""
    found: int = 0
    """How many same-origin pages were seen linked, visited or not."""
    problems: tuple[Problem, ...] = ()
    """Errors first, in a fixed order."""
    links: Mapping[LinkState, int] = field(default_factory=lambda: MappingProxyType({}))
    """How many addresses ended how."""
    notes: tuple[str, ...] = ()
    """Why the test ended before its time, each a gap too; empty when it did not."""
    vitals: Vitals = Vitals()
    """The web vitals of the first page."""
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def screenshots(self) -> tuple[Screenshot, ...]:
        """The screenshots of all pages, in the order of the visit."""
        return tuple(shot for visit in self.visits for shot in visit.screenshots)

    def of(self, kind: Kind) -> tuple[Problem, ...]:
        """The problems of one list."""
        return tuple(one for one in self.problems if one.kind is kind)

    @property
    def errors(self) -> int:
        """How many problems are errors."""
        return sum(one.level is Level.ERROR for one in self.problems)
