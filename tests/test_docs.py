"""What the documents say is what the code does."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mergegate import wiring
from mergegate.cli.main import COMMANDS, main
from mergegate.cli.reference import rules_page
from mergegate.plans import REPOSITORY
from mergegate.settings import Policy, parse_policy

ROOT = Path(__file__).parent.parent


def test_the_policy_schema_is_current() -> None:
    published = json.loads((ROOT / "docs" / "policy.schema.json").read_text())
    assert published == Policy.model_json_schema(by_alias=True)


def test_the_rules_reference_is_current() -> None:
    assert (ROOT / "docs" / "rules.md").read_text() == rules_page(wiring.rule_cards())


def test_the_policy_of_the_readme_is_valid() -> None:
    readme = (ROOT / "README.md").read_text()
    example = re.search(r"```yaml\n(version:.*?)```", readme, re.DOTALL)
    assert example is not None
    assert parse_policy(example[1].encode(), "README.md").suppressions[0].owner == "ada@example.org"


def test_the_workflow_of_the_readme_is_one(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    example = re.search(r"```yaml\n(name: Mergegate.*?)```", readme, re.DOTALL)
    assert example is not None
    (tmp_path / "mergegate.yml").write_text(example[1])
    program = Path(sys.executable).with_name("check-jsonschema")
    schema = ("--builtin-schema", "vendor.github-workflows")
    subprocess.run([program, *schema, tmp_path / "mergegate.yml"], check=True, timeout=60)


def test_the_numbers_of_the_scoring_page_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / "scoring.md").read_text()
    for severity, points in REPOSITORY.weights.items():
        assert f"| {severity.label} | {points} |" in page
    for category, cap in REPOSITORY.caps.items():
        assert f"| {category} | {cap} |" in page


def test_every_command_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in set(re.findall(r"(?<![/])mergegate ([a-z-]+)", readme)) - {"in"}:
        assert command in COMMANDS, command


@pytest.mark.parametrize("command", ["scan", "audit", "browser-test"])
def test_every_option_that_a_page_shows_exists(command: str) -> None:
    shown = CliRunner().invoke(main, [command, "--help"]).output
    for page in (ROOT / "README.md", ROOT / "docs" / "site.md"):
        for line in re.findall(rf"mergegate {command}([^`\n#]*)", page.read_text()):
            for option in re.findall(r"--[a-z-]+", line):
                assert f"{option} " in shown, f"{page.name}: {option}"


def test_every_check_explains_itself() -> None:
    for card in wiring.rule_cards():
        assert card.title, card.id
        assert card.message, card.id


def test_every_link_between_documents_leads_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
