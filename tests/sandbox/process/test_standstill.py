"""An account's processes stand still for a moment, and only where nobody else works as it."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mergegate.sandbox.process import standstill as module
from mergegate.sandbox.process.account import Account
from tests.sandbox.process.accounts import as_account, uid

__all__ = ["uid"]

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="NOT CHECKED: root alone can be another account"),
    pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: accounts are read in /proc"),
]


WATCHING = """
import subprocess, sys, time
from mergegate.world.standstill import standstill
still, (_, alone) = standstill(), sys.argv
bound = ["setpriv", "--no-new-privs", "cat"]  # as whatever a host starts
one = subprocess.Popen(bound, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

def answered():
    one.stdin.write(b"it runs\\n")
    return one.stdout.readline().decode().strip()

def stood():
    while open(f"/proc/{one.pid}/stat").read().rpartition(") ")[2][0] != "T": time.sleep(0.001)
    return "it stands"

with still():
    print(stood() if alone == "alone" else answered())
print(answered())
one.kill()
"""


def test_all_of_an_account_that_is_ours_alone_stand_still_and_go_on(uid: int) -> None:
    told = subprocess.check_output(as_account(uid, WATCHING, "alone"), text=True)
    assert told.splitlines() == ["it stands", "it runs"]


GUEST = """
from mergegate.world.conceal import conceal
assert conceal()  # as a host does, and whoever holds a token
while input(): print("here", flush=True)
"""
HOST = """
from mergegate.world.standstill import standstill
still = standstill()
print("alone", flush=True)
input()
with still():
    print("still", flush=True)
    input()
"""


def test_somebody_who_comes_later_goes_on_meanwhile(uid: int) -> None:
    """A host beside us may hold a lock that we wait for; who got away from a child stands."""
    with spoken_to(as_account(uid, HOST)) as host:
        assert heard(host) == b"alone\n"
        with spoken_to(as_account(uid, GUEST)) as guest, spoken_to(escaped(uid)) as other:
            ask(guest)
            ask(other)
            ask(host, b"still\n")
            ask(guest)
            while _state(other.pid) != "T":
                time.sleep(0.001)
            host.communicate(b"\n")
            guest.communicate(b"\n")


def escaped(uid: int) -> list[str]:
    """As whoever has got away from a child: what it can never gain again tells."""
    return ["setpriv", "--no-new-privs", *as_account(uid, GUEST)]


@contextmanager
def spoken_to(argv: list[str]) -> Iterator["subprocess.Popen[bytes]"]:
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, bufsize=0) as held:
        try:
            yield held
        finally:
            held.kill()


def ask(one: "subprocess.Popen[bytes]", expected: bytes = b"here\n") -> None:
    assert one.stdin
    one.stdin.write(b"go on\n")
    assert heard(one) == expected


def heard(one: "subprocess.Popen[bytes]") -> bytes:
    assert one.stdout
    assert select.select([one.stdout], [], [], 10)[0], "it stands"
    return one.stdout.readline()


def test_where_somebody_works_nobody_is_stopped(uid: int) -> None:
    with spoken_to(as_account(uid, GUEST)) as somebody:
        ask(somebody)
        told = subprocess.check_output(as_account(uid, WATCHING, "not alone"), text=True)
    assert told.splitlines() == ["it runs", "it runs"]


def test_root_stops_the_engines_account_and_not_its_own(
    uid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "engines_account", lambda: Account(uid, uid))
    code = "print(flush=True); input()"
    with subprocess.Popen(
        as_account(uid, code), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as one:
        assert one.stdout
        one.stdout.readline()
        with module.standstill()():
            while _state(one.pid) != "T":
                time.sleep(0.001)
            assert _state(os.getppid()) != "T"
        while _state(one.pid) == "T":
            time.sleep(0.001)
        one.communicate(b"\n")
    assert one.returncode == 0


def test_who_was_stopped_goes_on_where_no_process_can_be_started(
    uid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(module, "engines_account", lambda: Account(uid, uid))
    monkeypatch.setattr(module, "run", refuse)
    code = "import os; print(flush=True); os.kill(os.getpid(), 19)"
    with subprocess.Popen(as_account(uid, code), stdout=subprocess.PIPE) as one:
        assert one.stdout
        one.stdout.readline()
        while _state(one.pid) != "T":
            time.sleep(0.001)
        with module.standstill()():
            assert one.poll() is None
    assert one.returncode == 0


def test_who_was_stopped_goes_on_once_files_can_be_opened_again(
    uid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals, look = [1, 2, 3], module._processes_of

    def refused(uid: int) -> Iterator[int]:
        if refusals:
            raise OSError(24, f"Too many open files, {refusals.pop()}")
        return look(uid)

    monkeypatch.setattr(module, "engines_account", lambda: Account(uid, uid))
    monkeypatch.setattr(module, "_processes_of", refused)
    with spoken_to(as_account(uid, GUEST)) as one:
        ask(one)
        with module.standstill()():
            pass
        ask(one)


def test_root_without_such_an_account_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "engines_account", lambda: None)
    monkeypatch.setattr(module, "_standing", None)
    with module.standstill()():
        pass


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
