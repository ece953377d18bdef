"""Who lives in a folder is found by what is inherited, and none of them is left in the end."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mergegate.sandbox.process import warden
from mergegate.sandbox.process.family import has_ended

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="NOT CHECKED: Linux alone tells who lives where"
)
MULTIPLYING = """
import os
for _ in range(5): os.fork() or os.setsid()
print(flush=True)
while True:
    if not os.fork(): os._exit(0)
    os.wait()
"""
STAYING = "import time; time.sleep(600)"


def test_a_crowd_that_goes_on_multiplying_is_ended(tmp_path: Path) -> None:
    with living_in(tmp_path, MULTIPLYING) as one:
        assert one.stdout
        for _ in range(2**5):
            one.stdout.readline()
        assert len(members := list(warden.inhabitants(tmp_path))) >= 2**5
        assert warden.bury(tmp_path)
    assert all(map(has_ended, members))
    assert not list(warden.inhabitants(tmp_path))


def test_what_is_not_over_in_time_is_told(tmp_path: Path) -> None:
    with living_in(tmp_path, STAYING) as one:
        while one.pid not in warden.inhabitants(tmp_path):
            pass
        assert not warden.bury(tmp_path, patience_s=0)
        with pytest.raises(TimeoutError):
            list(warden.inhabitants(tmp_path, until=time.monotonic()))
        assert one.poll() is None
        assert warden.bury(tmp_path)


def test_too_many_open_files_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([OSError(24, "Too many open files")])

    def refused_once(folder: Path, until: float) -> list[int]:
        if refusal := next(looks, None):
            raise refusal
        return []

    monkeypatch.setattr(warden, "inhabitants", refused_once)
    assert warden.bury(tmp_path)
    assert next(looks, None) is None


def living_in(folder: Path, code: str) -> "subprocess.Popen[bytes]":
    argv = [sys.executable, "-I", "-S", "-c", code]
    environment = {"HOME": os.fspath(folder)}
    return subprocess.Popen(argv, stdout=subprocess.PIPE, env=environment, cwd="/")
