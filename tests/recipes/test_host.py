"""The files that a host is run by are valid, and do what mergegate itself advises."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from mergegate.cli.main import main
from tests.conftest import Mergegate
from tests.recipes.documents import ROOT

HOST = ROOT / "docs" / "host"
COMPOSE, KUBERNETES = HOST / "compose.yml", HOST / "kubernetes.yml"


def checked(*command: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, timeout=60
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "Couldn't" not in said  # kubernetes-validate passes what it cannot parse


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every command line of ours in the two files."""
    for name, service in yaml.safe_load(COMPOSE.read_text())["services"].items():
        if service["image"].startswith("mergegate"):
            yield f"compose {name}", service["command"]
    for one in yaml.safe_load_all(KUBERNETES.read_text()):
        if one["kind"] == "Deployment":
            for container in one["spec"]["template"]["spec"]["containers"]:
                yield f"kubernetes {container['name']}", container["args"]


def test_the_compose_file_is_valid() -> None:
    checked("check_jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE)


def test_the_kubernetes_manifest_is_valid() -> None:
    checked("kubernetes_validate", "--strict", KUBERNETES)


@pytest.mark.parametrize(("where", "words"), list(commands()), ids=lambda one: str(one)[:30])
def test_every_command_in_them_is_one_of_ours(where: str, words: list[str]) -> None:
    with click.Context(main) as context:
        command = main.get_command(context, words[0])
        assert command is not None, where
        command.make_context(words[0], words[1:], parent=context)


def test_we_have_nothing_to_say_against_them(mergegate: Mergegate, tmp_path: Path) -> None:
    for file in (COMPOSE, KUBERNETES):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    aspects = ("--only", "iac,secrets")
    done = mergegate(
        "scan", str(tmp_path), *aspects, "--offline", "--format", "json", "--fail-on", "never"
    )
    found = done.json["issues"] + done.json["riskFindings"]
    assert [(one["ruleId"], one["file"], one["startLine"]) for one in found] == []
