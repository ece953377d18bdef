"""Engines run under limits, without our environment and without the network."""

import contextlib
import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from mergegate.core.errors import EngineFailed, EngineMissing, EngineTimeout
from mergegate.sandbox.process import run as process
from mergegate.sandbox.process.confinement import network_is_isolated, outer_limits
from mergegate.sandbox.process.run import MEBIBYTE, Limits, run


def python(code: str, cwd: Path, limits: Limits = Limits(), stdin: bytes = b"") -> str:
    done = run([sys.executable, "-I", "-c", code], cwd=cwd, limits=limits, stdin=stdin)
    return done.stdout.decode()


def test_the_engine_sees_none_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "canary")
    seen = python("import os; print(sorted(os.environ))", tmp_path)
    assert seen.strip() == "['HOME', 'LANG', 'LC_ALL', 'PATH', 'TMPDIR']"


def test_standard_input_reaches_the_engine(tmp_path: Path) -> None:
    assert python("print(input())", tmp_path, stdin=b"hello\n") == "hello\n"


def test_an_engine_that_hangs_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(EngineTimeout):
        python("import time; time.sleep(60)", tmp_path, Limits(timeout_s=0.5))


def test_children_of_a_stopped_engine_are_stopped_too(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n"
        "time.sleep(60)"
    )
    with pytest.raises(EngineTimeout):
        python(code, tmp_path, Limits(timeout_s=2))
    pid = int((tmp_path / "pid").read_text())
    with contextlib.suppress(psutil.NoSuchProcess):
        child = psutil.Process(pid)
        ended = {psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD}
        assert child.status() in ended or child.wait(timeout=10) is None


def test_an_engine_that_eats_memory_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="memory"):
        python(
            "import time; x = bytearray(300 << 20); time.sleep(30)",
            tmp_path,
            Limits(memory_bytes=100 * MEBIBYTE),
        )


@pytest.mark.skipif(sys.platform != "linux", reason="file size limits are set by prlimit")
def test_an_engine_that_floods_its_output_is_stopped(tmp_path: Path) -> None:
    code = "import sys, time\ntime.sleep(.3)\nwhile True: sys.stdout.write('x' * 65536)"
    limits = Limits(output_bytes=MEBIBYTE)
    with contextlib.suppress(EngineFailed):
        done = run([sys.executable, "-I", "-c", code], cwd=tmp_path, limits=limits)
        assert done.exit_code != 0  # Python turns the signal into an error of its own
        assert len(done.stdout) <= MEBIBYTE


def test_a_missing_program_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(EngineMissing):
        run([tmp_path / "no-such-program"], cwd=tmp_path)


def test_a_missing_folder_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="could not be started: No such file"):
        run([sys.executable, "-V"], cwd=tmp_path / "gone")


def test_a_program_that_found_no_room_for_its_words_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["false"], cwd=tmp_path).exit_code == 1
    monkeypatch.setattr(process, "_is_full", lambda _: True)
    assert run(["true"], cwd=tmp_path).exit_code == 0
    with pytest.raises(EngineFailed, match="no temporary file can be written: No space left"):
        run(["false"], cwd=tmp_path)


def test_an_engine_that_is_killed_has_failed(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="SIGKILL"):
        python("import os; os.kill(os.getpid(), 9)", tmp_path)


@pytest.mark.skipif(not network_is_isolated(), reason="namespaces are not allowed on this machine")
def test_an_engine_reaches_no_network_not_even_loopback(tmp_path: Path) -> None:
    code = (
        "import socket\n"
        "try: socket.create_connection(('127.0.0.1', 9), 1)\n"
        "except OSError as error: print(type(error).__name__, error.errno)"
    )
    assert python(code, tmp_path).split()[1] == str(errno.ENETUNREACH)


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: limits are set by prlimit")
def test_tasks_are_limited_from_outside_or_on_the_way_to_another_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_tasks_of", lambda _: 3)
    held = started(["sleep", "600"], tmp_path, Limits(tasks=2))
    whoever = resource.getrlimit(resource.RLIMIT_NPROC) if os.geteuid() == 0 else (5, 5)
    if sys.platform == "linux":  # types are checked for others as well
        assert resource.prlimit(held.pid, resource.RLIMIT_NPROC) == whoever
    held.kill()
    held.communicate()
    nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    other = nobody if os.geteuid() == 0 else ()  # root is never refused
    loop = "for one in 1 2 3 4 5 6 7 8 9; do sleep 60 > /dev/null 2>&1 & done; echo all"
    for most, expected in ((5, b""), (90_000, b"all\n")):
        argv = [*outer_limits(MEBIBYTE, most), *other, "sh", "-c", loop]
        limited = started(argv, tmp_path, Limits())
        assert limited.communicate()[0] == expected
        os.killpg(limited.pid, signal.SIGKILL)


def started(argv: Sequence[str], cwd: Path, limits: Limits) -> subprocess.Popen[bytes]:
    streams = (subprocess.DEVNULL, subprocess.PIPE, subprocess.DEVNULL)
    return process.start(argv, cwd, limits, None, streams, network=True, own_rights=True)
