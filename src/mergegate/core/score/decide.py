"""What a merge is decided by: the whole repository, the change alone, or nothing."""

from enum import StrEnum

from mergegate.core.report import Gate, Report, Verdict
from mergegate.core.score.gate import judge
from mergegate.core.score.ledger import draw_up
from mergegate.core.score.scoring import Scoring


class FailOn(StrEnum):
    """Whose failure stops a merge."""

    GATE = "gate"
    """The whole repository's, but for vulnerabilities that became known after the base."""
    NEW = "new"
    """That of the new findings alone."""
    NEVER = "never"


def decide(report: Report, fail_on: FailOn, scoring: Scoring) -> Verdict:
    """The verdict that check and exit code follow, for code and site together.

    Incomplete whatever ``fail_on`` says. Without a comparison the change cannot be told from the
    rest, so the whole is judged.
    """
    site = report.site.verdict if report.site else None
    verdict = _of_code(report, fail_on, scoring).beside(site)
    if fail_on is FailOn.NEVER and verdict.gate is Gate.FAILED:
        return Verdict(Gate.PASSED, ())
    return verdict


def _of_code(report: Report, fail_on: FailOn, scoring: Scoring) -> Verdict:
    if report.verdict.gate is Gate.INCOMPLETE:
        return report.verdict
    if fail_on is FailOn.NEVER:
        return Verdict(Gate.PASSED, ())
    if report.comparison is None:
        return report.verdict
    if fail_on is FailOn.NEW:
        return report.comparison.verdict
    return _without(report, frozenset(report.comparison.drifted), scoring)


def _without(report: Report, drifted: frozenset[str], scoring: Scoring) -> Verdict:
    """A vulnerability that was published meanwhile is no reason to refuse this change."""
    findings = [one for one in report.findings if one.id not in drifted]
    return judge(findings, draw_up(findings, scoring), scoring)
