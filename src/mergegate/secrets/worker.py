"""Scans files in a process of its own: ``python -m mergegate.secrets.worker JOB ANSWERS``.

Its answers say what a file holds or why it could not look; most files hold nothing and have no
answer. Nothing it writes holds a secret: reasons are names of error types.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mergegate.sandbox.engines.worker import OutOfTime, answer_each, time_limit
from mergegate.sandbox.files.stage import read_regular, same_bytes
from mergegate.secrets.found import FileSecrets
from mergegate.secrets.scan import LARGEST_BYTES, scan

FILE_SECONDS = 30
"""A file that takes longer is given up; Django's whole tree takes three."""
_NOTHING_FOUND = {"answer": asdict(FileSecrets())}


def main(job: Path, answers: Path) -> None:
    """Answer for every file that ``job`` lists."""
    answer_each(json.loads(job.read_text(encoding="utf-8")), _told, answers)


def _told(file: dict[str, Any]) -> dict[str, Any] | None:
    answer = _answer(file)
    return None if answer == _NOTHING_FOUND else answer


def _answer(file: dict[str, Any]) -> dict[str, Any]:
    try:
        with time_limit(FILE_SECONDS):
            data = _read(Path(file["path"]), file["digest"], file["size"])
            found = scan(data, file["suffix"])
    except OutOfTime:
        return {"problem": f"searching it for secrets took more than {FILE_SECONDS} s"}
    except Exception as error:  # the message may quote the file, the type cannot
        return {"problem": f"searching it for secrets failed: {type(error).__name__}"}
    answer: dict[str, Any] = {"answer": asdict(found)}
    return answer | ({"problem": found.limit} if found.limit else {})


def _read(path: Path, digest: str, size: int) -> bytes:
    """All of a file of usual size, verified; the beginning of a larger one."""
    if size > LARGEST_BYTES:
        return read_regular(path, LARGEST_BYTES + 1)
    return same_bytes(path, digest, size)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
