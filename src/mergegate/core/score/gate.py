"""Ledger → verdict by the specification's rule: nothing critical, and no score below the floor."""

from collections.abc import Sequence

from mergegate.core.check import Unrun
from mergegate.core.finding import Finding
from mergegate.core.report import Gate, Ledger, Verdict
from mergegate.core.score.scoring import Scoring
from mergegate.core.score.way_out import way_out


def judge(
    findings: Sequence[Finding], ledger: Ledger, scoring: Scoring, unrun: Sequence[Unrun] = ()
) -> Verdict:
    """Incomplete when an essential check did not run, whatever else is known; never a pass."""
    failures = _failures(findings, ledger, scoring)
    exits = way_out(findings, scoring) if failures else ()
    if unrun:
        return Verdict(Gate.INCOMPLETE, (*_missing(unrun), *failures), exits)
    return Verdict(Gate.FAILED if failures else Gate.PASSED, failures, exits)


def _failures(findings: Sequence[Finding], ledger: Ledger, scoring: Scoring) -> tuple[str, ...]:
    blocking = sum(finding.severity >= scoring.blocking for finding in findings)
    reasons = []
    if blocking:
        noun = "finding" if blocking == 1 else "findings"
        reasons.append(f"{blocking} {scoring.blocking.label} {noun}: the gate allows none")
    if ledger.score < scoring.floor:
        reasons.append(f"Score {ledger.score} is below {scoring.floor}")
    return tuple(reasons)


def _missing(unrun: Sequence[Unrun]) -> tuple[str, ...]:
    """One reason each, in order, said once however many checks share it."""
    return tuple(dict.fromkeys(f"Not checked: {gap.reason}" for gap in unrun))
