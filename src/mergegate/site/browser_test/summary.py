"""The summary of a browser test in words, written by code from facts; it never scores."""

from collections import Counter
from collections.abc import Iterator

from mergegate.site.browser_test.facts import LinkState, Vitals
from mergegate.site.browser_test.report import OUT_OF_REACH, BrowserReport, Kind, Problem
from mergegate.site.level import Level
from mergegate.site.words import counted, duration, listed

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
    (LinkState.FLAKY, "failing at the moment"),
    (LinkState.BLOCKED, "not open to robots, so nobody knows"),
)


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
    seen = f"{counted(visited, 'page')} visited"
    if report.found > visited:
        seen += f" of {report.found:,} that the site links"
    failed = sum(bool(visit.failure) for visit in report.visits)
    return f"{seen}; {failed:,} could not be tested." if failed else f"{seen}."


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
    named = [counted(counts[level], level.value) for level in Level if counts[level]]
    return " and ".join(named)


def _links(report: BrowserReport) -> str:
    """Those that no answer came to from here are counted as flaky, and are told by themselves."""
    out_of_reach = sum(one.count for one in report.problems if one.rule == OUT_OF_REACH)
    counts = Counter(report.links)
    counts[LinkState.FLAKY] -= out_of_reach
    left_out = counts.pop(LinkState.UNCHECKED, 0)
    told = [f"{counts[state]:,} {word}" for state, word in _STATES if counts[state]]
    parts = (
        (counts.total(), f" checked: {'; '.join(told)}" if told else " checked, all alive"),
        (out_of_reach, " to other sites out of reach"),
        (left_out, " left out"),
    )
    sentence = "; ".join(f"{counted(number, 'link')}{end}" for number, end in parts if number)
    return f"{sentence}." if sentence else ""


def _vitals(vitals: Vitals) -> str:
    told = []
    if vitals.lcp is not None:
        told.append(f"shows its largest content after {duration(vitals.lcp)}")
    if vitals.cls is not None:
        told.append(f"shifts by {vitals.cls:.2f}")
    if vitals.inp is not None:
        told.append(f"answers input within {duration(vitals.inp)}")
    return f"The first page {listed(told)}." if told else ""


def _first_step(report: BrowserReport) -> str:
    return f"Start here: {report.suggestions[0].title}." if report.suggestions else ""
