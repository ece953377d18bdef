"""The exit codes: a contract with every pipeline."""

import pytest

from mergegate.core.report import Gate
from mergegate.terminal.exits import code_of


@pytest.mark.parametrize(
    ("gate", "code"), [(Gate.PASSED, 0), (Gate.FAILED, 1), (Gate.INCOMPLETE, 3)]
)
def test_each_gate_has_a_code_of_its_own(gate: Gate, code: int) -> None:
    assert code_of(gate) == code
