"""The exit codes: a contract with every pipeline that runs Mergegate."""

from mergegate.core.errors import (
    EngineError,
    MergegateError,
    TargetNotAnalysable,
    TargetUnreachable,
    UsageError,
)
from mergegate.core.report import Gate, Report

PASSED, FAILED, USAGE, INCOMPLETE = 0, 1, 2, 3

FAIL_ON = ("gate", "new", "never")


def exit_code(error: MergegateError) -> int:
    """A failing engine or page leaves the scan incomplete; everything else is bad input."""
    incomplete = (EngineError, TargetNotAnalysable, TargetUnreachable)
    return INCOMPLETE if isinstance(error, incomplete) else USAGE


def code_of(gate: Gate) -> int:
    """What a decided scan exits with."""
    return _CODES[gate]


def verdict_code(report: Report, fail_on: str) -> int:
    """What a finished scan exits with; incomplete is never a pass, whatever ``fail_on`` says.

    ``gate`` judges the whole repository, ``new`` the change alone, ``never`` only tells.
    """
    if report.verdict.gate is Gate.INCOMPLETE:
        return INCOMPLETE
    if fail_on == "never":
        return PASSED
    if fail_on == "gate":
        return _CODES[report.verdict.gate]
    if report.comparison is None:
        raise UsageError("--fail-on new needs a base", remedy="Add --base REF.")
    return _CODES[report.comparison.verdict.gate]


_CODES = {Gate.PASSED: PASSED, Gate.FAILED: FAILED, Gate.INCOMPLETE: INCOMPLETE}
