"""Words that keep semgrep from files; that no finding is lost is held by ``test_rules``."""

from mergegate.repo import rules
from mergegate.repo.rules.gates import Gate, gated
from tests.repo.gates import gates, table


def test_gates_are_what_semgrep_wants_of_a_file() -> None:
    written = table(gates(rules.catalogue().written))

    message = "a rule was changed: python -m tests.repo.gates --write"
    assert rules.GATES.read_text("utf-8") == written, message


def test_gate_leaves_how_a_rule_looks() -> None:
    sink = {"pattern": "run($SINK)", "requires": "TAINT"}
    rule = {"id": "a", "mode": "taint", "pattern-sources": [{"pattern": "$ANY"}]}

    shut = gated({**rule, "pattern-sinks": [sink]}, Gate(rule="a", sinks=(("run",),)))

    assert shut["pattern-sources"] == rule["pattern-sources"]
    assert shut["pattern-sinks"][0]["requires"] == "TAINT"
    assert "'run($SINK)'" in str(shut["pattern-sinks"][0]["patterns"])
