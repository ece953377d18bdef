"""What a browser test came to, in rows of words and numbers, for every renderer. Raw text."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from mergegate.core.render import wording
from mergegate.site.audit.budget import Key
from mergegate.site.browser_test.facts import LinkState, PageVisit, Vitals
from mergegate.site.browser_test.report import BrowserReport, Kind, Problem
from mergegate.site.level import Level
from mergegate.site.render import bands, figures

UNKNOWN = "–"
KINDS = {
    Kind.SCRIPT: "Scripts",
    Kind.LINK: "Links",
    Kind.FORM: "Forms",
    Kind.IMAGE: "Images",
    Kind.ACCESSIBILITY: "Accessibility",
}
STATES = {
    LinkState.ALIVE: "alive",
    LinkState.DEAD: "dead",
    LinkState.SOFT_404: "answer, but say that there is nothing",
    LinkState.BLOCKED: "closed to robots",
    LinkState.FLAKY: "failing now and then",
    LinkState.UNCHECKED: "not checked",
}
_VITALS = {
    "lcp": "Largest Contentful Paint",
    "inp": "Interaction to Next Paint",
    "cls": "Cumulative Layout Shift",
    "fcp": "First Contentful Paint",
    "ttfb": "Time to First Byte",
}


@dataclass(frozen=True, slots=True)
class Vital:
    """One of the core web vitals."""

    short: str
    """``LCP``."""
    name: str
    text: str
    band: str


def vitals(of: Vitals) -> tuple[Vital, ...]:
    """All five, the ones that Google ranks by first."""
    return tuple(_vital(name, getattr(of, name)) for name in _VITALS)


def measured(of: Vitals) -> bool:
    """Whether there is any."""
    return any(getattr(of, one.name) is not None for one in fields(of))


def by_kind(report: BrowserReport) -> Iterator[tuple[str, tuple[Problem, ...]]]:
    """The problems of each list that has any, in the specification's order."""
    for kind, name in KINDS.items():
        mine = report.of(kind)
        if mine:
            yield name, mine


def warnings(report: BrowserReport) -> int:
    """How many problems are no errors."""
    return len(report.problems) - report.errors


def counts(report: BrowserReport) -> str:
    """``3 errors, 12 warnings``."""
    errors = wording.counted(report.errors, "error")
    return f"{errors}, {wording.counted(warnings(report), 'warning')}"


def extent(report: BrowserReport) -> str:
    """``5 pages visited of 8 found``."""
    visited = wording.counted(len(report.visits), "page")
    return f"{visited} visited" + (f" of {report.found:,} found" if report.found else "")


def links(report: BrowserReport) -> tuple[tuple[LinkState, str, int], ...]:
    """State, words and number of each state that any link has; those that are alive always."""
    found = ((state, words, report.links.get(state, 0)) for state, words in STATES.items())
    return tuple(one for one in found if one[2] or one[0] is LinkState.ALIVE)


def links_checked(report: BrowserReport) -> int:
    """How many addresses were asked."""
    return sum(number for state, _, number in links(report) if state is not LinkState.UNCHECKED)


def link_line(report: BrowserReport) -> str:
    """``6 alive, 3 dead``; empty when no link was seen."""
    if not any(report.links.values()):
        return ""
    return ", ".join(f"{number:,} {words}" for _, words, number in links(report))


def occurrence(one: Problem) -> str:
    """``3 times on 2 pages``; empty when it is once on one page."""
    if one.count <= 1 and len(one.pages) <= 1:
        return ""
    times = f"{one.count:,} times" if one.count > 1 else "once"
    return f"{times} on {wording.counted(len(one.pages), 'page')}"


def ending(visit: PageVisit) -> str:
    """``200``, or why the page could not be looked at."""
    if visit.failure:
        return visit.failure
    return "no answer" if visit.status is None else str(visit.status)


def level_counts(report: BrowserReport, visit: PageVisit) -> tuple[int, int]:
    """How many errors and warnings a page has."""
    mine = [one for one in report.problems if visit.url in one.pages]
    errors = sum(one.level is Level.ERROR for one in mine)
    return errors, len(mine) - errors


def _vital(name: str, value: float | None) -> Vital:
    return Vital(name.upper(), _VITALS[name], _figure(name, value), bands.vital(name, value))


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return UNKNOWN
    return figures.figure(Key.CLS, value) if name == "cls" else figures.duration(value)
