"""`./run` sets a clone up, or says what somebody else has to do."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

_SCRIPT = (Path(__file__).parent.parent / "run").read_text()
_PATH = "/usr/bin:/bin"


def _function(name: str) -> str:
    found = re.search(rf"^{name}\(\) \{{.*?\n\}}$", _SCRIPT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


@pytest.mark.skipif(
    shutil.which("sudo", path=_PATH) is not None or shutil.which("apt-get", path=_PATH) is None,
    reason="NOT CHECKED: this machine has sudo, or no packages of Debian's",
)
def test_who_may_not_install_is_told_what_is_missing() -> None:
    say = next(line for line in _SCRIPT.splitlines() if line.startswith("say()"))
    code = (
        f"set -euo pipefail\n{say}\n{_function('debian_packages')}\ndebian_packages nothing-like-it"
    )
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
