"""Commands that need not load their libraries anew.

Each is forked from a process that has loaded what the command loads and has run nothing of it: a
process like any other, with streams, a memory, signals and an end of its own. It does not show
what an interpreter decides when it starts, such as the order of sets, what goes wrong when one is
taken down, nor that something is not loaded where it is needed: for that a command is started.
"""

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple, NoReturn

PROGRAM = str(Path(sys.executable).with_name("mergegate"))
LONGEST_S = 300
SCAN = (
    "mergegate.repo.checks:all_rules",  # found by loading them, and there are thousands
    "mergegate.repo.rules:catalogue",
    "mergegate.repo.rules:gate_table",
    "mergegate.repo.rules.history:history",
    "mergegate.repo.infrastructure:subjects",
    "mergegate.repo.fixes.recipe:recipes",
    "mergegate.repo.fixes.mending",
    "mergegate.repo.engines.files",
    "mergegate.repo.cache",
    "mergegate.repo.report.console",
    "mergegate.repo.wire.reading",
    "mergegate.packages.readers.python_locks",
    "mergegate.repo.engines.dependencies",
    "detect_secrets.plugins.keyword",
    "tests.ready:compiled",
)
REPORTS = (
    "mergegate.core.render.templates:markdown",
    "mergegate.core.render.templates:html",
    "mergegate.repo.wire.reading",
    "mergegate.repo.report.html",
    "mergegate.repo.report.sarif",
)
ANSWERS = (
    *REPORTS,
    "httpcore",  # httpx loads it when it is first asked for something
    *(
        f"mergegate.forges.{name}.{part}"
        for name in ("github", "gitlab", "bitbucket")
        for part in ("environment", "forge")
    ),
    "mergegate.ci.orders",
    "tests.ready:compiled",
)
"""What an answer to a change takes."""
_REPOSITORIES = (
    *(
        f"mergegate.cli.{name}"
        for name in ("scan", "lsp", "verdict", "rules", "init", "doctor", "advisories")
    ),
    "mergegate.ci.job",
    "mergegate.ci.publish",
    "mergegate.ci.remote",
    *SCAN,
    *ANSWERS,
    "mergegate.repo.attestation",
    "mergegate.site.manual",
    "mergegate.ci.upgrades",
    "mergegate.repo.fixes.application",
    "mergegate.repo.fixes.manifests",
    "mergegate.repo.imported.results",
)
"""What commands about repositories load, jobs of a pipeline most of all: they are one process."""
SITES = {
    tool: (f"mergegate.site.{name}.tools", f"mergegate.site.{name}.wire.result")
    for tool, name in (
        ("audit", "audit"),
        ("browser-test", "browser_test"),
        ("security-scan", "security"),
        ("seo", "seo"),
    )
}
_SITES = (
    *(module for modules in SITES.values() for module in modules),
    *(f"mergegate.cli.{tool.replace('-', '_')}" for tool in SITES),
)
LOADED: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(
        ("scan", "fix", "lsp", "ci", "publish", "replay", "verify", "rules", "explain", "policy"),
        _REPOSITORIES,
    ),
    **dict.fromkeys(("init", "doctor", "advisories"), _REPOSITORIES),
    **dict.fromkeys(SITES, _SITES),
}
"""Command → the modules that nearly every run of it loads, and after a colon what it reads once.

No thread is started: a fork would lose it.
"""
_MAIN = "from tests.ready import main; main()"
_ROOT = Path(__file__).parents[1]
_STREAMS = 3
"""Standard input, output and errors."""
_INTERPRETERS = ("PYTHON", "LANG", "LC_")
"""How variables begin that one reads when it starts."""


class Order(NamedTuple):
    """A command to run."""

    command: Sequence[str]
    """The program, one of ``LOADED``, and what else it is given."""
    environment: Mapping[str, str]
    folder: str


class _Loaded(NamedTuple):
    process: subprocess.Popen[bytes]
    channel: socket.socket


