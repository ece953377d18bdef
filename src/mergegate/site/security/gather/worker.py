"""Searches texts in a process of its own: ``python -m mergegate.site.security.gather.worker``.

Takes a job and a file for answers. Nothing it writes holds a secret: reasons are our own words.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mergegate.sandbox.engines.worker import OutOfTime, answer_each, time_limit
from mergegate.site.security.gather.exposures import exposures
from mergegate.site.security.gather.libraries import in_text

TEXT_SECONDS = 8
"""The time for secrets, and again for libraries; five megabytes take two seconds."""


def main(job: Path, answers: Path) -> None:
    """Answer for every text that ``job`` lists."""
    told = json.loads(job.read_text(encoding="utf-8"))
    answer_each(told["texts"], lambda text: _answer(text, told["now"]), answers)


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
        with time_limit(TEXT_SECONDS):
            return search()
    except OutOfTime:
        problems.append(f"searching it for {what} took more than {TEXT_SECONDS} s")
    except Exception as error:  # the message may quote the text, the type cannot
        problems.append(f"searching it for {what} failed: {type(error).__name__}")
    return []


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
