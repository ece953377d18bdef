"""Which of Lighthouse's answers is an issue, how bad it is, and what putting it right is worth."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import erf, log
from types import MappingProxyType

from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import Key
from mergegate.site.audit.facts import Area, Audited, LighthouseRun, Mode
from mergegate.site.audit.report import Issue
from mergegate.site.level import Level

PASSED = 0.9
"""The score from which Lighthouse shows an audit as passed."""
_POOR = 0.5
_THIRD_PARTY_MS = 250
"""Of main thread time; what Lighthouse allowed third parties while it judged them."""
SCORED = frozenset({Mode.BINARY, Mode.NUMERIC, Mode.METRIC_SAVINGS})
"""Modes in which a score is a verdict."""
_DATA = frozenset(
    {
        *("diagnostics", "final-screenshot", "main-thread-tasks", "metrics", "network-requests"),
        *("network-rtt", "network-server-latency", "resource-summary", "screenshot-thumbnails"),
        *("script-treemap-data", "user-timings"),
        # Derived from metrics that are told themselves.
        *("interactive", "max-potential-fid", "lcp-breakdown-insight", "layout-shifts"),
        "long-tasks",
        # Experimental in axe; Lighthouse hides them.
        *("label-content-name-mismatch", "table-fake-caption", "td-has-header"),
    }
)
"""What an audit of this name says is no complaint of its own."""
_POLICY_HEADERS = frozenset(
    {"csp-xss", "has-hsts", "clickjacking-mitigation", "origin-isolation", "trusted-types-xss"}
)
"""Lighthouse gives them no score, yet every row names something to put right."""
_TOLD_BY: Mapping[str, str] = MappingProxyType(
    {
        "mainthread-work-breakdown": "bootup-time",
        "redirects": "document-latency-insight",
        "server-response-time": "document-latency-insight",
        "trusted-types-xss": "csp-xss",
    }
)
"""Say the same, or less, when the other is an issue."""
_HEAVY: Mapping[Area, float] = MappingProxyType(
    {Area.PERFORMANCE: 10, Area.ACCESSIBILITY: 7, Area.BEST_PRACTICES: 3, Area.SEO: 4}
)
_UNINDEXED = frozenset({"http-status-code", "robots-txt"})


def is_issue(audit: Audited, run: LighthouseRun) -> bool:
    """Whether it fails in a scored area, could not be answered, or names a fault without a score.

    Not when another issue says the same.
    """
    other = run.audit(_TOLD_BY.get(audit.id, ""))
    return _complains(audit, run) and not (other is not None and _complains(other, run))


def level(audit: Audited) -> Level:
    """An error counts in its area, scores below 0.5 there, and weighs.

    That is: any metric of performance; in accessibility what axe calls serious or critical
    (weight 7 or 10); in best practices a weight of 3 or more (HTTPS, deprecated interfaces,
    third-party cookies, blocked pasting); in SEO what keeps the page out of the index. All else
    is a warning, such as what only explains a metric, and what could not be checked.
    """
    failed = audit.mode in SCORED and audit.score is not None and audit.score < _POOR
    heavy = audit.weight >= _HEAVY[audit.areas[0]] or audit.id in _UNINDEXED
    return Level.ERROR if failed and audit.weight > 0 and heavy else Level.WARNING


def was_checked(issue: Issue) -> bool:
    """Whether it is known to be there: an audit without a score has rows that show it."""
    return issue.score is not None or issue.rows > 0


def _complains(audit: Audited, run: LighthouseRun) -> bool:
    if not audit.areas or audit.id in _DATA:
        return False
    if audit.mode is Mode.INFORMATIVE:
        return _names_a_fault(audit, run)
    failed = audit.score is not None and audit.score < PASSED
    return audit.mode is Mode.ERROR or (audit.mode in SCORED and failed)


def _names_a_fault(audit: Audited, run: LighthouseRun) -> bool:
    if audit.id == "third-parties-insight":
        return sum(vendor.main_thread_ms for vendor in run.vendors) >= _THIRD_PARTY_MS
    secure = run.final_url.startswith("https:")
    told = audit.id in _POLICY_HEADERS and (secure or audit.id != "has-hsts")
    return told and audit.rows > 0


_INVERSE_ERFC_ONE_FIFTH = 0.9061938024368232
_LEAST = 5e-324


@dataclass(frozen=True, slots=True)
class Curve:
    """A log-normal one, by its two control points (Lighthouse 13.5, ``core/audits/metrics``)."""

    good: float
    """What scores 0.9, in the metric's unit."""
    middling: float
    """What scores 0.5."""

    def score(self, value: float) -> float:
        """0–1; 1 for a ``value`` of 0 or less."""
        if value <= 0:
            return 1.0
        ratio = log(max(_LEAST, value / self.middling))
        standard = ratio * _INVERSE_ERFC_ONE_FIFTH / -log(self.good / self.middling)
        return (1 - erf(standard)) / 2


