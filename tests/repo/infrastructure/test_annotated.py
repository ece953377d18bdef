"""The annotated examples of entries in tests/fixtures/iac: what is told, line by line."""

from pathlib import Path

import pytest

from mergegate.repo.infrastructure import by_rule
from tests.repo.checks.test_infrastructure import expected
from tests.repo.infrastructure.reading import told
from tests.repo.test_rules import Example

EXAMPLES = Path(__file__).parents[2] / "fixtures" / "iac"
FILES = sorted((EXAMPLES / "terraform").glob("*.tf"))
TEMPLATES = sorted(
    path
    for folder in ("cloudformation", "compose", "kubernetes")
    for path in (EXAMPLES / folder).glob("*.yaml")
    if path.stem in by_rule()
)


@pytest.mark.parametrize("path", FILES, ids=lambda one: one.name)
def test_entry_tells_exactly_the_annotated_lines(path: Path) -> None:
    rule, example = path.name.split(".")[0], Example(path)
    found = told({"main.tf": path.read_text("utf-8")})
    lines = {one.place.start_line for one in found if one.rule_id == rule}
    assert lines == (set() if ".fixed" in path.suffixes else example.lines("ruleid"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda one: one.name)
def test_entry_tells_the_annotated_lines_of_a_document(path: Path) -> None:
    text = path.read_text("utf-8")
    found = {
        one.place.start_line: one.severity.label
        for one in told({"template.yaml": text})
        if one.rule_id == path.stem
    }
    assert found == expected(text)[0]
