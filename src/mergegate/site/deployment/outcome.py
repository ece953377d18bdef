"""What the site of a change came to: short enough for a comment, the full reports lie beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mergegate.core.report import Gate, Verdict
from mergegate.site.audit.budget import Figures, Violation
from mergegate.site.audit.facts import Area, Scores
from mergegate.site.audit.report import Difference, Range
from mergegate.site.level import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRules:
    """When a site stops a merge; the specification gives it no gate, so by default it does not."""

    minimum_scores: Mapping[Area, int] = field(default_factory=lambda: MappingProxyType({}))
    """The least that each score may be, 0–100."""
    most_browser_errors: int | None = None
    """How many entries of severity error a browser test may have; None for any number."""
    over_budget: bool = False
    """Whether a violation of the budget fails that is beyond the noise."""
    regressions: bool = False
    """Whether a figure fails that is worse than the base's, beyond the noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """An issue or a problem in one line; all of its text is hostile."""

    level: Level
    topic: str
    """The area of an issue, the list of a problem: ``accessibility``, ``jsErrors``…"""
    title: str
    where: str = ""
    """A page, with a selector or an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """The short form of an audit."""

    scores: Scores
    score_ranges: Mapping[Area, Range] = field(default_factory=lambda: MappingProxyType({}))
    figures: Figures
    runs: int = 1
    violations: tuple[Violation, ...] | None = None
    """None when there was no budget."""
    differences: tuple[Difference, ...] = ()
    """Against the base's preview; empty without one."""
    highlights: tuple[Highlight, ...] = ()
    """The worst issues, worst first."""
    issues: int = 0
    """How many there were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The short form of a browser test."""

    pages: int
    errors: int
    warnings: int
    highlights: tuple[Highlight, ...] = ()
    """The worst problems, errors first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOutcome:
    """What was seen of the site, and what the policy makes of it."""

    url: str
    """Hostile text where the event named it."""
    device: str = "mobile"
    audited: Audited | None = None
    """None when the audit was not wanted, or could not be done: then a gap says why."""
    tested: Tested | None = None
    gaps: tuple[str, ...] = ()
    """What could not be checked and why, a sentence each, without a full stop."""
    rules: SiteRules = SiteRules()
    verdict: Verdict = Verdict(Gate.PASSED, ())
    """By the rules; see ``score/site.py``."""
