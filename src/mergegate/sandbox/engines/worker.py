"""A worker: a program of ours that answers for one thing after another, in a process with limits.

It writes one JSON line when it begins a thing, so that its starter knows which one it died
on, and one with its answer. Nothing it writes may hold a secret.
"""

import json
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TextIO, TypeVar

from mergegate.core.errors import EngineError, EngineFailed, EngineMissing
from mergegate.sandbox.files.stage import read_answers
from mergegate.sandbox.process import run
from mergegate.sandbox.process.run import Limits

T = TypeVar("T")


class OutOfTime(Exception):
    """The time for one thing is over."""


def answer_each(
    things: Iterable[T], answer: Callable[[T], dict[str, Any] | None], answers: Path
) -> None:
    """Write the ``answer`` to each of ``things`` as a line of ``answers``; None writes no line."""
    with answers.open("w", encoding="utf-8") as out:
        for number, thing in enumerate(things):
            _say(out, {"begun": number})
            told = answer(thing)
            if told is not None:
                _say(out, {"ended": number, **told})


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise OutOfTime in the main thread; regular expressions look for signals too."""
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def _give_up(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise OutOfTime


def _say(out: TextIO, line: dict[str, Any]) -> None:
    out.write(json.dumps(line) + "\n")
    out.flush()


def run_worker(
    module: str, job: Path, told: object, limits: Limits, *, name: str
) -> tuple[list[dict[str, Any]], EngineError | None]:
    """Start ``module`` with what it is ``told``; its lines, and why it ended early if it did.

    ``job`` is a free name in a private folder, ``name`` what messages call the worker. Raises
    EngineMissing when no process can be started, EngineFailed when a line is not JSON.
    """
    answers = job.with_suffix(".answers")
    job.write_text(json.dumps(told), encoding="utf-8")
    command: list[str | Path] = [*run.python_module(module), job, answers]
    death: EngineError | None = None
    try:
        completed = run.run(command, cwd=job.parent, limits=limits)
        if completed.exit_code:
            death = EngineFailed(f"{name} ended with exit code {completed.exit_code}")
    except EngineMissing:
        raise
    except EngineError as error:
        death = error
    return _lines(answers, name), death


def _lines(answers: Path, name: str) -> list[dict[str, Any]]:
    """The complete lines; a worker that was killed may leave half of one."""
    complete, _, _ = read_answers(answers).rpartition("\n")
    try:
        return [json.loads(line) for line in complete.split("\n") if line]
    except ValueError as error:
        whose = f"{name}'" if name.endswith("s") else f"{name}'s"
        raise EngineFailed(f"{whose} answer is not JSON") from error
