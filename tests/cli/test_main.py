"""The list of commands: complete, and there without the packages of a part of it."""

import errno
import importlib
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mergegate.cli import main
from mergegate.core.errors import EngineMissing, UsageError


@pytest.fixture
def without_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        if name == "mergegate.cli.browser_test":
            raise ModuleNotFoundError("no playwright", name="playwright.async_api")
        return importlib.import_module(name)

    monkeypatch.setattr(main, "import_module", absent)
    monkeypatch.setattr(main, "find_spec", lambda name: None if name == "playwright" else name)


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_is_there_by_its_name(name: str) -> None:
    command = main.main.get_command(click.Context(main.main), name)
    assert command is not None
    assert command.name == name


@pytest.mark.parametrize("name", main.COMMANDS)
def test_the_list_says_of_every_command_what_it_says_of_itself(name: str) -> None:
    command = main.main.get_command(click.Context(main.main), name)
    assert command is not None
    assert main.COMMANDS[name] == command.get_short_help_str(1000)


@pytest.mark.parametrize("name", main.COMMANDS)
def test_the_list_of_a_group_cuts_no_sentence_short(name: str) -> None:
    command = main.main.get_command(click.Context(main.main), name)
    assert command is not None
    shown = CliRunner().invoke(command, ["--help"], terminal_width=80).output
    assert "..." not in shown.partition("\nCommands:\n")[2]


def test_the_help_lists_every_command_and_loads_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "import_module", refuse)
    shown = CliRunner().invoke(main.main, ["--help"], terminal_width=200)
    assert shown.exit_code == 0
    for name, sentence in main.COMMANDS.items():
        assert f"  {name} " in shown.output
        assert sentence in " ".join(shown.output.split())


def test_the_shell_is_told_commands_and_options_and_none_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(main, "import_module", refuse)
    context = click.Context(main.main)
    found = {one.value: one.help for one in main.main.shell_complete(context, "s")}
    assert found == {name: said for name, said in main.COMMANDS.items() if name[0] == "s"}
    assert "--version" in {one.value for one in main.main.shell_complete(context, "--")}


def test_the_help_needs_nothing_of_what_commands_work_with() -> None:
    program = (
        "import sys; from mergegate.cli.main import run; sys.argv[1:] = ['--help']; run();"
        " print(*(one for one in sys.modules if one.startswith('mergegate')))"
    )
    told = subprocess.check_output([sys.executable, "-c", program], text=True)
    loaded = set(told.splitlines()[-1].split())
    assert {one for one in loaded if one.count(".") > 1} == {
        *("mergegate.cli.main", "mergegate.core.errors", "mergegate.terminal.exits")
    }


def refuse(name: str) -> object:
    raise AssertionError(f"{name} was loaded")


@pytest.mark.usefixtures("without_playwright")
def test_without_the_packages_for_sites_the_help_is_whole() -> None:
    shown = CliRunner().invoke(main.main, ["--help"])
    assert shown.exit_code == 0
    assert shown.output.count("needs the extra `site`") == 4
    assert main.COMMANDS["rules"] in shown.output


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("scna", "No such command 'scna'. Did you mean 'scan'?"),
        ("browsertest", "No such command 'browsertest'. Did you mean 'browser-test'?"),
        ("zzz", "No such command 'zzz'."),
        ("--scan", "No such option '--scan'."),
    ],
)
def test_of_a_mistyped_command_it_is_said_what_was_meant(typed: str, said: str) -> None:
    refused = CliRunner().invoke(main.main, [typed])
    assert (refused.exit_code, refused.output.splitlines()[-1]) == (2, f"Error: {said}")


@pytest.mark.usefixtures("without_playwright")
def test_a_command_that_is_not_installed_says_what_to_do() -> None:
    with pytest.raises(EngineMissing, match="extra `site`"):
        main.main(["browser-test", "example.org", "--tabs", "3"], standalone_mode=False)


def test_any_other_missing_module_is_a_mistake_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(name, name=name)

    monkeypatch.setattr(main, "import_module", absent)
    with pytest.raises(ModuleNotFoundError):
        main.main(["scan"], standalone_mode=False)


def ended(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[object, str]:
    """The exit code and standard error of a command that raises ``error``."""

    def broken(**_: object) -> None:
        raise error

    monkeypatch.setattr(main, "main", broken)
    with pytest.raises(SystemExit) as left:
        main.run()
    return left.value.code, capsys.readouterr().err


def test_a_mistake_of_ours_is_no_gate_that_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = ended(ZeroDivisionError("\x1b[2J"), monkeypatch, capsys)
    assert code == 3
    assert "ZeroDivisionError" in said
    assert "please report" in said.splitlines()[-1]
    assert "\x1b" not in said


def test_a_full_disk_is_no_mistake_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = ended(OSError(errno.ENOSPC, "No space left on device"), monkeypatch, capsys)
    assert code == 3
    assert said.startswith("mergegate: No space left on device. Make room")
    assert len(said.splitlines()) == 1


def test_what_an_error_repeats_of_a_page_reaches_no_terminal_raw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = ended(UsageError("no page (\x1b[2J\n::error::x)"), monkeypatch, capsys)
    assert (code, said) == (2, "mergegate: no page (\\x1b[2J\\n::error::x)\n")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_to_fail(closed: str, tmp_path: Path) -> None:
    (tmp_path / "policy.yml").write_text("version: 1\n")
    program = Path(sys.executable).with_name("mergegate")
    command = f'exec "{program}" policy policy.yml {closed}'
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False).returncode == 0
