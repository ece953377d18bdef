"""An account that nobody has, for what would stop or end all that an account runs."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def uid() -> Iterator[int]:
    """The id of an account without a name; all its processes end with the test."""
    number = 62_000 + os.getpid() % 3_000
    yield number
    subprocess.run(as_account(number, "import os; os.kill(-1, 9)"), check=False)


def as_account(uid: int, code: str, *arguments: str) -> list[str]:
    """A command that runs Python's ``code`` as ``uid``."""
    becoming = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--")
    return [*becoming, sys.executable, "-I", "-c", code, *arguments]


def needs_our_interpreter(uid: int) -> None:
    """Skip where the account may not run it: it lies below a folder that root alone may enter."""
    again = "import subprocess, sys; subprocess.run([sys.executable, '-c', ''], check=True)"
    if subprocess.run(as_account(uid, again), capture_output=True, check=False).returncode:
        pytest.skip("NOT CHECKED: other accounts may not enter the folder of this Python")
