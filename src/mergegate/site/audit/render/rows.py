"""What an audit came to, in rows of words and numbers, for every renderer. Raw text throughout."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.render import wording
from mergegate.site.audit.budget import VENDOR, Key, Violation
from mergegate.site.audit.facts import Area, Detail
from mergegate.site.audit.report import AuditReport, Difference, Issue, Range
from mergegate.site.level import Level
from mergegate.site.render import bands, figures
from mergegate.site.stack.facts import Technology

UNKNOWN = "–"
_TOLD_FIRST = ("worse", "better", "unsure", "same")


@dataclass(frozen=True, slots=True)
class Score:
    """One of the four."""

    area: Area
    name: str
    value: int | None
    band: str
    spread: str
    """``58–64``; empty when all runs agree."""

    @property
    def text(self) -> str:
        """The number, or a dash."""
        return UNKNOWN if self.value is None else str(self.value)


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure, against its limit where there is one."""

    key: Key
    name: str
    value: float
    band: str
    spread: Range | None
    limit: float | None
    """None without a budget."""
    violation: Violation | None
    allowance: float
    """What the budget made of this page would allow."""

    @property
    def text(self) -> str:
        """With its unit."""
        return figures.figure(self.key, self.value)

    @property
    def spread_text(self) -> str:
        """``3.0 s – 3.3 s``; empty when all runs agree."""
        return spread(self.key, self.spread)

    @property
    def limit_text(self) -> str:
        """With its unit; empty without a budget."""
        return "" if self.limit is None else figures.figure(self.key, self.limit)

    @property
    def allowance_text(self) -> str:
        """With its unit."""
        return figures.figure(self.key, self.allowance)

    @property
    def state(self) -> str:
        """``over``, ``perhaps over``, ``within``; empty without a budget."""
        if self.limit is None:
            return ""
        if self.violation is None:
            return "within"
        return "over" if self.violation.certain else "perhaps over"


@dataclass(frozen=True, slots=True)
class Over:
    """A violation in words."""

    said: str
    """``Largest Contentful Paint 3.1 s, allowed 2.5 s``."""
    cause: str
    """Hostile text, to be shown as code; empty when unknown."""
    certain: bool


def scores(report: AuditReport) -> tuple[Score, ...]:
    """All four, in the specification's order."""
    return tuple(_score(report, area) for area in Area)


def metrics(report: AuditReport) -> tuple[Metric, ...]:
    """One a :class:`Key`, in their order."""
    return tuple(_metric(report, key) for key in Key)


def violations(report: AuditReport) -> tuple[Over, ...]:
    """What is over the budget, certain ones first."""
    found = sorted(report.violations or (), key=lambda one: not one.certain)
    return tuple(_over(one) for one in found)


def differences(report: AuditReport) -> tuple[Difference, ...]:
    """Those of the duel, worse ones first."""
    found = report.duel.differences if report.duel else ()
    return tuple(sorted(found, key=lambda one: _rank(one.verdict)))


def confidence(one: Difference) -> str:
    """``99% sure``; one is never surer than that."""
    return f"{min(one.confidence, 0.99):.0%} sure"


def by_area(report: AuditReport) -> Iterator[tuple[Area, tuple[Issue, ...]]]:
    """The issues of each area that has any."""
    for area in Area:
        mine = tuple(one for one in report.issues if one.area is area)
        if mine:
            yield area, mine


def telling(issue: Issue) -> tuple[Detail, ...]:
    """The rows that say anything."""
    return tuple(one for one in issue.details if one.url or one.element or one.text)


def rows_that_tell(issue: Issue) -> int:
    """How many rows there were, as far as is known without the empty ones."""
    empty = len(issue.details) - len(telling(issue))
    return max(issue.rows, len(issue.details)) - empty


def counts(report: AuditReport) -> str:
    """``3 errors, 12 warnings``."""
    errors = sum(one.level is Level.ERROR for one in report.issues)
    warnings = len(report.issues) - errors
    return f"{wording.counted(errors, 'error')}, {wording.counted(warnings, 'warning')}"


def conditions(report: AuditReport) -> str:
    """How it was measured: ``mobile, simulated throttling, median of 3 runs``."""
    slowed = {
        "simulate": "simulated throttling",
        "devtools": "throttled by the browser",
        "provided": "not throttled",
    }[report.throttling.value]
    runs = f"median of {report.runs} runs" if report.runs > 1 else "one run"
    return f"{report.device.value}, {slowed}, {runs}"


def spread(key: str, apart: Range | None) -> str:
    """``3.0 s – 3.3 s``; empty when there is none to be told."""
    if apart is None:
        return ""
    low, high = figures.figure(key, apart.lowest), figures.figure(key, apart.highest)
    return "" if low == high else f"{low} – {high}"


def technology(one: Technology) -> str:
    """``Next.js 15.1``, and how sure it is when it is not."""
    sure = "" if one.confidence >= 100 else f"({one.confidence} %)"
    return " ".join(part for part in (one.name, one.version, sure) if part)


def new_vendors(report: AuditReport) -> frozenset[str]:
    """Those that the budget, or the page before the change, does not have."""
    strangers = {str(one.actual) for one in report.violations or () if one.key == VENDOR}
    return frozenset(strangers.union(report.duel.new_vendors if report.duel else ()))


def novelty(report: AuditReport, issue: Issue) -> str:
    """``new`` or ``existing`` against the page before the change; empty without one."""
    if report.duel is None:
        return ""
    return "new" if issue.id in report.duel.new_issues else "existing"


def _score(report: AuditReport, area: Area) -> Score:
    value, apart = report.scores.of(area), report.score_ranges.get(area)
    ranged = apart is not None and apart.lowest != apart.highest
    text = f"{apart.lowest:.0f}–{apart.highest:.0f}" if apart and ranged else ""
    return Score(area, figures.name(area), value, figures.band(value), text)


def _metric(report: AuditReport, key: Key) -> Metric:
    value, apart = report.measured.figures.of(key), report.spread
    return Metric(
        key=key,
        name=figures.name(key),
        value=value,
        band=bands.metric(key, value, report.device),
        spread=Range(apart.lowest.of(key), apart.highest.of(key)) if apart else None,
        limit=report.held_to.limits.of(key) if report.held_to else None,
        violation=next((one for one in report.violations or () if one.key == key), None),
        allowance=report.budget.limits.of(key),
    )


def _over(one: Violation) -> Over:
    if one.key == VENDOR:
        return Over(f"New third party: {one.actual}", one.cause, one.certain)
    actual, limit = figures.figure(one.key, one.actual), figures.figure(one.key, one.limit)
    said = f"{figures.name(one.key)} {actual}, allowed {limit}"
    return Over(said, one.cause, one.certain)


def _rank(verdict: str) -> int:
    return _TOLD_FIRST.index(verdict) if verdict in _TOLD_FIRST else len(_TOLD_FIRST)
