"""Families are counted and stopped from outside, wherever their members went."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mergegate.world import family


def test_where_no_file_can_be_opened_a_look_finds_nothing_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    for owner, name in ((Path, "read_text"), (Path, "iterdir"), (psutil, "Process")):
        monkeypatch.setattr(owner, name, refuse)
    assert family.resident_bytes(os.getpid()) == 0
    assert family.descendants(os.getpid()) == []


FAMILY = "import os, time\nfor _ in range(3): os.fork() or os.setsid()\ntime.sleep(600)"
"""One with seven descendants, each in a session of its own."""


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: families are read from /proc")
def test_a_family_is_stopped_as_a_whole_wherever_its_members_went() -> None:
    held = subprocess.Popen([sys.executable, "-I", "-S", "-c", FAMILY])
    while len(family.descendants(held.pid)) < 7:
        pass
    members = [held.pid, *family.descendants(held.pid)]
    assert family.has_more_descendants(held.pid, 6)
    assert not family.has_more_descendants(held.pid, 7)
    assert family.stop_family(held.pid) == 7
    while {psutil.Process(pid).status() for pid in members} != {psutil.STATUS_STOPPED}:
        pass
    for pid in members:
        os.kill(pid, signal.SIGKILL)
    held.wait()
