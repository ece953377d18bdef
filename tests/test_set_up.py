"""`./run` sets a clone up, or says what somebody else has to do."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

_SCRIPT = (Path(__file__).parent.parent / "run").read_text()
_PATH = "/usr/bin:/bin"
_FUNCTIONS = ("is_there", "debian_packages")


def _function(name: str) -> str:
    found = re.search(rf"^{name}\(\) \{{.*?\n\}}$", _SCRIPT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def _asking(package: str) -> str:
    """A script that has Debian bring ``package``."""
    say = next(line for line in _SCRIPT.splitlines() if line.startswith("say()"))
    return "\n".join(
        ["set -euo pipefail", say, *map(_function, _FUNCTIONS), f"debian_packages {package}"]
    )


@pytest.mark.skipif(
    shutil.which("sudo", path=_PATH) is not None or shutil.which("apt-get", path=_PATH) is None,
    reason="NOT CHECKED: this machine has sudo, or no packages of Debian's",
)
def test_who_may_not_install_is_told_what_is_missing() -> None:
    code = _asking("nothing-like-it")
    nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    done = subprocess.run(
        [*(nobody if os.geteuid() == 0 else ()), "bash", "-c", code],
        env={"PATH": _PATH},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "install: nothing-like-it" in done.stderr
    assert "no sudo here" in done.stderr


def _brought(mode: str) -> set[str]:
    """The packages that a mode of the script has Debian bring."""
    [case] = re.findall(rf"^{mode}\)\n(.*?)\n    ;;", _SCRIPT, re.MULTILINE | re.DOTALL)
    [named] = re.findall(r"debian_packages (.+)", case)
    return set(named.split())


def test_what_the_tests_start_is_brought_before() -> None:
    """In a bare Debian nothing else is there; what a test starts by its name stands here."""
    started = {"chromium", "make", "npm", "rsync", "postgresql"}
    linked = {"libgomp1"}
    assert _brought("test") == started | linked


@pytest.mark.parametrize(
    ("package", "there"),
    [
        ("bash", True),
        ("libgcc_s1", True),
        ("lib-no-such1", False),
        ("fonts-no-such", False),
        ("no-such-one", False),
    ],
)
def test_programs_libraries_and_fonts_are_looked_for(package: str, there: bool) -> None:
    code = f"{_function('is_there')}\nis_there {package}"
    done = subprocess.run(["bash", "-c", code], env={"PATH": _PATH}, check=False)
    assert (done.returncode == 0) == there


def test_a_package_asks_no_question_that_sudo_hides(tmp_path: Path) -> None:
    said = tmp_path / "said"
    for name, does in {
        "sudo": 'env -i PATH="$PATH" "$@"',  # as it does unless it is told otherwise
        "apt-get": f'echo "$1 ${{DEBIAN_FRONTEND:-asks}}" >> {said}',
        "id": "echo 1000",
    }.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{does}\n")
        program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{_PATH}"}
    code = _asking("no-such-one")
    subprocess.run(["bash", "-c", code], env=environment, cwd="/", check=True, capture_output=True)
    assert said.read_text().splitlines() == ["update asks", "install noninteractive"]
