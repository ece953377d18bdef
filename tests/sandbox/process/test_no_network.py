"""The system call filter stands in where a container allows no namespace."""

import platform
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mergegate.sandbox.process import confinement, no_network, run

knows_this_machine = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in no_network._SOCKET,
    reason="the filter knows Linux on x86-64 and arm64",
)
TRY = """
import socket
for name in ("AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK"):
    try:
        socket.socket(getattr(socket, name), socket.SOCK_RAW if "K" in name else socket.SOCK_STREAM)
        print(name, "open")
    except OSError as error:
        print(name, error.strerror)
"""


@pytest.fixture
def no_namespaces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose container forbids them."""
    which = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name: None if str(name).endswith("unshare") else which(name)
    )
    confinement.confined.cache_clear()
    yield
    confinement.confined.cache_clear()


def python(code: str, cwd: Path, *, network: bool = False) -> str:
    done = run.run([sys.executable, "-I", "-c", code], cwd=cwd, network=network)
    assert done.exit_code == 0, done.stderr
    return done.stdout.decode()


@knows_this_machine
def test_without_namespaces_every_socket_but_local_ones_is_refused(
    no_namespaces: None, tmp_path: Path
) -> None:
    said = dict(line.split(" ", 1) for line in python(TRY, tmp_path).splitlines())
    assert said.pop("AF_UNIX") == "open"
    assert set(said.values()) == {"Network is unreachable"}
    assert confinement.network_is_isolated()


@knows_this_machine
def test_children_and_rings_do_not_escape_the_filter(no_namespaces: None, tmp_path: Path) -> None:
    code = (
        "import ctypes, os, subprocess, sys\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.syscall(425, 8, ctypes.create_string_buffer(120)), ctypes.get_errno())\n"
        "code = 'import socket; socket.socket()'\n"
        "print(subprocess.run([sys.executable, '-I', '-c', code], stderr=-3).returncode)"
    )
    assert python(code, tmp_path).split() == ["-1", "38", "1"]


@knows_this_machine
def test_who_needs_the_network_keeps_it(no_namespaces: None, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}))"
        python(code, tmp_path, network=True)


def test_a_machine_without_any_of_the_programs_still_runs_engines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: which(name) if "/" in str(name) else None)
    confinement.confined.cache_clear()
    try:
        assert confinement.confined(None, False) == ()
        assert not confinement.network_is_isolated()
        assert python("print(1)", tmp_path) == "1\n"
    finally:
        confinement.confined.cache_clear()


def test_every_known_machine_has_a_program_of_whole_instructions() -> None:
    for machine in no_network._SOCKET:
        assert len(no_network.program(machine)) == 11 * 8
    with pytest.raises(KeyError):
        no_network.program("m68k")


def test_a_prefix_tells_whether_it_takes_the_network() -> None:
    ways = tuple(confinement.without_network(None))
    assert all(confinement.takes_network(way) for way in ways)
    assert not confinement.takes_network(confinement.without_rights(None))
