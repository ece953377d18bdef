"""What the documents say is what the code does."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from mergegate.cli.main import _EXTRAS, main
from mergegate.cli.rules import rules_page
from mergegate.core.plans import REPOSITORY
from mergegate.host import settings as host
from mergegate.repo.checks import all_rules
from mergegate.repo.fixes.recipe import recipes
from mergegate.repo.policy_file import parse_policy
from mergegate.repo.settings import Policy

ROOT = Path(__file__).parent.parent
FENCED = re.compile(r"^```.*?\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(
    r"(?<![\w/.-])(?:mergegate|\./run) (?!(?:test|lock|mergegate)\b)([a-z][^`\n\\#|<>&;)\]]*)"
)
RUN = re.compile(r"(?:run: |sh '|script: |- |entry: )mergegate ([a-z][^'\"\n]*)")
"""What a recipe starts."""


def test_the_page_on_models_says_about_how_many_rules_one_is_asked() -> None:
    asked = sum(bool(one.asked) for one in recipes().values())
    assert f"about {asked} rules" in (ROOT / "docs" / "models.md").read_text()


def test_the_policy_schema_is_current() -> None:
    published = json.loads((ROOT / "docs" / "policy.schema.json").read_text())
    assert published == Policy.model_json_schema(by_alias=True)


def test_the_rules_reference_is_current() -> None:
    """A new rule enters it with the next release, which fails while one is missing."""
    page = (ROOT / "docs" / "rules.md").read_text()
    listed = re.findall(r"^\| `(.+?)` \|", page, re.MULTILINE)
    assert page == rules_page(all_rules()[id] for id in listed)


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


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it."""

    page: str
    words: tuple[str, ...]
    """After the program's name."""

    def refused(self) -> set[str]:
        """Those of its words that are no command, or no option of it."""
        command: click.Command = main
        words = list(self.words)
        while isinstance(command, click.Group) and words and words[0][:1] != "-":
            found = command.get_command(click.Context(main), words[0])
            if found is None:
                return {words[0]}
            command, words = found, words[1:]
        known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
        return {one.partition("=")[0] for one in words if one[:2] == "--"} - known - {"--help"}


def shown() -> Iterator[Shown]:
    """All of the pages, in code; all that the recipes run."""
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/*.md")):
        text = "" if page.name == "CHANGELOG.md" else page.read_text()
        spans = re.findall(r"`([^`]+)`", FENCED.sub("", text))
        for code in (*FENCED.findall(text), *(" ".join(one.split()) for one in spans)):
            yield from (Shown(page.name, tuple(one.split())) for one in COMMAND.findall(code))
    for recipe in (one for one in ROOT.glob("docs/*/*") if one.suffix in {".yml", ""}):
        for found in RUN.findall(recipe.read_text()):
            yield Shown(recipe.name, tuple(found.split()))


def test_every_command_and_option_that_a_page_shows_exists() -> None:
    every = tuple(shown())
    assert len(every) > 100
    assert [(one, one.refused()) for one in every if one.refused()] == []


@pytest.mark.parametrize("wrong", ["scann", "keys mend", "scan --bse main", "hooks add --app 1"])
def test_a_command_that_does_not_exist_is_found(wrong: str) -> None:
    assert Shown("page", tuple(wrong.split())).refused()


def test_a_clone_sets_up_for_every_command_of_a_host() -> None:
    script = (ROOT / "run").read_text()
    case = re.search(r"^(serve \| .*)\)$", script, re.MULTILINE)
    assert case is not None
    assert set(case[1].split(" | ")) == _EXTRAS["serve"]


@pytest.mark.parametrize("page", ["README.md", "docs/operations.md"])
def test_every_command_of_a_host_is_told_of(page: str) -> None:
    told = (ROOT / page).read_text()
    missing = {name for name in _EXTRAS["serve"] if f"`mergegate {name}" not in told}
    assert not missing


def test_every_setting_of_a_host_is_told_of() -> None:
    named = [value for name, value in vars(host).items() if name.isupper() and name[0] != "_"]
    told = (ROOT / "docs" / "operations.md").read_text()
    assert len(named) > 10
    assert [value for value in named if f"| `{value}` |" not in told] == []


def test_every_link_between_documents_leads_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
