"""The report as JUnit XML, in the form that Jenkins' schema and GitLab's reader agree on.

No ``file`` on a test case: the schema (junit-10.xsd of Jenkins' xUnit plug-in) knows none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from mergegate.model.finding import Finding
from mergegate.model.report import EngineRun, EngineStatus, Gate, Report
from mergegate.model.severity import Kind, Severity
from mergegate.report import escape, machine, wording

_LONGEST_NAME = 500
_LONGEST_TEXT = 2_000
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, slots=True)
class _Case:
    """One test."""

    suite: str
    about: str
    """The rule or engine; with the suite it makes the class name."""
    name: str
    outcome: str = ""
    """``failure``, ``error``, ``skipped``; empty when it passed."""
    type: str = ""
    lines: Sequence[str] = ()
    """Why it did not pass: the headline first."""
    seconds: float | None = None


def render(report: Report) -> str:
    """One suite a kind of finding, and one for the gate and the engines.

    A finding fails; for information, or set aside, it is skipped; what the change fixed passes.
    """
    cases = [_gate(report), *map(_engine, report.engines), *_findings(report)]
    root = ET.Element("testsuites", {"name": "Mergegate"} | _counts(cases))
    for suite in dict.fromkeys(case.suite for case in cases):
        root.append(_suite(suite, [case for case in cases if case.suite == suite], report))
    ET.indent(root)
    return f"{_DECLARATION}{ET.tostring(root, encoding='unicode')}\n"


def _gate(report: Report) -> _Case:
    """That of the change, where there is one: CI systems mark the build by these tests."""
    verdict = report.comparison.verdict if report.comparison else report.verdict
    if verdict.gate is Gate.PASSED:
        return _Case("scan", "gate", "gate")
    outcome = "failure" if verdict.gate is Gate.FAILED else "error"
    said = (*verdict.reasons, wording.next_step(report))
    return _Case("scan", "gate", "gate", outcome, verdict.gate.value, said)


def _engine(run: EngineRun) -> _Case:
    seconds = run.duration_ms / 1000
    if run.status in wording.BROKEN:
        said = (wording.engine_note(run) or f"{run.name} gave no answer.",)
        return _Case("scan", "engine", run.name, "error", run.status.value, said, seconds)
    if run.status is EngineStatus.IDLE:
        said = ("Nothing in the repository is its business.",)
        return _Case("scan", "engine", run.name, "skipped", "", said, seconds)
    return _Case("scan", "engine", run.name, seconds=seconds)


def _findings(report: Report) -> list[_Case]:
    """By kind, and in each the failures first."""
    suppressed = [one.finding for one in report.suppressed]
    fixed = report.comparison.fixed if report.comparison else ()
    found = [*report.findings, *suppressed, *fixed]
    marks = iter(machine.fingerprints(found))
    cases = [
        *(_standing(one, next(marks)) for one in report.findings),
        *(_aside(one.finding, next(marks), one.reason) for one in report.suppressed),
        *(_case(one, next(marks)) for one in fixed),
    ]
    order = list(Kind)
    return sorted(cases, key=lambda case: order.index(Kind(case.suite)))


def _standing(finding: Finding, mark: str) -> _Case:
    said = (
        finding.title,
        finding.message,
        f"At {wording.place(finding.place)}, {finding.severity.label}, rule {finding.rule_id}.",
        *machine.links(finding),
    )
    quiet = finding.severity is Severity.INFO or finding.is_new is False
    outcome = "skipped" if quiet else "failure"
    return _case(finding, mark, outcome, finding.severity.label, said)


def _aside(finding: Finding, mark: str, reason: str) -> _Case:
    return _case(finding, mark, "skipped", "", (f"Set aside: {reason}",))


def _case(
    finding: Finding, mark: str, outcome: str = "", type: str = "", lines: Sequence[str] = ()
) -> _Case:
    """Named without a line, so that CI systems know the test again when its lines have moved."""
    title = machine.short(finding.title, _LONGEST_NAME)
    path = machine.short(machine.path(finding), _LONGEST_NAME)
    name = f"{title} in {path} [{mark}]"
    return _Case(finding.kind.value, finding.rule_id, name, outcome, type, lines)


def _suite(name: str, cases: Sequence[_Case], report: Report) -> ET.Element:
    skipped = sum(case.outcome == "skipped" for case in cases)
    fields = {"name": name} | _counts(cases) | {"skipped": str(skipped)}
    if stamp := machine.moment(report.created_at):
        fields["timestamp"] = stamp
    suite = ET.Element("testsuite", fields)
    suite.extend(_testcase(case) for case in cases)
    return suite


def _counts(cases: Iterable[_Case]) -> dict[str, str]:
    outcomes = [case.outcome for case in cases]
    return {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count("failure")),
        "errors": str(outcomes.count("error")),
    }


def _testcase(case: _Case) -> ET.Element:
    """GitLab shows the text of a failure and not its message: the text says all."""
    about = f"{case.suite}.{machine.short(case.about, _LONGEST_NAME)}"
    element = ET.Element("testcase", classname=about, name=escape.visible(case.name))
    if case.seconds is not None:
        element.set("time", f"{case.seconds:.3f}")
    if case.outcome:
        lines = [machine.short(line, _LONGEST_TEXT) for line in case.lines] or [case.outcome]
        told = ET.SubElement(element, case.outcome, message=lines[0])
        if case.type:
            told.set("type", case.type)
        told.text = "\n".join(lines)
    return element
