"""The doctor tells what the site tools lack, and installs it on request."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from mergegate.cli import doctor as command
from mergegate.cli.doctor import doctor
from mergegate.doctor import machine
from mergegate.doctor.machine import PACKAGES, Sign, site_signs
from mergegate.sandbox.browser import find, launch
from mergegate.sandbox.process import node as world_node
from mergegate.sandbox.process.account import Account
from tests.sandbox.browser.stands import needs_chromium

Script = Callable[[str, str], Path]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """A PATH with nothing but ``sh``, and what a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "sh").symlink_to("/bin/sh")
    (folder / "chmod").symlink_to("/bin/chmod")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    monkeypatch.setattr(machine, "_PASSED_ON", ("PATH", "TOLD"))

    def put(name: str, script: str) -> Path:
        path = folder / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "$TOLD"\n{script}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return put


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Chromium and no npm package, but a checkout."""
    monkeypatch.delenv("MERGEGATE_CHROMIUM", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "ms-playwright"))
    monkeypatch.setattr(find, "_KNOWN", ())
    monkeypatch.setattr(world_node, "_HOMES", (tmp_path / "checkout/node_modules",))
    monkeypatch.setattr(machine, "_CHECKOUT", tmp_path / "checkout")
    monkeypatch.setattr(machine, "find_spec", lambda _: None)
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout/package-lock.json").write_text("{}")


def called(tmp_path: Path) -> list[str]:
    told = tmp_path / "told"
    return told.read_text().splitlines() if told.exists() else []


def said() -> list[str]:
    lines: list[str] = []
    machine.install(lines.append)
    return lines


def by_name() -> dict[str, Sign]:
    return {sign.name: sign for sign in site_signs()}


@needs_chromium
def test_what_is_here_is_told_with_its_version() -> None:
    found = by_name()
    assert list(found) == ["chromium", "node", *PACKAGES]
    assert "sandbox" in found["chromium"].state
    assert os.geteuid() == 0 or "in its sandbox" in found["chromium"].state
    assert not any(sign.alarming for sign in found.values())


@needs_chromium
def test_whoever_is_not_root_is_not_told_to_be_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_may_be_sandboxed", lambda: False)
    monkeypatch.setattr(machine, "engines_account", lambda: Account(10002, 10002))
    sign = by_name()["chromium"]
    assert "without its sandbox" in sign.state
    assert sign.remedy.startswith("Allow user namespaces;")
    assert "--cap-add SYS_CHROOT" in sign.remedy


@pytest.mark.usefixtures("bare", "programs")
def test_what_is_missing_alarms_nobody_and_says_what_to_do() -> None:
    found = by_name()
    for name in ("chromium", *PACKAGES):
        assert not found[name].healthy
        assert not found[name].alarming
        assert "Only the site tools need it" in found[name].remedy
        assert "doctor --fix" in found[name].remedy


def _forget() -> None:
    """Ask for the program and its version anew."""
    world_node.node.cache_clear()
    world_node.version.cache_clear()


def test_an_old_node_is_told(programs: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    _forget()
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(programs("node", "echo v18.20.4")))
    try:
        sign = by_name()["node"]
    finally:
        _forget()
    assert sign.state.endswith("v18.20.4")
    assert "22.19 or newer" in sign.remedy
    assert not sign.alarming


@pytest.mark.usefixtures("bare")
def test_root_gets_the_package_of_the_distribution(
    programs: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    made = tmp_path / "bin/chromium"
    programs(
        "apt-get", f"test $1 = install && echo '#!/bin/sh' > {made} && chmod +x {made}; exit 0"
    )
    lines = said()
    wanted = "chromium fonts-dejavu-core fonts-liberation libatomic1"
    assert called(tmp_path) == [
        "apt-get update -qq",
        f"apt-get install --yes --no-install-recommends {wanted}",
    ]
    assert any(line.startswith("Installing Chromium with apt-get: ") for line in lines)
    assert not any("could not be installed. Install it yourself" in line for line in lines)


@pytest.mark.usefixtures("bare")
def test_an_installer_that_fails_is_quoted_harmlessly(
    programs: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    programs("apt-get", "printf 'wait\\n::error::no \\033[31mspace\\n' >&2; exit 100")
    lines = said()
    assert called(tmp_path) == ["apt-get update -qq"]
    assert "It failed (exit code 100): : :error::no \\x1b[31mspace" in lines
    assert any(line.startswith("Chromium could not be installed.") for line in lines)


@pytest.mark.usefixtures("bare", "programs")
def test_without_any_means_it_says_so() -> None:
    lines = said()
    assert any(line.startswith("Chromium could not be installed.") for line in lines)
    assert any(line.startswith("There is no npm.") for line in lines)


@pytest.mark.usefixtures("bare")
def test_the_npm_packages_come_as_locked_and_run_no_script(
    programs: Script, tmp_path: Path
) -> None:
    programs("npm", "exit 0")
    lines = said()
    assert called(tmp_path) == ["npm ci --omit=dev --ignore-scripts --no-audit --no-fund"]
    assert "The npm packages could not be installed: Lighthouse is missing." in lines


@pytest.mark.usefixtures("bare")
def test_outside_a_checkout_npm_is_not_called(programs: Script, tmp_path: Path) -> None:
    programs("npm", "exit 0")
    (tmp_path / "checkout/package-lock.json").unlink()
    assert any("install it again from there" in line for line in said())
    assert called(tmp_path) == []


def test_installers_see_none_of_our_secrets(
    programs: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "canary")
    programs("npm", 'echo "token: $GITHUB_TOKEN" >> "$TOLD"')
    step = machine.Step("Installing", ("npm",), tmp_path)
    assert machine._well(step, lambda _: None)
    assert called(tmp_path)[-1] == "token: "


def test_nothing_is_installed_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(command, "signs", lambda *_: (Sign("git", "/usr/bin/git"),))
    monkeypatch.setattr(command, "install", lambda _: asked.append("install"))
    assert CliRunner().invoke(doctor, [str(tmp_path)]).exit_code == 0
    assert asked == []
    assert CliRunner().invoke(doctor, [str(tmp_path), "--fix"]).exit_code == 0
    assert asked == ["install"]
