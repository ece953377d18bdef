"""``python -m mergegate.host.runner.slot``, each of whose orders is carried out by a fork of it.

``forking.py``, standard input and output as there. Whoever asks finds no difference but that the
libraries are loaded once: a fork has run nothing before its order, and all that it leaves in its
folder goes when it ends.
"""

import gc
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO

from mergegate.core.plans import Tool
from mergegate.host.runner.slot.__main__ import main as answer
from mergegate.host.runner.slot.tools import HANDLERS

_TESTS = str(Path(__file__).parents[3])
_loaded: set[str] = set()


def main() -> None:
    """Answer until standard input ends."""
    for line in sys.stdin.buffer:
        _load(line)
        with _file(line) as order, _file() as answers:
            _carry_out(order, answers)
            answers.seek(0)
            shutil.copyfileobj(answers, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _load(line: bytes) -> None:
    order = json.loads(line)
    what = str(order.get("tool") or order.get("order"))
    if what in _loaded:
        return
    _loaded.add(what)
    sys.path.append(_TESTS)
    from tests import ready  # noqa: PLC0415 - a fork finds none of the tests

    known = {
        "console": ("mergegate.host.runner.slot.console",),
        Tool.REPOSITORY: (HANDLERS[Tool.REPOSITORY], *ready.SCAN),
        Tool.CHANGE: (HANDLERS[Tool.CHANGE], *ready.ANSWERS),
        **{tool: (HANDLERS[Tool(tool)], *names) for tool, names in ready.SITES.items()},
    }
    ready.load(known.get(what, ()))
    sys.path.remove(_TESTS)
    gc.freeze()


def _file(content: bytes = b"") -> IO[bytes]:
    file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - the caller closes it
    file.write(content)
    file.seek(0)
    return file


def _carry_out(order: IO[bytes], answers: IO[bytes]) -> None:
    child = os.fork()
    if child == 0:
        _become(order, answers)
    _, status = os.waitpid(child, 0)
    _end_as(os.waitstatus_to_exitcode(status))
    for one in Path().iterdir():
        shutil.rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()


def _end_as(code: int) -> None:
    """As the fork did, unless that was well."""
    if code < 0:
        os.kill(os.getpid(), -code)
    if code:
        sys.exit(code)


def _become(order: IO[bytes], answers: IO[bytes]) -> None:
    """Never returns."""
    for number, file in enumerate((order, answers)):
        os.dup2(file.fileno(), number)
    sys.stdin = os.fdopen(0)
    answer()
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
