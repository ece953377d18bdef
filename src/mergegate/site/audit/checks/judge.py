"""Lighthouse's answers → issues, worst first: which are issues, how bad, what each is worth."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import erf, log
from pathlib import Path
from types import MappingProxyType

from mergegate.core.data_table import read_table
from mergegate.sandbox.visit import Device
from mergegate.site.audit.budget import METRIC_BOUNDS, Key
from mergegate.site.audit.facts import CONTENDED, Area, Audited, Detail, LighthouseRun, Mode, Vendor
from mergegate.site.audit.report import Issue
from mergegate.site.impact import is_advice, keeps_nobody_out
from mergegate.site.level import Element, Level, stable_id
from mergegate.site.words import cut, is_switch


@dataclass(frozen=True, slots=True)
class Facade:
    """A light stand-in that loads the real thing when somebody wants it."""

    vendor: str
    """The entity's name in third-party-web."""
    replacement: str
    """What to use instead; an npm package, or a technique in words."""
    framed: bool = False
    """Whether it comes as a frame: its scripts are not the page's to load later."""


_FACADES = {
    name.lower(): one
    for name, one in read_table(
        Path(__file__).with_name("facades.toml"), Facade, key="vendor"
    ).items()
}


def facade(vendor: Vendor) -> Facade | None:
    """What can stand in for ``vendor``; None when nothing is known."""
    return _FACADES.get(vendor.name.lower())


def costliest(run: LighthouseRun) -> tuple[Vendor, ...]:
    """The third parties of ``run``, by main thread time, then by weight, then by name."""
    return tuple(
        sorted(run.vendors, key=lambda one: (-one.main_thread_ms, -one.transfer_bytes, one.name))
    )


def owners(run: LighthouseRun) -> Mapping[str, str]:
    """The vendor of each address that a third party served."""
    loads = ((one.url, one.vendor) for one in run.waterfall)
    requests = ((one.url, one.vendor) for one in run.measured.requests)
    return MappingProxyType({url: name for url, name in (*loads, *requests) if name})


PASSED = 0.9
"""The score from which Lighthouse shows an audit as passed."""
_POOR_SCORE = 0.5
_GOOD_SCORE = 90
_THIRD_PARTY_MS = 250
"""Main thread time that Lighthouse allowed third parties while it judged them."""
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
_DEFAULT_ICON = re.compile(r"https?://[^/]+/favicon\.ico")
_LIMITED_QUIRKS = "limited-quirks-mode"
"""As XHTML 1.0's doctype asks for: the height of table cells with images alone differs."""
_UNINDEXED = frozenset({"http-status-code", "robots-txt"})


def is_issue(audit: Audited, run: LighthouseRun) -> bool:
    """Whether it fails in a scored area, could not be answered, or names a fault without a score.

    Not when another issue says the same.
    """
    other = run.audit(_TOLD_BY.get(audit.id, ""))
    return _complains(audit, run) and not (other is not None and _complains(other, run))


def level(audit: Audited, run: LighthouseRun, points: float) -> Level:
    """An error counts in its area, scores below 0.5 there, and weighs.

    That is: any metric of performance; in accessibility what axe calls serious or critical
    (weight 7 or 10); in best practices a weight of 3 or more (HTTPS, deprecated interfaces,
    third-party cookies, blocked pasting); in SEO what keeps the page out of the index. All else
    is a warning, such as what only explains a metric, and what could not be checked.

    What costs nothing is info: of a page that is fast enough (specification: 90 and above are
    good) all that would make it faster, of a slower one what would not, and what Lighthouse gives
    no score. So is what hinders nobody, although it counts in the score as Lighthouse has it.
    ``points`` are those that are to be had. A time is no error on a machine that was too busy to
    take it.
    """
    if _costs_nothing(audit, run, points) or _hinders_nobody(audit):
        return Level.INFO
    if _is_mild(audit) or (_is_time(audit) and run.waited >= CONTENDED):
        return Level.WARNING
    failed = audit.mode in SCORED and audit.score is not None and audit.score < _POOR_SCORE
    heavy = audit.weight >= _HEAVY[audit.areas[0]] or audit.id in _UNINDEXED
    return Level.ERROR if failed and audit.weight > 0 and heavy else Level.WARNING


