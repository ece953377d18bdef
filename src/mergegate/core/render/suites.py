"""JUnit XML in the form that Jenkins' schema and GitLab's reader agree on.

No ``file`` on a test case: the schema (junit-10.xsd of Jenkins' xUnit plug-in) knows none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from mergegate.core.render import escape, machine, wording
from mergegate.core.report import EngineRun

FAILURE, ERROR, SKIPPED = "failure", "error", "skipped"
LONGEST_NAME = 500
_LONGEST_LINE = 2_000
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
    type: str = ""
    """The failure's kind, such as its severity."""


def document(cases: Sequence[Case], created_at: str) -> str:
    """A suite a name, in the order of the first case of each."""
    root = ET.Element("testsuites", {"name": "Mergegate"} | _counts(cases))
    for suite in dict.fromkeys(case.suite for case in cases):
        root.append(_suite(suite, [case for case in cases if case.suite == suite], created_at))
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
    about = f"{case.suite}.{machine.short(case.about, LONGEST_NAME)}"
    element = ET.Element("testcase", classname=about, name=escape.visible(case.name))
    if case.seconds is not None:
        element.set("time", f"{case.seconds:.3f}")
    if case.outcome:
        element.append(_ending(case))
    return element


def _ending(case: Case) -> ET.Element:
    """GitLab shows the text of a failure and not its message: the text says all."""
    lines = [machine.short(line, _LONGEST_LINE) for line in case.lines] or [case.outcome]
    told = ET.Element(case.outcome, message=lines[0])
    if case.type:
        told.set("type", case.type)
    told.text = "\n".join(lines)
    return told
