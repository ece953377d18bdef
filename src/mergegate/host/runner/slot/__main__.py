"""Started by a worker: orders in, answers out; whatever a scan ends with becomes one line."""

import os
import resource
import sys
import traceback
from contextlib import ExitStack, suppress
from typing import IO

from mergegate.core.errors import MergegateError
from mergegate.core.render.failures import INTERNAL, failed
from mergegate.host.order import HELLO, ConsoleQuestion, Order, answer, order_in
from mergegate.host.scan import Done, Outcome
from mergegate.sandbox.git.clone import Wanted, fetch
from mergegate.sandbox.process.deny_ptrace import deny_ptrace

_MOST_FILES = 4096
"""Open at a time, in each process."""


def main() -> None:
    """Answer until standard input ends."""
    answers = _own_answers()
    _limit()
    with ExitStack() as held:
        for line in sys.stdin.buffer:
            answers.write(answer(_outcome(line, held)) + b"\n")
            answers.flush()


def _outcome(line: bytes, held: ExitStack) -> Outcome:
    if line.strip() == HELLO:
        return Done("")
    try:
        return _carried_out(order_in(line), held)
    except MergegateError as error:
        outcome = failed(error)
        if outcome == INTERNAL:
            print(f"{type(error).__name__}: {error.what}", file=sys.stderr)
        return outcome
    except Exception:
        traceback.print_exc()
        return INTERNAL


def _carried_out(order: Order, held: ExitStack) -> Outcome:
    if isinstance(order, Wanted):
        deny_ptrace()  # it holds a token
        fetch(order)
        return Done("")
    if isinstance(order, ConsoleQuestion):
        deny_ptrace()
        from mergegate.host.runner.slot.console import answered  # noqa: PLC0415

        return answered(order)
    from mergegate.host.runner.slot.tools import carried_out  # noqa: PLC0415 - a fetch does without

    return carried_out(order, held)


def _own_answers() -> IO[bytes]:
    """Standard output, which from now on nobody else in this process writes to."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _limit() -> None:
    """For us and all that we start; some containers have lower limits that cannot be raised."""
    for what, most in ((resource.RLIMIT_NOFILE, _MOST_FILES), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
