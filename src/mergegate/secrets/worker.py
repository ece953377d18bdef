"""Scans files in a process of its own: ``python -m mergegate.secrets.worker JOB ANSWERS``.

Writes one JSON line when it begins a file, so that whoever started it knows which one it died on,
and one with what it found or why it could not look; most files hold nothing and have no second
line. Nothing it writes holds a secret: reasons are names of error types.
"""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from mergegate.sandbox.files.stage import read_regular, same_bytes
from mergegate.secrets.scan import LARGEST_BYTES, scan

FILE_SECONDS = 30
"""A file that takes longer is given up; Django's whole tree takes three."""
_NOTHING_FOUND = {"answer": {"matches": ()}}


class OutOfTime(Exception):
    """The file's time is over."""


def main(job: Path, answers: Path) -> None:
    """Answer for every file that ``job`` lists."""
    with answers.open("w", encoding="utf-8") as out:
        for number, file in enumerate(json.loads(job.read_text(encoding="utf-8"))):
            _say(out, {"begun": number})
            answer = _answer(file)
            if answer != _NOTHING_FOUND:
                _say(out, {"ended": number, **answer})


def _answer(file: dict[str, Any]) -> dict[str, Any]:
    try:
        with _time_limit(FILE_SECONDS):
            data = _read(Path(file["path"]), file["digest"], file["size"])
            found = asdict(scan(data, file["suffix"]))
    except OutOfTime:
        return {"problem": f"searching it for secrets took more than {FILE_SECONDS} s"}
    except Exception as error:  # the message may quote the file, the type cannot
        return {"problem": f"searching it for secrets failed: {type(error).__name__}"}
    answer: dict[str, Any] = {"answer": found}
    if len(data) > LARGEST_BYTES:
        answer["problem"] = f"only its first {LARGEST_BYTES >> 20} MiB were searched for secrets"
    return answer


def _read(path: Path, digest: str, size: int) -> bytes:
    """All of a file of usual size, verified; the beginning of a larger one."""
    if size > LARGEST_BYTES:
        return read_regular(path, LARGEST_BYTES + 1)
    return same_bytes(path, digest, size)


@contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
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


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
