"""What Lighthouse said of one load of a page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Measured,
)
from mergegate.site.level import Element


class Area(StrEnum):
    """The categories that are scored, in the order in which they are told."""

    PERFORMANCE = "performance"
    SEO = "seo"
    ACCESSIBILITY = "accessibility"
    BEST_PRACTICES = "best-practices"

    @property
    def label(self) -> str:
        """The name of the area in the API's audit, such as ``bestPractices``."""
        head, *others = self.value.split("-")
        return head + "".join(one.title() for one in others)

    @classmethod
    def named(cls, label: str) -> "Area":
        """The category that the API's audit calls ``label``; raises KeyError for another word."""
        return {one.label: one for one in cls}[label]


AREAS: Mapping[Area, str] = MappingProxyType(
    {
        Area.PERFORMANCE: "performance",
        Area.SEO: "SEO",
        Area.ACCESSIBILITY: "accessibility",
        Area.BEST_PRACTICES: "best practices",
    }
)
"""The scores as they are written within a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """0–100 as Lighthouse rounds them; None where it gave none."""

    performance: int | None
    seo: int | None
    accessibility: int | None
    best_practices: int | None

    def of(self, area: Area) -> int | None:
        """The score of ``area``."""
        value: int | None = getattr(self, area.value.replace("-", "_"))
        return value


def scores(of: Callable[[Area], int | None]) -> Scores:
    """One score an area, each what ``of`` says of it."""
    return Scores(**{area.value.replace("-", "_"): of(area) for area in Area})


class Mode(StrEnum):
    """How an audit is scored: Lighthouse's ``scoreDisplayMode``."""

    BINARY = "binary"
    NUMERIC = "numeric"
    METRIC_SAVINGS = "metricSavings"
    INFORMATIVE = "informative"
    MANUAL = "manual"
    NOT_APPLICABLE = "notApplicable"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One row of an audit's table; all of its text is hostile."""

    url: str = ""
    line: int | None = None
    """In the source at ``url``, from 1."""
    column: int | None = None
    element: Element | None = None
    text: str = ""
    """What the row says beside address and element: a message, a name, a value."""
    wasted_ms: float | None = None
    wasted_bytes: int | None = None
    total_bytes: int | None = None
    vendor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """One audit's answer."""

    id: str
    """Lighthouse's own, such as ``image-alt``."""
    title: str
    """Lighthouse's title for this outcome; Markdown with back-ticks."""
    description: str
    """Markdown with links, by Lighthouse."""
    areas: tuple[Area, ...]
    """The categories that hold it; empty for one that only informs others."""
    weight: float
    """Lighthouse's, of its first area: audits there share the score in proportion to it; 0 when it
    does not count."""
    mode: Mode
    score: float | None
    """0–1; None where the mode has no score."""
    display_value: str = ""
    explanation: str = ""
    """Why it failed, of the few audits that fail for several reasons; Markdown with back-ticks."""
    savings: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """What putting it right would save, by metric: ``LCP``, ``FCP``, ``TBT``, ``INP`` in
    milliseconds, ``CLS`` without a unit."""
    wasted_bytes: int = 0
    details: tuple[Detail, ...] = ()
    """The first rows, heaviest first where Lighthouse sorts them."""
    rows: int = 0
    """How many rows there were."""
    error: str = ""
    """Why it could not be answered, for :attr:`Mode.ERROR`."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the page while it loaded."""

    at_ms: int
    """Since navigation."""
    image: str
    """A data URI: ``image/jpeg``, base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One request of the page, as a waterfall shows it; times in milliseconds since navigation."""

    url: str
    """Hostile text."""
    kind: str
    """Lighthouse's resource type in small letters."""
    status: int
    """-1 when there was no answer."""
    start_ms: float
    end_ms: float
    transfer_bytes: int
    resource_bytes: int
    priority: str = ""
    protocol: str = ""
    vendor: str | None = None
    """None for the site's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """A third party, by the name of its entity."""

    name: str
    category: str = ""
    homepage: str = ""
    requests: int = 0
    transfer_bytes: int = 0
    main_thread_ms: float = 0.0
    hosts: tuple[str, ...] = ()


CONTENDED = 1 / 3
"""From which :attr:`LighthouseRun.waited` on times say more of the machine than of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LighthouseRun:
    """One load of one page, judged by Lighthouse."""

    version: str
    """The version of Lighthouse."""
    browser: str
    """User agent of the browser that loaded it."""
    url: str
    """What was asked for."""
    final_url: str
    """Where it ended; hostile text."""
    device: Device
    throttling: Throttling
    scores: Scores
    audits: tuple[Audited, ...]
    """In Lighthouse's order."""
    measured: Measured
    vendors: tuple[Vendor, ...] = ()
    filmstrip: tuple[Frame, ...] = ()
    waterfall: tuple[Load, ...] = ()
    """The requests, ordered by their start."""
    warnings: tuple[str, ...] = ()
    """What Lighthouse says may have disturbed the run."""
    waited: float = 0.0
    """The part of a long task's time in which it had no processor, the median of all."""
    duration_ms: int = field(default=0, compare=False)
    """What the run took us."""

    def audit(self, id: str) -> Audited | None:
        """The audit of that id; None when it did not run."""
        return next((one for one in self.audits if one.id == id), None)
