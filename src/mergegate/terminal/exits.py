"""The exit codes: a contract with every pipeline that runs Mergegate."""

from typing import TYPE_CHECKING

from mergegate.core.errors import (
    EngineError,
    MergegateError,
    TargetNotAnalysable,
    TargetUnreachable,
)

if TYPE_CHECKING:  # `--help` needs no report
    from mergegate.core.report import Gate

PASSED, FAILED, USAGE, INCOMPLETE = 0, 1, 2, 3


def exit_code(error: MergegateError) -> int:
    """A failing engine or page leaves the scan incomplete; everything else is bad input."""
    incomplete = (EngineError, TargetNotAnalysable, TargetUnreachable)
    return INCOMPLETE if isinstance(error, incomplete) else USAGE


def code_of(gate: "Gate") -> int:
    """The exit code of a scan whose gate was decided."""
    return _CODES[gate]


_CODES = {"passed": PASSED, "failed": FAILED, "incomplete": INCOMPLETE}
