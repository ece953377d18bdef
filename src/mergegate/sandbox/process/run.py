"""Run an engine under limits, in an empty environment, with no rights that it does not need.

What takes rights and network away (``confinement.py``) stands before the engine in its argv.
Nothing of ours runs between fork and exec.
"""

import contextlib
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mergegate.core.errors import EngineFailed, EngineMissing, EngineTimeout
from mergegate.sandbox.process.account import account_for, engines_account, hand_over
from mergegate.sandbox.process.confinement import Prefix, confined, outer_limits
from mergegate.sandbox.process.process_tree import resident_bytes

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that end a command take effect when the block is over.

    Python lets them loose in the main thread alone; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    former = {number: signal.getsignal(number) for number in _ENDING}
    heard = {number for number, handler in former.items() if callable(handler)}
    for number in heard:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, former[number])
        if came:
            signal.raise_signal(came[0])


MEBIBYTE = 1024 * 1024
MARK = "MERGEGATE_PROCESS_TREE"
"""Environment variable by which a process is known whose supervisor was killed."""
_LOOK_EVERY_S = 0.2
_MANY_FILES = 65_536


class Exceeded(EngineFailed):
    """It needed more memory, or wrote more, than it may: what it works on is too large."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a single engine process, its children included, may use."""

    timeout_s: float = 600.0
    memory_bytes: int = 1800 * MEBIBYTE
    """Resident memory of the process and all that it starts."""
    output_bytes: int = 512 * MEBIBYTE
    """Any single file it writes, standard output included."""
    tasks: int | None = None
    """Processes and threads that its account may have beyond those of now; the kernel sees to it,
    for others than root. None: as many as ours may."""


def cores() -> int:
    """How many we may use: those of our affinity, and no more than the container's quota."""
    affinity = getattr(os, "sched_getaffinity", None)  # Linux alone has it
    allowed = len(affinity(0)) if affinity else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        allowed = min(allowed, max(1, round(int(quota) / int(period))))
    return allowed


def allow_many_files() -> None:
    """Let this process have as many files open as it ever may; a usual shell says 1,024.

    A host holds a connection for each caller and four files for each child.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY_FILES if most == resource.RLIM_INFINITY else min(most, _MANY_FILES)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


@dataclass(frozen=True, slots=True)
class Completed:
    """How a process ended."""

    exit_code: int
    stdout: bytes
    stderr: bytes


def find_program(name: str) -> Path:
    """The program beside our own interpreter, else on PATH; raises EngineMissing."""
    beside = Path(sysconfig.get_path("scripts")) / name
    if beside.is_file():
        return beside
    found = shutil.which(name)
    if found is None:
        raise EngineMissing(f"{name} is not installed", remedy="Run `mergegate doctor`.")
    return Path(found)


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    limits: Limits = Limits(),
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    network: bool = False,
    own_rights: bool = False,
) -> Completed:
    """Run ``argv`` and wait for it; never through a shell.

    The environment holds PATH, HOME (``cwd``), a UTF-8 locale and ``environment`` alone.
    While we are root it runs as the owner of ``cwd``: engines' rooms belong to an account without
    rights, a repository to its owner. Without ``network`` it has none where the kernel allows.
    ``own_rights`` keeps ours, all of them: for an installer that we call, never for an engine.
    Raises EngineMissing, EngineTimeout, or EngineFailed on a limit. Any exit code is an answer.
    """
    with _holding(stdin) as given, _holding() as out, _holding() as err:
        started = time.monotonic()
        streams = (given, out, err)
        process: subprocess.Popen[bytes] | None = None
        try:
            with uninterrupted():
                process = start(
                    argv,
                    cwd,
                    limits,
                    environment,
                    streams,
                    network=network,
                    own_rights=own_rights,
                )
            _watch(process, limits, started)
        finally:
            if process:
                _kill_group(process)
        _refuse_signals(process.returncode)
        if process.returncode and _is_full(out):
            raise _no_room("No space left on device")
        return Completed(process.returncode, _all(out), _all(err))


def python_module(name: str) -> list[str]:
    """The start of an argv that runs an installed module in isolated mode."""
    return [sys.executable, "-I", "-X", "utf8", "-m", name]


Stream = IO[bytes] | int
"""A file, or ``subprocess.PIPE``."""


def start(
    argv: Sequence[str | Path],
    cwd: Path,
    limits: Limits,
    environment: Mapping[str, str] | None,
    streams: tuple[Stream, Stream, Stream],
    *,
    network: bool,
    own_rights: bool = False,
    supervisor: Sequence[str] = (),
    inherited: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start ``argv`` as :func:`run` does, leader of a session of its own, and leave it running.

    The caller sees to memory, time and the end. What ``supervisor`` starts with keeps our rights,
    and gets the file descriptors that are ``inherited``.
    """
    # For a path, `which` would ask access(2), which forgets what our account was let read.
    program = argv[0] if Path(argv[0]).is_file() else shutil.which(argv[0])
    if program is None:
        raise EngineMissing(f"{argv[0]} is not installed", remedy="Run `mergegate doctor`.")
    before = () if own_rights else _ready(cwd, limits, network)
    command = [*supervisor, *before, *map(str, (program, *argv[1:]))]
    variables = _environment(cwd) | dict(environment or {})
    try:
        process = subprocess.Popen(  # fixed argv, no shell
            command,
            cwd=cwd,
            env=variables,
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            start_new_session=True,
            pass_fds=inherited,
            bufsize=0,
        )
    except OSError as error:
        where = f" in {cwd}" if error.filename == str(cwd) else ""
        raise EngineFailed(f"{command[0]} could not be started{where}: {error.strerror}") from error
    _limit(process.pid, limits)
    return process