class Ended(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    """Minus the signal's number where a signal ended it."""
    out: str
    err: str


def started(order: Order) -> Ended:
    """From an interpreter of its own, as a shell starts it."""
    done = subprocess.run(
        order.command,
        cwd=order.folder,
        env=order.environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def start(order: Order, streams: tuple[int, int, int]) -> Callable[[], int]:
    """As :func:`fork`, from an interpreter of its own."""
    given, out, err = streams
    process = subprocess.Popen(
        order.command, cwd=order.folder, env=order.environment, stdin=given, stdout=out, stderr=err
    )
    return process.wait


def forked(order: Order) -> Ended:
    """From a process that has loaded it; started where that would not be the same."""
    name = next(iter(order.command[1:]), "")
    if name not in LOADED or any(one.startswith(_INTERPRETERS) for one in order.environment):
        return started(order)
    (out, to_out), (err, to_err) = os.pipe(), os.pipe()
    with open(os.devnull) as nothing:
        wait = fork(order, (nothing.fileno(), to_out, to_err))
    os.close(to_out)
    os.close(to_err)
    with ThreadPoolExecutor() as readers:
        said = list(readers.map(_all, (out, err)))
    return Ended(wait(), *said)


def fork(order: Order, streams: tuple[int, int, int]) -> Callable[[], int]:
    """Begin it with these files as its standard streams; the result waits for how it ends."""
    end, to_end = os.pipe()
    with tempfile.TemporaryFile() as written:
        written.write(json.dumps(order).encode())
        written.flush()
        channel = _loaded(LOADED[order.command[1]]).channel
        socket.send_fds(channel, [b"."], [written.fileno(), *streams, to_end])
    os.close(to_end)
    return lambda: int(_all(end))


def _all(way: int) -> str:
    with open(way, encoding="utf-8") as file:
        return file.read()


@cache
def _loaded(names: Sequence[str]) -> _Loaded:
    """The process that becomes commands with these; it goes when the tests do."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", _MAIN, str(theirs.fileno()), *names],
            cwd=_ROOT,
            env={},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # else it would count as a terminal where ours is one
            pass_fds=(theirs.fileno(),),
        )
    return _Loaded(process, ours)


def load(names: Iterable[str]) -> None:
    """Load modules, and call what is named in them."""
    for found in map(resolve_name, names):
        if callable(found):
            found()


def compiled() -> None:
    """Have the patterns compiled by which lines are masked, and files told apart."""
    from mergegate.core.roles.places import areas  # noqa: PLC0415
    from mergegate.secrets.mask import mask_line  # noqa: PLC0415

    areas({"any": ""})
    mask_line("any")


def main() -> None:
    """Load what is named; then, in a fork for each order, be a command with it."""
    _, number, *names = sys.argv
    channel = socket.socket(fileno=int(number))
    sys.path[0] = str(Path(PROGRAM).parent)  # as a script finds it, and none of the tests
    from mergegate.cli.main import run as command  # noqa: PLC0415

    load(names)
    gc.freeze()
    given = _ordered(channel)
    channel.detach()  # its number is closed, and is soon that of another file
    _become(given)
    try:
        command()
    except SystemExit as ended:
        _leave(ended.code)
    _leave(None)


def _leave(code: str | int | None) -> NoReturn:
    """End as an interpreter does, but for taking down what was loaded, page by shared page."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code if isinstance(code, int) else code is not None)


def _ordered(channel: socket.socket) -> list[int]:
    """Returns in forks alone: the files with the order and its standard streams."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who attend
    while True:
        said, given, _, _ = socket.recv_fds(channel, 1, 1 + _STREAMS + 1)
        if not said:
            sys.exit()  # the tests are over
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _attend(given.pop())
            return given
        for file in given:
            os.close(file)


def _attend(end: int) -> None:
    """Returns in a fork; its parent tells by ``end`` how that ended, and ends it if need be."""
    child = os.fork()
    if child == 0:
        return
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(LONGEST_S)
    _, status = os.waitpid(child, 0)
    os.write(end, b"%d" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(given: list[int]) -> None:
    """What the interpreter would find when the command is started."""
    told, *streams = given
    with open(told, encoding="utf-8") as file:
        file.seek(0)
        order = Order(*json.load(file))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(_STREAMS, os.sysconf("SC_OPEN_MAX"))
    os.chdir(order.folder)
    os.environ.update(order.environment)
    sys.argv = list(order.command)
