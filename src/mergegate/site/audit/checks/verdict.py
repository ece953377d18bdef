"""Which of Lighthouse's answers is an issue, and how bad it is."""

from collections.abc import Mapping
from types import MappingProxyType

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