def _environment(home: Path) -> dict[str, str]:
    mark = {MARK: os.environ[MARK]} if MARK in os.environ else {}
    return mark | {
        "PATH": os.defpath,
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }


def _limit(pid: int, limits: Limits) -> None:
    """Cap files, core dumps and tasks from outside: no code runs between fork and exec."""
    ours = os.geteuid()
    if sys.platform != "linux":
        return
    # Gone when it has already ended, refused when it runs in a namespace of its own.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (limits.output_bytes, limits.output_bytes))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        # Root is never counted; and another account's limit, which is set by its prefix, may not be
        # one that goes beyond this.
        if ours != 0 and (most := _most_tasks(limits, ours)) is not None:
            resource.prlimit(pid, resource.RLIMIT_NPROC, (most, most))


def _most_tasks(limits: Limits, uid: int) -> int | None:
    """The limit as the kernel counts: all tasks of the account; never beyond our own limit."""
    if limits.tasks is None:
        return None
    _, ours = resource.getrlimit(resource.RLIMIT_NPROC)
    most = _tasks_of(uid) + limits.tasks
    return most if ours == resource.RLIM_INFINITY else min(most, ours)


def _tasks_of(uid: int) -> int:
    """Processes and threads of an account, as far as they can be seen from here."""
    found = 0
    for one in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if one.name.isdecimal() and one.stat().st_uid == uid:
                found += (one / "task").stat().st_nlink - 2
    return found


def _watch(process: subprocess.Popen[bytes], limits: Limits, started: float) -> None:
    while not _ended(process):
        if time.monotonic() - started > limits.timeout_s:
            raise EngineTimeout(f"it did not finish within {limits.timeout_s:.0f} s")
        used = resident_bytes(process.pid)
        if used > limits.memory_bytes:
            allowed = limits.memory_bytes // MEBIBYTE
            raise Exceeded(f"it used more than {allowed} MiB of memory")


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Wait for the process until the next check of its limits; whether it has ended.

    The kernel tells at once; ``Popen.wait`` asks it ever more rarely, which costs a short process
    half of its time again, and Git is asked for dozens of things in each scan.
    """
    with contextlib.suppress(OSError):  # an older kernel, or a sandbox that does not let us
        if sys.platform == "linux":
            with os.fdopen(os.pidfd_open(process.pid), "rb", buffering=0) as ending:
                watched = select.poll()
                watched.register(ending, select.POLLIN)
                if not watched.poll(_LOOK_EVERY_S * 1000):
                    return False
            process.wait()
            return True
    try:
        process.wait(timeout=_LOOK_EVERY_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the group has ended
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _refuse_signals(exit_code: int) -> None:
    if exit_code >= 0:
        return
    name = signal.Signals(-exit_code).name
    if name == "SIGXFSZ":
        raise Exceeded("it wrote more output than allowed")
    raise EngineFailed(f"it was ended by {name}")


@contextlib.contextmanager
def _holding(content: bytes = b"") -> Iterator[IO[bytes]]:
    """A nameless file for one standard stream: unlike a pipe it never blocks the engine."""
    with temporary_file() as file:
        try:
            file.write(content)
            file.seek(0)
        except OSError as error:
            raise _no_room(error.strerror) from error
        yield file


def temporary_file() -> IO[bytes]:
    """A file without a name, for the caller to close; raises EngineFailed where none can be."""
    try:
        return tempfile.TemporaryFile()
    except OSError as error:
        raise _no_room(error.strerror) from error


def _no_room(why: str | None) -> EngineFailed:
    return EngineFailed(
        f"no temporary file can be written: {why}",
        remedy="Name a folder that may be written to by TMPDIR, or mount one at /tmp.",
    )


def _is_full(file: IO[bytes]) -> bool:
    """Whether nothing can be written there any more, so that what a program said may be lost."""
    return os.fstatvfs(file.fileno()).f_bavail == 0


def _all(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _ready(cwd: Path, limits: Limits, network: bool) -> Prefix:
    """What stands before the program; what lies in ``cwd`` is given to the account it runs as."""
    account = account_for(cwd)
    prefix = confined(account, network)
    if account is None:
        return prefix
    if account == engines_account():
        hand_over(cwd, account)
        if not prefix:
            raise EngineMissing(
                "setpriv, by which engines give up the rights of root, does not work here",
                remedy="Install util-linux, or start Mergegate as another user.",
            )
    most = _most_tasks(limits, account.uid)
    return (*outer_limits(limits.output_bytes, most), *prefix)
