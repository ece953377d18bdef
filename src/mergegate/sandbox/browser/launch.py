"""Start Chromium, learn where it listens, and hand it out for as long as a scan lasts."""

import contextlib
import http.client
import json
import os
import re
import stat
import threading
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.errors import (
    EngineError,
    EngineExhausted,
    EngineFailed,
    EngineKilled,
    EngineTimeout,
)
from mergegate.sandbox.browser.find import NO_SANDBOX, NO_SHARED_MEMORY, executable, flags
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.process.account import engines_account
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.sandbox.process.supervised import SupervisedProcess, supervised

_PROFILE: Mapping[str, object] = tomllib.loads(
    Path(__file__).with_name("profile.toml").read_text("utf-8")
)


def write_profile(room: Path) -> None:
    """Write a profile into the empty ``room``."""
    (room / "Default").mkdir()
    for folder, file in ((room / "Default", "Preferences"), (room, "Local State")):
        (folder / file).write_text(json.dumps(_PROFILE[file]), encoding="ascii")


LIMITS = Limits(timeout_s=60, memory_bytes=2048 * MEBIBYTE, output_bytes=512 * MEBIBYTE)
"""Limits of Chromium with all its processes; ``timeout_s`` applies to its start."""
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - looked at, never written
_ENOUGH_SHARED_BYTES = 1024 * MEBIBYTE
_ENVIRONMENT = {
    # There is no desktop to talk to, and no one on it who might answer.
    "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    "DBUS_SYSTEM_BUS_ADDRESS": "disabled:",
    # The kernel takes no socket whose path is longer than 107 bytes, and Chromium aborts where its
    # own would be: it is told its working folder by a name that is short wherever that lies.
    "TMPDIR": ".",
}
_WHERE = re.compile(rb"([0-9]{1,5})\n(/devtools/browser/[0-9a-f-]{36})\s*")
_VERSION = re.compile(r"[A-Za-z]+/([0-9.]{1,40})")
_FATAL = ":FATAL:"
"""In the line with which Chromium aborts (Chromium, base/logging.h)."""
_MOST_BYTES = 64 * 1024
_LOOK_EVERY_S = 0.02
_refused = threading.Event()
"""Set once Chromium found no sandbox on this machine: the next one need not try."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chromium:
    """A running Chromium; made by :func:`chromium`."""

    process: SupervisedProcess
    """The process with all that it started."""
    room: Path
    """Its working folder, with its profile."""
    endpoint: str
    """``ws://127.0.0.1:…``: where Playwright and Puppeteer attach."""
    version: str
    """The browser's version, such as "Chromium 156.0.8078.79"."""
    way_out: str
    """Its proxy."""
    sandboxed: bool
    """Whether pages run in Chromium's sandbox."""

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.process.alive

    @property
    def fault(self) -> str:
        """Why we ended it or how it ended on its own; empty while all is well."""
        return self.process.fault

    def ends_within(self, seconds: float) -> bool:
        """Whether it has ended by then, or before."""
        return self.process.ends_within(seconds)

    def failure(self, what: str) -> EngineFailed:
        """``what`` as the error that says whose fault its end was, where that can be told."""
        return self.process.failure(what)


