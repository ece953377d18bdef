"""The list of commands: complete, and there without the packages of a part of it."""

import importlib

import click
import pytest
from click.testing import CliRunner

from mergegate.cli import main
from mergegate.errors import EngineMissing


@pytest.fixture
def without_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        if name == "mergegate.cli.browser_test":
            raise ModuleNotFoundError("no playwright", name="playwright.async_api")
        return importlib.import_module(name)

    monkeypatch.setattr(main, "import_module", absent)


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_is_there_by_its_name(name: str) -> None:
    command = main.main.get_command(click.Context(main.main), name)
    assert command is not None
    assert command.name == name


@pytest.mark.usefixtures("without_playwright")
def test_without_the_packages_for_sites_the_help_is_whole() -> None:
    shown = CliRunner().invoke(main.main, ["--help"])
    assert shown.exit_code == 0
    assert "needs mergegate[site]" in shown.output


@pytest.mark.usefixtures("without_playwright")
def test_a_command_that_is_not_installed_says_what_to_do() -> None:
    with pytest.raises(EngineMissing, match=r"mergegate\[site\]"):
        main.main(["browser-test", "example.org", "--tabs", "3"], standalone_mode=False)


def test_any_other_missing_module_is_a_mistake_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(name, name=name)

    monkeypatch.setattr(main, "import_module", absent)
    with pytest.raises(ModuleNotFoundError):
        main.main(["scan"], standalone_mode=False)
