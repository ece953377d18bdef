"""JUnit XML of the site tools, in the form that Jenkins' schema and GitLab's reader agree on.

As in the scan's own: what fails is a failure, what is only to be looked at is skipped with its
reason, what gave no answer is an error.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from xml.etree import ElementTree as ET

from mergegate.model.report import EngineRun
from mergegate.report import machine, wording

FAILURE, ERROR, SKIPPED = "failure", "error", "skipped"
_LONGEST_NAME = 500
_LONGEST_LINE = 1_000
_MOST_LINES = 20
_ROOM = 4_000_000
"""Characters of all cases; CI systems read some ten megabytes, and escapes make it more."""
_LONGEST_WORDS = 200
_LONGEST_MARK = 100
_MOST_CASES = 2_000
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, slots=True)
class Case:
    """One test."""

    suite: str
    about: str
    """The rule or engine; with the suite it makes the class name."""
    name: str
    outcome: str = ""
    """:data:`FAILURE`, :data:`ERROR` or :data:`SKIPPED`; empty when it passed."""
    lines: Sequence[str] = ()
    """Why it did not pass: the headline first."""
    seconds: float | None = None


def document(cases: Iterable[Case], created_at: str) -> str:
    """A suite a name, in the order of the first case of each.

    At most 2,000 cases; when they say too much in all, the later ones say their headline alone.
    """
    kept = list(_bounded(islice(cases, _MOST_CASES)))
    root = ET.Element("testsuites", {"name": "Mergegate"} | _counts(kept))
    for suite in dict.fromkeys(case.suite for case in kept):
        root.append(_suite(suite, [case for case in kept if case.suite == suite], created_at))
    ET.indent(root)
    return f"{_DECLARATION}{ET.tostring(root, encoding='unicode')}\n"


def of_engine(run: EngineRun) -> Case:
    """Whether an engine gave an answer."""
    broken = run.status in wording.BROKEN
    said = wording.engine_note(run) or f"{run.name} gave no answer."
    return Case(
        suite="scan",
        about="engine",
        name=run.name,
        outcome=ERROR if broken else "",
        lines=(said,) if broken else (),
        seconds=run.duration_ms / 1000,
    )


def _bounded(cases: Iterable[Case]) -> Iterator[Case]:
    used = 0
    for case in cases:
        lines = [machine.short(line, _LONGEST_LINE) for line in case.lines if line][:_MOST_LINES]
        used += sum(map(len, lines))
        headline = [machine.short(line, _LONGEST_WORDS) for line in lines[:1]]
        yield replace(case, lines=lines if used <= _ROOM else headline)


def _suite(name: str, cases: Sequence[Case], created_at: str) -> ET.Element:
    skipped = sum(case.outcome == SKIPPED for case in cases)
    fields = {"name": name} | _counts(cases) | {"skipped": str(skipped)}
    if stamp := machine.moment(created_at):
        fields["timestamp"] = stamp
    suite = ET.Element("testsuite", fields)
    suite.extend(map(_testcase, cases))
    return suite


def _counts(cases: Iterable[Case]) -> dict[str, str]:
    outcomes = [case.outcome for case in cases]
    return {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count(FAILURE)),
        "errors": str(outcomes.count(ERROR)),
    }


def _testcase(case: Case) -> ET.Element:
    """GitLab shows the text of a failure and not its message: the text says all."""
    about = f"{case.suite}.{machine.short(case.about, _LONGEST_NAME)}"
    name = machine.short(case.name, _LONGEST_NAME)
    element = ET.Element("testcase", classname=about, name=name)
    if case.seconds is not None:
        element.set("time", f"{case.seconds:.3f}")
    if case.outcome:
        message = next(iter(case.lines), case.outcome)
        told = ET.SubElement(element, case.outcome, message=message)
        told.text = "\n".join(case.lines)
    return element


def named(words: str, mark: str) -> str:
    """A case's name; ``words`` hold no figure that changes, or CI systems see another test."""
    return f"{machine.short(words, _LONGEST_WORDS)} [{machine.short(mark, _LONGEST_MARK)}]"