@contextlib.contextmanager
def chromium(
    proxy: str, room: Path, *, limits: Limits = LIMITS, extra: Sequence[str] = ()
) -> Iterator[Chromium]:
    """Chromium behind ``proxy`` (``Egress.url``), its profile in the empty ``room``.

    Ended with all its processes on leaving, and before when it exceeds ``limits.memory_bytes``.
    Open pages in contexts of their own: the first one writes to disk.
    Raises EngineMissing, EngineFailed when it does not start, EngineTimeout when it hangs doing so.
    """
    write_profile(room)
    given = (*flags(proxy, room, extra), *_for_memory())
    with contextlib.ExitStack() as held:
        yield _started(held, _Wanted(proxy, room, given, limits))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A Chromium to start."""

    proxy: str
    room: Path
    flags: tuple[str, ...]
    limits: Limits


def _started(held: contextlib.ExitStack, wanted: _Wanted) -> Chromium:
    """Start Chromium, with its sandbox where that is possible; a container may allow none."""
    if not _may_be_sandboxed():
        return _start(held, wanted, sandboxed=False)
    try:
        return _start(held, wanted, sandboxed=True)
    except (EngineExhausted, EngineKilled):
        raise  # that says nothing of the sandbox
    except EngineFailed:
        # It says so where it may make no namespaces, and aborts where these give it no rights.
        without = _start(held, wanted, sandboxed=False)
    _refused.set()
    return without


def _may_be_sandboxed() -> bool:
    """Chromium refuses root its sandbox; an account that engines get is as good as any."""
    is_root = os.geteuid() == 0 and engines_account() is None
    return not is_root and not _refused.is_set()


def _for_memory() -> tuple[str, ...]:
    """A container gives /dev/shm 64 MiB, on which Chromium's renderers crash.

    In a changed root it may be missing, or root's alone: then Chromium would not start.
    """
    try:
        held, mode = os.statvfs(_SHARED_MEMORY), _SHARED_MEMORY.stat().st_mode
    except OSError:
        return (NO_SHARED_MEMORY,)
    is_enough = held.f_bavail * held.f_frsize > _ENOUGH_SHARED_BYTES
    return () if is_enough and mode & stat.S_IWOTH else (NO_SHARED_MEMORY,)


def _start(held: contextlib.ExitStack, wanted: _Wanted, *, sandboxed: bool) -> Chromium:
    """It goes with ``held``; at once when it does not come up."""
    note = wanted.room / "DevToolsActivePort"
    note.unlink(missing_ok=True)  # one that failed may have left it, and its port to somebody else
    with contextlib.ExitStack() as trying:
        running = trying.enter_context(
            supervised(
                [executable(), *wanted.flags, *(() if sandboxed else (NO_SANDBOX,))],
                cwd=wanted.room,
                limits=wanted.limits,
                environment=_ENVIRONMENT,
                network=True,
                answers=False,
            )
        )
        deadline = time.monotonic() + wanted.limits.timeout_s
        port, path = _listening(running, note, deadline)
        version = _version(running, port, deadline)
        held.push(trying.pop_all())
    return Chromium(
        process=running,
        room=wanted.room,
        endpoint=f"ws://127.0.0.1:{port}{path}",
        version=version,
        way_out=wanted.proxy,
        sandboxed=sandboxed,
    )


def _listening(running: SupervisedProcess, note: Path, deadline: float) -> tuple[int, str]:
    """The port and path that Chromium writes down once it listens."""
    while True:
        if not running.alive:
            raise running.failure(f"Chromium did not start: {_last_words(running)}")
        # It is not there yet, or half written.
        with contextlib.suppress(OSError):
            if found := _WHERE.fullmatch(read_regular(note, _MOST_BYTES)):
                return int(found[1]), found[2].decode("ascii")
        if time.monotonic() > deadline:
            raise EngineTimeout(f"Chromium did not start in time: {_last_words(running)}")
        time.sleep(_LOOK_EVERY_S)


def _version(running: SupervisedProcess, port: int, deadline: float) -> str:
    patience = max(0.1, deadline - time.monotonic())
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        connection.request("GET", "/json/version")
        told = json.loads(connection.getresponse().read(_MOST_BYTES))
        found = _VERSION.fullmatch(str(told["Browser"]))
    except TimeoutError as error:
        raise EngineTimeout("Chromium listens but does not answer") from error
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        raise _silent(running) from error
    finally:
        connection.close()
    if found is None:
        raise _silent(running)
    return f"Chromium {found[1]}"


def _silent(running: SupervisedProcess) -> EngineError:
    return running.failure(f"Chromium gives no version: {_last_words(running)}")


def _last_words(running: SupervisedProcess) -> str:
    """How it ended, and why by its standard error; what is not plain ASCII as ``?``.

    That is what it calls fatal, else its last line: what notes a crash speaks after the crash.
    """
    lines = [line for line in running.complaints().splitlines() if line.strip()]
    fatal = (line for line in lines if _FATAL in line)
    said = next(fatal, lines[-1] if lines else "")
    plain = re.sub(r"[^ -~]", "?", said)[:300].replace("::", ": :").replace("##[", "# #[")
    return "; ".join(part for part in (running.fault, plain.strip()) if part) or "it said nothing"
