"""The token in our environment is not for engines that share our account."""

import os
import subprocess
import sys

import pytest

CODE = """
import os, subprocess, sys
from mergegate.sandbox.process.deny_ptrace import deny_ptrace
if sys.argv[1] == "concealed":
    assert deny_ptrace()
print(subprocess.run(["/bin/cat", f"/proc/{os.getpid()}/environ"], capture_output=True).stdout)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
@pytest.mark.parametrize(("how", "seen"), [("open", True), ("concealed", False)])
def test_a_process_of_the_same_account_cannot_read_our_environment(how: str, seen: bool) -> None:
    like_anybody = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]
    done = subprocess.run(
        [*(like_anybody if os.geteuid() == 0 else []), sys.executable, "-c", CODE, how],
        env={"PATH": os.defpath, "MERGEGATE_TOKEN": "canary"},
        capture_output=True,
        check=True,
    )
    assert (b"canary" in done.stdout) is seen