def _is_mild(audit: Audited) -> bool:
    """Whether it keeps nobody out, whatever it weighs."""
    return keeps_nobody_out(audit.id, (row.text for row in audit.details))


def _hinders_nobody(audit: Audited) -> bool:
    """Whether it is mere advice; never what could not be checked, or not at each row."""
    if audit.mode is Mode.ERROR:
        return False
    told = [row.text for row in audit.details] if audit.rows <= len(audit.details) else []
    sharp = audit.id == "image-size-responsive" and _are_sharp(told)
    return is_advice(audit.id, told) or sharp or _are_switches(audit)


_DRAWN = re.compile(r"(\d+) x (\d+) · (\d+) x (\d+)")
"""The size at which an image is drawn, in CSS pixels, then its own."""
_SHARP = 0.95
"""The share of the pixels drawn that an image must have, each way, for no eye to miss any."""


def _are_switches(audit: Audited) -> bool:
    """Whether each link without an address is one that folds or closes something in the page."""
    labels = [row.element.label if row.element else "" for row in audit.details]
    known = audit.id == "crawlable-anchors" and 0 < audit.rows == len(labels)
    return known and all(map(is_switch, labels))


def _are_sharp(told: Iterable[str]) -> bool:
    """Whether each image that is too small for a phone's denser screen is sharp on any other."""
    sizes = [_DRAWN.match(text) for text in told]
    return bool(sizes) and all(one is not None and _has_pixels(one) for one in sizes)


def _has_pixels(sizes: re.Match[str]) -> bool:
    width, height, own_width, own_height = (int(one) for one in sizes.groups())
    return own_width >= _SHARP * width and own_height >= _SHARP * height


def _is_time(audit: Audited) -> bool:
    shift = audit.id == "cumulative-layout-shift"
    return audit.areas[0] is Area.PERFORMANCE and not shift


def _is_default_icon(audit: Audited) -> bool:
    """Whether all that the console says is that there is no icon, which no page has asked for."""
    told = audit.id == "errors-in-console" and 0 < audit.rows == len(audit.details)
    return told and all(_DEFAULT_ICON.fullmatch(row.url) for row in audit.details)


def _costs_nothing(audit: Audited, run: LighthouseRun, points: float) -> bool:
    old = audit.id == "doctype" and _LIMITED_QUIRKS in audit.explanation
    if audit.mode is Mode.INFORMATIVE or _is_default_icon(audit) or old:
        return True
    if audit.mode is Mode.ERROR or audit.areas[0] is not Area.PERFORMANCE:
        return False
    if audit.id in LATER_VISITS:
        return False
    if audit.weight == 0 and run.waited >= CONTENDED:
        return True  # it explains times that say nothing of the page
    return points <= 0 or (run.scores.performance or 0) >= _GOOD_SCORE


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


