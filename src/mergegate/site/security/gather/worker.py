"""Searches texts in a process of its own: ``python -m mergegate.site.security.gather.worker``.

Takes a job and a file for answers. Writes one JSON line when it begins a text, so that whoever
started it knows which one it died on, and one with what it found. Nothing it writes holds a secret:
reasons are our own words.
"""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from mergegate.site.security.gather.exposures import exposures
from mergegate.site.security.gather.libraries import in_text

TEXT_SECONDS = 8
"""For secrets, and again for libraries; five megabytes take two."""


class OutOfTime(Exception):
    """The text's time is over."""


def main(job: Path, answers: Path) -> None:
    """Answer for every text that ``job`` lists."""
    told = json.loads(job.read_text(encoding="utf-8"))
    with answers.open("w", encoding="utf-8") as out:
        for number, text in enumerate(told["texts"]):
            _say(out, {"begun": number})
            _say(out, {"ended": number, **_answer(text, told["now"])})


def _answer(text: dict[str, Any], now: float) -> dict[str, Any]:
    data = Path(text["path"]).read_bytes()
    problems: list[str] = []
    found = _in_time(lambda: [*exposures(data, text["suffix"], now)], "secrets", problems)
    libraries: list[Any] = []
    if text["libraries"]:
        content = data.decode("utf-8", "replace")
        libraries = _in_time(lambda: [*in_text(content)], "libraries", problems)
    return {"secrets": [asdict(one) for one in found], "libraries": libraries, "problems": problems}


def _in_time(search: Callable[[], list[Any]], what: str, problems: list[str]) -> list[Any]:
    try:
        with _time_limit():
            return search()
    except OutOfTime:
        problems.append(f"searching it for {what} took more than {TEXT_SECONDS} s")
    except Exception as error:  # the message may quote the text, the type cannot
        problems.append(f"searching it for {what} failed: {type(error).__name__}")
    return []


@contextmanager
def _time_limit() -> Iterator[None]:
    """Raise OutOfTime in the main thread; regular expressions look for signals too."""
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(TEXT_SECONDS)
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