_SHIFT = Curve(0.1, 0.25)
CURVES: Mapping[Device, Mapping[Key, Curve]] = MappingProxyType(
    {
        Device.MOBILE: {
            Key.FCP: Curve(1800, 3000),
            Key.LCP: Curve(2500, 4000),
            Key.TBT: Curve(200, 600),
            Key.CLS: _SHIFT,
        },
        Device.DESKTOP: {
            Key.FCP: Curve(934, 1600),
            Key.LCP: Curve(1200, 2400),
            Key.TBT: Curve(150, 350),
            Key.CLS: _SHIFT,
        },
    }
)
"""Speed index has one as well, but no audit says what it would save of it."""


_WEIGHT_ELSEWHERE: Mapping[tuple[Area, str], float] = MappingProxyType(
    {
        (Area.SEO, "document-title"): 1,
        (Area.SEO, "image-alt"): 1,
        (Area.ACCESSIBILITY, "document-title"): 7,
        (Area.ACCESSIBILITY, "image-alt"): 10,
    }
)
"""Two audits count in two areas, and a fact holds the weight of the first (Lighthouse 13.5)."""
_METRICS: Mapping[Key, str] = MappingProxyType(
    {
        Key.FCP: "first-contentful-paint",
        Key.LCP: "largest-contentful-paint",
        Key.TBT: "total-blocking-time",
        Key.CLS: "cumulative-layout-shift",
    }
)
LATER_VISITS = frozenset({"cache-insight"})
"""Lighthouse names savings for it, but loads with an empty cache: its score would not move."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The points that are to be had in one run."""

    run: LighthouseRun
    totals: Mapping[Area, float]
    """The sum of the weights that count, by area."""

    def points(self, audit: Audited) -> float:
        """0–100, rounded to tenths, at most: those of several audits of one metric overlap."""
        area = audit.areas[0]
        if audit.mode not in SCORED or audit.score is None:
            return 0.0
        if audit.weight > 0:
            return round(100 * self._share(audit, area) * (1 - audit.score), 1)
        gained = sum(self._gains(audit)) if area is Area.PERFORMANCE else 0.0
        return round(gained, 1)

    def _share(self, audit: Audited, area: Area) -> float:
        total = self.totals.get(area, 0.0)
        return _weight(audit, area) / total if total else 0.0

    def _gains(self, audit: Audited) -> Iterator[float]:
        """What its savings move on the curves of the metrics."""
        if audit.id in LATER_VISITS:
            return
        for key, rule in _METRICS.items():
            metric, saved = self.run.audit(rule), audit.savings.get(key.upper(), 0.0)
            if metric is not None and saved > 0:
                yield 100 * self._share(metric, Area.PERFORMANCE) * self._rise(key, saved)

    def _rise(self, key: Key, saved: float) -> float:
        curve = CURVES[self.run.device][key]
        now = self.run.measured.figures.of(key)
        return curve.score(now - saved) - curve.score(now)


def worth(run: LighthouseRun) -> Worth:
    """Weighs the areas of ``run`` as Lighthouse does: what has no score does not count."""
    totals = {
        area: sum(_weight(audit, area) for audit in run.audits if audit.mode in SCORED)
        for area in Area
    }
    return Worth(run, MappingProxyType(totals))


def best_savings(issues: Iterable[Issue]) -> Mapping[str, float]:
    """The most of each metric: what several audits save of one metric overlaps."""
    best: dict[str, float] = {}
    for issue in issues:
        for metric, saved in issue.savings.items():
            best[metric] = max(saved, best.get(metric, 0.0))
    return MappingProxyType(best)


def _weight(audit: Audited, area: Area) -> float:
    if area not in audit.areas:
        return 0.0
    return audit.weight if audit.areas[0] is area else _WEIGHT_ELSEWHERE.get((area, audit.id), 0.0)
