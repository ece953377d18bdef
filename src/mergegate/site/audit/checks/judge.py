"""Lighthouse's answers → issues, worst first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from mergegate.core.data_table import read_table
from mergegate.site.audit.checks.vendors import owners
from mergegate.site.audit.checks.verdict import LATER_VISITS, Worth, is_issue, level, worth
from mergegate.site.audit.facts import Audited, Detail, LighthouseRun, Mode
from mergegate.site.audit.report import Issue
from mergegate.site.level import Element, Level, stable_id
from mergegate.site.words import cut

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
    """What the page gets wrong: errors before warnings, then by points, then by savings.

    Details are the first 20, their texts cut; each names its vendor where the run knows it.
    """
    value, known = worth(run), owners(run)
    found = [_issue(one, value, known) for one in run.audits if is_issue(one, run)]
    return tuple(sorted(found, key=_rank))


def _issue(audit: Audited, value: Worth, known: Mapping[str, str]) -> Issue:
    unchecked = audit.mode is Mode.ERROR
    scored = audit.mode not in {Mode.ERROR, Mode.INFORMATIVE} and audit.score is not None
    return Issue(
        id=stable_id("issue", audit.id, audit.areas[0], "unchecked" if unchecked else "failed"),
        rule=audit.id,
        title=cut(_title(audit), _TITLE),
        message=_unanswered(audit) if unchecked else prose(audit.description),
        level=level(audit),
        area=audit.areas[0],
        score=round(100 * (audit.score or 0)) if scored else None,
        points=value.points(audit),
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
    mild = issue.level is not Level.ERROR
    return (mild, -issue.points, -delay, -issue.wasted_bytes, issue.rule, issue.id)
