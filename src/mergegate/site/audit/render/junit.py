"""An audit as JUnit XML: a suite for the budget, the change, and each area's issues.

An error fails, a warning is skipped with its reason. A violation of the budget or a worse figure
fails only beyond the noise, as the gate has it; one within it is skipped and says so.
"""

from collections.abc import Iterator

from mergegate.site.audit.budget import VENDOR, Key, Violation
from mergegate.site.audit.facts import Area
from mergegate.site.audit.render import rows
from mergegate.site.audit.report import AuditReport, Difference, Issue
from mergegate.site.level import Level
from mergegate.site.render import figures
from mergegate.site.render.suites import ERROR, FAILURE, SKIPPED, Case, document, named

_PERHAPS = "Within the noise, or measured too seldom to be sure."
_MOST_ROWS = 10
_OUTCOMES = {"worse": FAILURE, "unsure": SKIPPED}


def render(report: AuditReport) -> str:
    """The document; see the module for what fails."""
    return document(report, _cases(report))


def _cases(report: AuditReport) -> Iterator[Case]:
    yield from (_scored(report, area) for area in Area)
    if report.violations is not None:
        yield from (_kept(report, key) for key in Key)
        strangers = (one for one in report.violations if one.key == VENDOR)
        yield from (_stranger(one) for one in strangers)
    yield from map(_compared, rows.differences(report))
    yield from (_found(report, one) for one in report.issues)


def _scored(report: AuditReport, area: Area) -> Case:
    missing = report.scores.of(area) is None
    said = (f"Lighthouse gave no score for {figures.name(area)}.",) if missing else ()
    return Case("scan", "score", figures.name(area), ERROR if missing else "", said)


def _kept(report: AuditReport, key: Key) -> Case:
    """Whether the page keeps one limit."""
    found = next((one for one in report.violations or () if one.key == key), None)
    if found is None:
        return Case("budget", key, figures.name(key))
    limit, actual = figures.figure(key, found.limit), figures.figure(key, found.actual)
    said = f"{figures.name(key)} is {actual}, the budget allows {limit}"
    return _violated(found, figures.name(key), said)


def _stranger(found: Violation) -> Case:
    said = f"{found.actual} is not in the budget"
    return _violated(found, f"Third party {found.actual}", said)


def _violated(found: Violation, name: str, said: str) -> Case:
    cause = f"Because of {found.cause}" if found.cause else ""
    sure = "" if found.certain else _PERHAPS
    outcome = FAILURE if found.certain else SKIPPED
    return Case("budget", found.key, name, outcome, (said, cause, sure))


def _compared(one: Difference) -> Case:
    before, after = figures.figure(one.key, one.before), figures.figure(one.key, one.after)
    outcome = _OUTCOMES.get(one.verdict, "")
    said = f"{one.verdict.capitalize()}: {before} before the change, {after} with it"
    lines = (said, f"{rows.confidence(one)} that the two differ.")
    return Case("change", one.key, figures.name(one.key), outcome, lines if outcome else ())


def _found(report: AuditReport, issue: Issue) -> Case:
    existing = rows.novelty(report, issue) == "existing"
    quiet = existing or issue.level is Level.WARNING
    before = "The page before the change has it too." if existing else ""
    lines = (issue.title, issue.message, issue.display_value, before, *_places(issue))
    return Case(
        suite=issue.area.value,
        about=issue.rule,
        name=named(issue.rule, issue.id),
        outcome=SKIPPED if quiet else FAILURE,
        lines=(*lines, *issue.references),
    )


def _places(issue: Issue) -> Iterator[str]:
    for one in issue.details[:_MOST_ROWS]:
        selector = one.element.selector if one.element else ""
        yield " ".join(part for part in (selector, one.url, one.text) if part)
