"""Words that keep semgrep from files; that no finding is lost is held by ``test_rules``."""

from pathlib import Path

import pytest

from mergegate.repo import rules
from mergegate.repo.rules.gates import Gate, gated, words_in
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


@pytest.mark.parametrize(
    ("text", "gate", "is_open"),
    [
        ("yaml.load(x)", Gate(rule="a", words=("load", "loads")), True),
        ("yaml.loading(x)", Gate(rule="a", words=("load", "loads")), False),
        ("\u00e9load(x)", Gate(rule="a", words=("load",)), True),
        ("run(read())", Gate(rule="a", sources=(("read",), ("ask",)), sinks=(("run",),)), True),
        ("run(1)", Gate(rule="a", sources=(("read",),), sinks=(("run",),)), False),
        ("read()", Gate(rule="a", sources=(("read",),), sinks=(("run",), ("go",))), False),
        ("run(1)", Gate(rule="a", sources=(("read",), ()), sinks=(("run",),)), True),
        ("", Gate(rule="a", sinks=(("run",),)), False),
    ],
)
def test_a_gate_is_open_where_all_that_a_flow_needs_is_named(
    tmp_path: Path, text: str, gate: Gate, is_open: bool
) -> None:
    (tmp_path / "a.py").write_text(text, "utf-8")
    assert gate.is_open(words_in([tmp_path / "a.py"])) is is_open


def test_rules_that_no_word_of_the_files_opens_are_not_given() -> None:
    known = rules.catalogue()
    assert '"python-yaml-load"' in known.document(["python"])
    assert '"python-yaml-load"' in known.document(["python"], {"yaml", "load"})
    assert '"python-yaml-load"' not in known.document(["python"], {"json"})