CURVES: Mapping[Device, Mapping[Key, Curve]] = MappingProxyType(
    {
        device: {key: Curve(*bounds) for key, bounds in known.items()}
        for device, known in METRIC_BOUNDS.items()
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
_METRIC_AUDITS: Mapping[Key, str] = MappingProxyType(
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
        for key, rule in _METRIC_AUDITS.items():
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


_LONGEST = 4000
_TARGET = r"\((https?://[^\s()]{1,500})\)"
_LINK = re.compile(r"\[([^\[\]]{1,300})\]" + _TARGET)
_POINTER = re.compile(r"\s*\[Learn [^\[\]]{1,300}\]" + _TARGET + r"\.?")


def prose(markdown: str, most: int = 1000) -> str:
    """One paragraph without back-ticks and links; "Learn more" goes, :func:`references` has it."""
    bounded = markdown[:_LONGEST]
    text = _LINK.sub(r"\1", _POINTER.sub(" ", bounded)).replace("`", "")
    return cut(text, most)


def references(markdown: str) -> tuple[str, ...]:
    """The https addresses that ``markdown`` links to, each once, in its order."""
    targets = (match[2] for match in _LINK.finditer(markdown[:_LONGEST]))
    return tuple(dict.fromkeys(url for url in targets if url.startswith("https://")))


_ROWS = 20
_TITLE, _URL, _TEXT, _SNIPPET, _LABEL = 200, 500, 500, 600, 120
_POOR = 0.5
_METRICS = frozenset(
    {
        *("first-contentful-paint", "largest-contentful-paint", "total-blocking-time"),
        *("cumulative-layout-shift", "speed-index", "interaction-to-next-paint"),
    }
)


@dataclass(frozen=True, slots=True)
class _Title:
    id: str
    title: str


_TITLES = read_table(Path(__file__).with_name("titles.toml"), _Title)


def issues(run: LighthouseRun) -> tuple[Issue, ...]:
    """What the page gets wrong: errors, warnings, info, then by points, then by savings.

    Details are the first 20, their texts cut; each names its vendor where the run knows it.
    """
    value, known = worth(run), owners(run)
    found = [_issue(one, run, value, known) for one in run.audits if is_issue(one, run)]
    return tuple(sorted(found, key=_rank))


def _issue(audit: Audited, run: LighthouseRun, value: Worth, known: Mapping[str, str]) -> Issue:
    points = value.points(audit)
    unchecked = audit.mode is Mode.ERROR
    scored = audit.mode not in {Mode.ERROR, Mode.INFORMATIVE} and audit.score is not None
    return Issue(
        id=stable_id("issue", audit.id, audit.areas[0], "unchecked" if unchecked else "failed"),
        rule=audit.id,
        title=cut(_title(audit), _TITLE),
        message=_unanswered(audit) if unchecked else _message(audit),
        level=level(audit, run, points),
        area=audit.areas[0],
        score=round(100 * (audit.score or 0)) if scored else None,
        points=points,
        display_value=cut(audit.display_value, _TITLE),
        details=tuple(_bounded(row, known) for row in audit.details[:_ROWS]),
        rows=max(audit.rows, len(audit.details)),
        savings=_savings(audit),
        wasted_bytes=max(0, audit.wasted_bytes),
        references=references(audit.description),
    )


def _savings(audit: Audited) -> Mapping[str, float]:
    saved = {} if audit.id in LATER_VISITS else audit.savings
    return MappingProxyType({metric: amount for metric, amount in saved.items() if amount > 0})


def _title(audit: Audited) -> str:
    if audit.mode is Mode.ERROR:
        return f"Could not be checked: {prose(audit.title)}"
    if audit.id in _METRICS:
        verdict = "is poor" if (audit.score or 0) < _POOR else "needs improvement"
        return f"{prose(audit.title)} {verdict}: {audit.display_value}"
    known = _TITLES.get(audit.id)
    return known.title if known else prose(audit.title).rstrip(".")


def _message(audit: Audited) -> str:
    """Why it failed, where it says so, and what it is about."""
    reason = prose(audit.explanation).rstrip(".")
    return " ".join(filter(None, (f"{reason}." if reason else "", prose(audit.description))))


def _unanswered(audit: Audited) -> str:
    because = f" It said: {cut(audit.error, _TEXT)}" if audit.error else ""
    return (
        "Lighthouse could not answer this, so its area may have no score. "
        f"Run the audit again.{because}"
    )


def _bounded(row: Detail, known: Mapping[str, str]) -> Detail:
    return replace(
        row,
        url=cut(row.url, _URL),
        text=cut(row.text, _TEXT),
        element=row.element and _element(row.element),
        vendor=row.vendor or known.get(row.url),
    )


def _element(element: Element) -> Element:
    return Element(
        cut(element.selector, _TEXT), cut(element.snippet, _SNIPPET), cut(element.label, _LABEL)
    )


def _rank(issue: Issue) -> tuple[object, ...]:
    delay = sum(saved for metric, saved in issue.savings.items() if metric != "CLS")
    return (
        tuple(Level).index(issue.level),
        -issue.points,
        -delay,
        -issue.wasted_bytes,
        issue.rule,
        issue.id,
    )
