"""Issues → what to do next, most valuable first."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from mergegate.core.data_table import read_table
from mergegate.site.audit.checks.judge import best_savings, costliest, facade, was_checked
from mergegate.site.audit.facts import AREAS, Area, Detail, LighthouseRun
from mergegate.site.audit.report import Issue, Recommendation
from mergegate.site.facts.stack import Technology
from mergegate.site.level import Level, stable_id
from mergegate.site.remedies.remedy import Stack, stacks
from mergegate.site.words import amount, cut, duration, size

_OFFENDERS = 3
_NAME = 80
_CELLS = " · "
# What Lighthouse cannot attribute has a figure and no name.
_FIGURE = re.compile(r"[\d.,]+ (?:ms|s|B)")
_TITLE = 160
_HIGH, _MEDIUM, _LOW = "high", "medium", "low"
_IMPACTS = (_HIGH, _MEDIUM, _LOW)
_HIGH_POINTS, _MEDIUM_POINTS = 10.0, 3.0
_HIGH_MS, _MEDIUM_MS = 1500.0, 400.0
_HIGH_BYTES, _MEDIUM_BYTES = 1024 * 1024, 100 * 1024


@dataclass(frozen=True, slots=True)
class Step:
    """Something one person can do in one go."""

    key: str
    """Permanent: the id of the recommendation is made of it."""
    title: str
    rules: tuple[str, ...]
    """The audits that it puts right; one that ends in ``*`` stands for all that begin so."""
    how: str
    """One or two sentences."""
    in_stack: Mapping[Stack, str] = field(default_factory=dict, compare=False)
    """What helps in what the site is built with, a sentence each."""

    def covers(self, rule: str) -> bool:
        """Whether it puts an issue of ``rule`` right."""
        return any(_matches(pattern, rule) for pattern in self.rules)


def _matches(pattern: str, rule: str) -> bool:
    return rule.startswith(pattern[:-1]) if pattern.endswith("*") else rule == pattern


STEPS: Mapping[str, Step] = read_table(Path(__file__).with_name("steps.toml"), Step, key="key")
"""An issue belongs to the first step that covers it."""
EXPLAINED_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "FCP": frozenset({"first-contentful-paint", "speed-index"}),
        "LCP": frozenset({"largest-contentful-paint"}),
        "TBT": frozenset({"total-blocking-time"}),
        "CLS": frozenset({"cumulative-layout-shift"}),
        "INP": frozenset({"interaction-to-next-paint"}),
    }
)
"""The metrics that a step with savings of that name makes better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gain:
    """What a step would bring, at most."""

    points: float
    savings: Mapping[str, float]
    wasted_bytes: int

    @property
    def delay_ms(self) -> float:
        """The most of any metric that is a time."""
        return max((ms for metric, ms in self.savings.items() if metric != "CLS"), default=0.0)


def recommendations(
    run: LighthouseRun, issues: Sequence[Issue], technologies: Sequence[Technology]
) -> tuple[Recommendation, ...]:
    """One step for each group of ``issues``; none for those that could not be checked.

    A metric belongs to the steps that save some of it, and to one of its own when there are none.
    """
    failed = [one for one in issues if was_checked(one)]
    groups = _explained(_grouped(failed), failed)
    found = [_recommendation(step, group, run, technologies) for step, group in groups]
    return tuple(recommendation for _, recommendation in sorted(found, key=lambda pair: pair[0]))


def _grouped(issues: Iterable[Issue]) -> list[tuple[Step, list[Issue]]]:
    groups: dict[Step, list[Issue]] = {}
    for issue in issues:
        groups.setdefault(_step(issue), []).append(issue)
    return list(groups.items())


def _step(issue: Issue) -> Step:
    """The first that covers it; else one of its own, in Lighthouse's words."""
    known = next((step for step in STEPS.values() if step.covers(issue.rule)), None)
    title = cut(f"Put right: {issue.title}", _TITLE)
    return known or Step(issue.rule, title, (issue.rule,), issue.message)


def _explained(
    groups: Sequence[tuple[Step, list[Issue]]], issues: Sequence[Issue]
) -> Iterator[tuple[Step, list[Issue]]]:
    """The groups, each with the metrics that it saves; no group of metrics that others save."""
    causes = {step: _metrics(group) for step, group in groups}
    explained = frozenset[str]().union(*causes.values())
    for step, group in groups:
        own = [one for one in group if one.rule not in explained]
        metrics = [one for one in issues if one.rule in causes[step]]
        if own:
            yield step, [*own, *metrics]


def _metrics(group: Iterable[Issue]) -> frozenset[str]:
    saved = {metric for issue in group for metric in issue.savings}
    return frozenset[str]().union(*(EXPLAINED_BY.get(metric, ()) for metric in saved))


def _recommendation(
    step: Step, group: Sequence[Issue], run: LighthouseRun, technologies: Sequence[Technology]
) -> tuple[tuple[object, ...], Recommendation]:
    """It, after what it is sorted by."""
    own = [issue for issue in group if step.covers(issue.rule)]
    gain = _gain(own)
    impact = _impact(own, gain)
    order = (_IMPACTS.index(impact), -gain.points, -gain.delay_ms, -gain.wasted_bytes, step.key)
    return order, Recommendation(
        id=stable_id("recommendation", step.key),
        title=step.title,
        message=_message(step, own, gain, run, technologies),
        area=own[0].area,
        impact=impact,
        issue_ids=tuple(issue.id for issue in group),
        savings=gain.savings,
        wasted_bytes=gain.wasted_bytes,
    )


