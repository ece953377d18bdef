"""Open a file of a hostile tree: never a link, never a pipe, never other bytes than were listed."""

import hashlib
import os
import stat
from pathlib import Path

from mergegate.core.errors import EngineFailed

LARGEST_ANSWER_BYTES = 512 * 1024 * 1024


def read_regular(location: Path, most: int) -> bytes:
    """Up to ``most`` bytes of a regular file; never follows a link, never waits on a pipe."""
    descriptor = os.open(location, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file")
        return file.read(most)


def read_answers(location: Path) -> str:
    """What an engine wrote for us; empty when there is no such file. Raises EngineFailed.

    The engine owns the folder: a link to something of ours must not be mistaken for an answer.
    """
    try:
        return read_regular(location, LARGEST_ANSWER_BYTES).decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise EngineFailed("the engine's answer is no readable file") from error


def same_bytes(location: Path, digest: str, size: int) -> bytes:
    """The bytes that were listed; raises EngineFailed when the file has changed since."""
    content = read_regular(location, size + 1)
    if hashlib.sha256(content).hexdigest() != digest:
        raise EngineFailed("the file changed during the scan", remedy="Scan again.")
    return content
