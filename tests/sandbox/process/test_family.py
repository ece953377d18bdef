"""Families are counted and stopped from outside, wherever their members went."""

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from mergegate.sandbox.process import family


def test_where_no_file_can_be_opened_a_look_finds_nothing_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    for owner, name in ((Path, "read_text"), (family, "_tasks"), (psutil, "Process")):
        monkeypatch.setattr(owner, name, refuse)
    assert family.resident_bytes(os.getpid()) == 0
    assert family.descendants(os.getpid()) == []
    assert not family.has_ended(os.getpid())


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
    assert family.stop_family(held.pid, time.monotonic() + 20)
    assert {psutil.Process(pid).status() for pid in members} == {psutil.STATUS_STOPPED}
    assert {resource.prlimit(pid, resource.RLIMIT_NPROC) for pid in members} == {(0, 0)}
    end(members)
    assert all(map(family.has_ended, members))
    held.wait()


def end(members: list[int]) -> None:
    for pid in members:
        os.kill(pid, signal.SIGKILL)
    while not all(map(family.has_ended, members)):
        pass


def test_a_family_that_does_not_stand_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family, "_halt", lambda _: None)
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=-1) as held:
        assert not family.stop_family(held.pid, time.monotonic() + 0.05)
        assert held.poll() is None
        held.kill()
