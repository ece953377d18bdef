"""The report as JUnit XML: a test for the gate, one an engine, one a finding."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mergegate.core.finding import Finding
from mergegate.core.render import machine, wording
from mergegate.core.render.suites import (
    ERROR,
    FAILURE,
    LONGEST_NAME,
    SKIPPED,
    Case,
    document,
    of_engine,
)
from mergegate.core.report import EngineRun, EngineStatus, Gate, Report, Verdict
from mergegate.core.severity import Kind, Severity
from mergegate.repo.report import news
from mergegate.repo.report.entries import Apart, apart


def render(report: Report) -> str:
    """One suite a kind of finding, and one for the gate, the site and the engines.

    A finding fails; for information, or set aside, it is skipped; what the change fixed passes.
    """
    cases = [_gate(report), *_site(report), *map(_engine, report.engines), *_findings(report)]
    return document(cases, report.created_at)


def _gate(report: Report) -> Case:
    """What was decided, else the gate of the change: CI systems mark the build by these tests."""
    alone = report.comparison.verdict if report.comparison else report.verdict
    verdict = report.decided.verdict if report.decided else alone
    return _judged("gate", verdict, news.next_step(report))


def _site(report: Report) -> Iterator[Case]:
    """The site's own verdict, which stops a merge as the gate's does."""
    if report.site:
        yield _judged("site", report.site.verdict, report.site.url)


def _judged(name: str, verdict: Verdict, last: str) -> Case:
    if verdict.gate is Gate.PASSED:
        return Case("scan", name, name)
    outcome = FAILURE if verdict.gate is Gate.FAILED else ERROR
    lines = (*verdict.reasons, last)
    return Case("scan", name, name, outcome, lines, type=verdict.gate.value)


def _engine(run: EngineRun) -> Case:
    case = of_engine(run)
    if run.status is EngineStatus.IDLE:
        said = ("Nothing in the repository is its business.",)
        return replace(case, outcome=SKIPPED, lines=said)
    return replace(case, type=run.status.value) if case.outcome else case


def _findings(report: Report) -> list[Case]:
    """One case for each finding, sorted by kind, and in each kind the failures first."""
    suppressed = [one.finding for one in report.suppressed]
    fixed = report.comparison.fixed if report.comparison else ()
    found = [*report.findings, *suppressed, *fixed]
    marks, told = iter(machine.fingerprints(found)), apart(report)
    cases = [
        *(_standing(one, next(marks), told.get(one.id)) for one in report.findings),
        *(_aside(one.finding, next(marks), one.reason) for one in report.suppressed),
        *(_case(one, next(marks)) for one in fixed),
    ]
    order = list(Kind)
    return sorted(cases, key=lambda case: order.index(Kind(case.suite)))


def _standing(finding: Finding, mark: str, origin: Apart | None) -> Case:
    said = (
        finding.title,
        *([origin.note] if origin else []),
        finding.message,
        f"At {wording.place(finding.place)}, {finding.severity.label}, rule {finding.rule_id}.",
        *machine.links(finding),
    )
    quiet = finding.severity is Severity.INFO or finding.is_new is False
    outcome = SKIPPED if quiet else FAILURE
    return _case(finding, mark, outcome, said, finding.severity.label)


def _aside(finding: Finding, mark: str, reason: str) -> Case:
    return _case(finding, mark, SKIPPED, (f"Set aside: {reason}",))


def _case(
    finding: Finding, mark: str, outcome: str = "", lines: Sequence[str] = (), type: str = ""
) -> Case:
    """Named without a line, so that CI systems know the test again when its lines have moved."""
    title = machine.short(finding.title, LONGEST_NAME)
    path = machine.short(machine.path(finding), LONGEST_NAME)
    name = f"{title} in {path} [{mark}]"
    return Case(finding.kind.value, finding.rule_id, name, outcome, lines, type=type)
