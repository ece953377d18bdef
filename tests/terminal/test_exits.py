"""The exit codes: a contract with every pipeline."""

from dataclasses import replace

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.report import Gate, Report
from mergegate.terminal.exits import FAILED, INCOMPLETE, PASSED, verdict_code
from tests.repo.report import samples


def with_gates(whole: Gate, change: Gate) -> Report:
    """A report whose two verdicts are these."""
    report = samples.failed()
    assert report.comparison is not None
    comparison = replace(report.comparison, verdict=replace(report.comparison.verdict, gate=change))
    return replace(report, verdict=replace(report.verdict, gate=whole), comparison=comparison)


@pytest.mark.parametrize(
    ("whole", "change", "fail_on", "code"),
    [
        (Gate.PASSED, Gate.FAILED, "gate", PASSED),
        (Gate.FAILED, Gate.PASSED, "gate", FAILED),
        (Gate.FAILED, Gate.PASSED, "new", PASSED),
        (Gate.PASSED, Gate.FAILED, "new", FAILED),
        (Gate.PASSED, Gate.INCOMPLETE, "new", INCOMPLETE),
        (Gate.FAILED, Gate.FAILED, "never", PASSED),
        (Gate.INCOMPLETE, Gate.PASSED, "gate", INCOMPLETE),
        (Gate.INCOMPLETE, Gate.PASSED, "new", INCOMPLETE),
        (Gate.INCOMPLETE, Gate.PASSED, "never", INCOMPLETE),
    ],
)
def test_incomplete_is_never_a_pass_and_each_choice_judges_its_own(
    whole: Gate, change: Gate, fail_on: str, code: int
) -> None:
    assert verdict_code(with_gates(whole, change), fail_on) == code


def test_judging_the_change_needs_one() -> None:
    with pytest.raises(UsageError):
        verdict_code(replace(samples.passed(), comparison=None), "new")
