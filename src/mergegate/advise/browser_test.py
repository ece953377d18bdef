"""The summary of a browser test in words, written by code from facts; it never scores."""

from collections import Counter
from collections.abc import Iterator

from mergegate.model.facts.journey import LinkState, Vitals
from mergegate.model.site.browser_test import BrowserReport, Kind, Problem
from mergegate.model.site.level import Level

_TOPICS = {
    Kind.SCRIPT: "scripts",
    Kind.LINK: "links",
    Kind.FORM: "forms",
    Kind.IMAGE: "images",
    Kind.ACCESSIBILITY: "accessibility",
}
_STATES = (
    (LinkState.DEAD, "dead"),
    (LinkState.SOFT_404, "missing behind a status of 200"),
    (LinkState.FLAKY, "failing now, perhaps not later"),
    (LinkState.BLOCKED, "not open to robots, so nobody knows"),
)
_SECOND_MS = 1000


def summarise_test(report: BrowserReport) -> str:
    """What was seen, what is wrong and where, what the links and vitals say, and what to do first.

    Plain text, one paragraph.
    """
    sentences = [
        _pages(report),
        _verdict(report),
        _links(report),
        _vitals(report.vitals),
        _first_step(report),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _pages(report: BrowserReport) -> str:
    visited = len(report.visits)
    seen = f"{_counted(visited, 'page')} visited"
    if report.found > visited:
        seen += f" of {report.found:,} that the site links"
    failed = sum(bool(visit.failure) for visit in report.visits)
    ended = "".join(f" The test ended early: {note}." for note in report.notes)
    return f"{seen}; {failed:,} could not be tested.{ended}" if failed else f"{seen}.{ended}"


def _verdict(report: BrowserReport) -> str:
    if not report.problems:
        return "Nothing is wrong with what was seen."
    topics = ", ".join(_by_topic(report))
    return f"Found: {_levels(report.problems)} ({topics})."


def _by_topic(report: BrowserReport) -> Iterator[str]:
    for kind, name in _TOPICS.items():
        if found := report.of(kind):
            yield f"{name}: {_levels(found)}"


def _levels(problems: tuple[Problem, ...]) -> str:
    counts = Counter(one.level for one in problems)
    named = [_counted(counts[level], level.value) for level in Level if counts[level]]
    return " and ".join(named)


def _links(report: BrowserReport) -> str:
    left_out = report.links.get(LinkState.UNCHECKED, 0)
    checked = sum(report.links.values()) - left_out
    told = [f"{count:,} {word}" for state, word in _STATES if (count := report.links.get(state, 0))]
    if not checked:
        return f"{_counted(left_out, 'link')} left out." if left_out else ""
    result = f": {'; '.join(told)}" if told else ", all alive"
    rest = f"; {left_out:,} left out" if left_out else ""
    return f"{_counted(checked, 'link')} checked{result}{rest}."


def _vitals(vitals: Vitals) -> str:
    told = []
    if vitals.lcp is not None:
        told.append(f"shows its largest content after {_time(vitals.lcp)}")
    if vitals.cls is not None:
        told.append(f"shifts by {vitals.cls:.2f}")
    if vitals.inp is not None:
        told.append(f"answers input within {_time(vitals.inp)}")
    return f"The first page {_listed(told)}." if told else ""


def _time(milliseconds: float) -> str:
    if milliseconds < _SECOND_MS:
        return f"{milliseconds:,.0f} ms"
    return f"{milliseconds / _SECOND_MS:.1f} s"


def _listed(parts: list[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _first_step(report: BrowserReport) -> str:
    return f"Start here: {report.suggestions[0].title}." if report.suggestions else ""


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
