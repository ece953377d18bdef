"""The report of a website audit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Budget,
    Measured,
    Spread,
    Violation,
)
from mergegate.site.audit.facts import Area, Detail, Frame, Load, Scores, Vendor
from mergegate.site.facts.stack import Technology
from mergegate.site.level import Level
from mergegate.site.report import SiteReport


def _nothing() -> Mapping[str, float]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """Something the page gets wrong."""

    id: str
    """Stable: the same issue of the same page has it in every run."""
    rule: str
    """Lighthouse's audit, such as ``image-alt``."""
    title: str
    """Plain text; what is wrong."""
    message: str
    """Plain text; why it matters and what to do."""
    level: Level
    area: Area
    score: int | None
    """0–100; None where the audit has none."""
    points: float = 0.0
    """What putting it right would give the area's score, at most; 0–100."""
    display_value: str = ""
    details: tuple[Detail, ...] = ()
    rows: int = 0
    """How many rows there were; ``details`` are the first."""
    savings: Mapping[str, float] = field(default_factory=_nothing)
    """Savings by metric, as in ``Audited``."""
    wasted_bytes: int = 0
    references: tuple[str, ...] = ()
    fix_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """What to do next: one step that puts right one or several issues."""

    id: str
    title: str
    """An order: ``Serve images in AVIF``."""
    message: str
    area: Area
    impact: str
    """``high``, ``medium`` or ``low``."""
    issue_ids: tuple[str, ...] = ()
    savings: Mapping[str, float] = field(default_factory=_nothing)
    wasted_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFix:
    """Code that puts an issue right in what the site is built with."""

    id: str
    issue_ids: tuple[str, ...]
    title: str
    explanation: str
    language: str
    """For highlighting: ``html``, ``javascript``, ``nginx``…"""
    code: str
    """To paste; may hold values of the page, which are hostile text."""
    technology: str = ""
    """What it is written for, such as ``Next.js``; empty when it fits any site."""
    savings: Mapping[str, float] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most over several runs."""

    lowest: float
    highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One figure of a page against the same figure of another."""

    key: str
    """A budget's key, or an ``Area``."""
    before: float
    """The median, as is ``after``."""
    after: float
    before_range: Range
    after_range: Range
    verdict: str
    """``better``, ``worse``, ``same`` (too small to matter) or ``unsure`` (within the noise)."""
    confidence: float
    """0–1: how sure it is that the two differ."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two pages measured in turn on this machine: what a change does."""

    against: str
    """The address of the page before the change."""
    runs: int
    """Loads of each of the two pages."""
    differences: tuple[Difference, ...]
    new_vendors: tuple[str, ...] = ()
    gone_vendors: tuple[str, ...] = ()
    new_issues: tuple[str, ...] = ()
    """Ids of issues that the page before does not have."""
    fixed_issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport(SiteReport):
    """Everything a renderer may show of an audit."""

    final_url: str
    device: Device
    throttling: Throttling
    scores: Scores
    """The scores of a single run, or the median of each score over several runs."""
    score_ranges: Mapping[Area, Range] = field(default_factory=lambda: MappingProxyType({}))
    """Empty after one run."""
    issues: tuple[Issue, ...] = ()
    """Worst first."""
    recommendations: tuple[Recommendation, ...] = ()
    fixes: tuple[SiteFix, ...] = ()
    technologies: tuple[Technology, ...] = ()
    measured: Measured
    spread: Spread | None = None
    """None after one run."""
    budget: Budget
    """Derived from what was measured."""
    violations: tuple[Violation, ...] | None = None
    """None when no budget was given."""
    held_to: Budget | None = None
    """The budget that was given."""
    duel: Duel | None = None
    vendors: tuple[Vendor, ...] = ()
    filmstrip: tuple[Frame, ...] = ()
    waterfall: tuple[Load, ...] = ()
    warnings: tuple[str, ...] = ()
    runs: int = 1