def _gain(own: Sequence[Issue]) -> _Gain:
    return _Gain(
        points=_points(own),
        savings=best_savings(own),
        wasted_bytes=max((issue.wasted_bytes for issue in own), default=0),
    )


def _points(issues: Sequence[Issue]) -> float:
    """The sum for audits that count themselves; the most for those that only save of a metric."""
    counted = [issue.points for issue in issues if not issue.savings]
    saving = [issue.points for issue in issues if issue.savings]
    return round(sum(counted) + max(saving, default=0.0), 1)


def _impact(issues: Iterable[Issue], gain: _Gain) -> str:
    """The impact by points, the longest delay or the bytes; never low where there is an error."""
    heavy = gain.wasted_bytes >= _HIGH_BYTES and gain.delay_ms > 0
    if gain.points >= _HIGH_POINTS or gain.delay_ms >= _HIGH_MS or heavy:
        return _HIGH
    slow = gain.delay_ms >= _MEDIUM_MS or gain.wasted_bytes >= _MEDIUM_BYTES
    error = any(issue.level is Level.ERROR for issue in issues)
    return _MEDIUM if error or slow or gain.points >= _MEDIUM_POINTS else _LOW


def _message(
    step: Step,
    own: Sequence[Issue],
    gain: _Gain,
    run: LighthouseRun,
    technologies: Sequence[Technology],
) -> str:
    sentences = (
        step.how,
        _in_stack(step, technologies),
        _told(gain, own[0].area),
        _vendors(run) if step.key == "third-parties" else _worst(own),
    )
    return " ".join(sentence for sentence in sentences if sentence)


def _told(gain: _Gain, area: Area) -> str:
    metrics = sorted(gain.savings.items())
    saved = [f"{amount(metric, value)} of {metric}" for metric, value in metrics]
    weight = [size(gain.wasted_bytes)] if gain.wasted_bytes else []
    score = [f"{gain.points:g} points of {AREAS[area]}"] if gain.points else []
    parts = [*saved, *weight, *score]
    return f"To be had, at most: {', '.join(parts)}." if parts else ""


def _worst(issues: Iterable[Issue]) -> str:
    rows = [row for issue in issues for row in issue.details]
    named: dict[str, str] = {}
    for row in sorted(rows, key=_cost):
        if name := _name(row):
            named.setdefault(name, f"{name}{_notes(row)}")
    more = f" and {len(named) - _OFFENDERS} more" if len(named) > _OFFENDERS else ""
    listed = list(named.values())[:_OFFENDERS]
    return f"Begin with {', '.join(listed)}{more}." if listed else ""


def _cost(row: Detail) -> tuple[float, float]:
    """The most time first, then the most bytes."""
    return -(row.wasted_ms or 0.0), -(row.wasted_bytes or row.total_bytes or 0)


def _name(row: Detail) -> str:
    """What a row points at; empty when it names nothing."""
    if row.element:
        return cut(_place(row.url) or row.element.selector, _NAME)
    named = "" if _FIGURE.fullmatch(_said(row)) else _said(row)
    return cut(_place(row.url) if row.url else named, _NAME)


def _said(row: Detail) -> str:
    """The first of what a row says: ``Detail.text`` joins its cells with dots."""
    return row.text.split(_CELLS, 1)[0]


def _notes(row: Detail) -> str:
    """Whose it is and what it costs; else, of what is no element, what is said of it."""
    weight = row.wasted_bytes or row.total_bytes
    owner = [cut(row.vendor, _NAME)] if row.vendor else []
    costs = [duration(row.wasted_ms)] if row.wasted_ms else [size(weight)] if weight else []
    said = [cut(_said(row), _NAME)] if row.url and row.text and not (costs or row.element) else []
    notes = ", ".join([*owner, *costs, *said])
    return f" ({notes})" if notes else ""


def _place(url: str) -> str:
    """The path of an address, of a long one the end; the host where there is no path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"}:
        return ""
    path = parts.path.rstrip("/") or parts.netloc
    return path if len(path) <= _NAME else f"…{path[1 - _NAME :]}"


def _vendors(run: LighthouseRun) -> str:
    named = [
        f"{cut(vendor.name, _NAME)} ({duration(vendor.main_thread_ms)} of main thread, "
        f"{size(vendor.transfer_bytes)}{f'; instead: {stand_in.replacement}' if stand_in else ''})"
        for vendor in costliest(run)[:_OFFENDERS]
        for stand_in in [facade(vendor)]
    ]
    return f"Begin with {', '.join(named)}." if named else ""


def _in_stack(step: Step, technologies: Sequence[Technology]) -> str:
    hints = step.in_stack
    first = next((stack for stack in stacks(technologies) if stack in hints), None)
    return f"In {first}: {hints[first]}" if first else ""
