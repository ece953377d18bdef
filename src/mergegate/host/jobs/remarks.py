"""What a library remarks while the database is away: a line each, and not again and again."""

import logging
import re
import threading
import time
from collections.abc import Callable

_PAUSE_S = 30.0
_MOST_KNOWN = 200
_LONGEST = 300
_STACK = "Traceback (most recent call last):"
_ERROR = re.compile(r"^[A-Za-z_][\w.]*: .*", re.MULTILINE)
"""The line below a stack that says what happened."""


class Remarks(logging.Filter):
    """Of a logger whose library tells of each attempt, with statement and stack.

    An outage of a minute would fill thousands of lines, in which ours, that say what to do, drown.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """The first line, unless it was said within half a minute."""
        text = _first_line(record)
        record.msg, record.args = text, ()
        record.exc_info = record.exc_text = record.stack_info = None
        return self._is_new(text)

    def _is_new(self, text: str) -> bool:
        with self._lock:
            now = self._clock()
            if now - self._said.get(text, -_PAUSE_S) < _PAUSE_S:
                return False
            if len(self._said) >= _MOST_KNOWN:
                self._said.clear()
            self._said[text] = now
            return True


def _first_line(record: logging.LogRecord) -> str:
    """With the error that came along, which the words alone often leave out."""
    said = record.getMessage().strip()
    if _STACK in said:
        said, _, stack = said.partition(_STACK)
        found = _ERROR.search(stack)
        return _line(f"{said.strip()} {found.group() if found else ''}")
    error = record.exc_info[1] if record.exc_info else None
    return _line(f"{_line(said)} {type(error).__name__}: {error}" if error else said)


def _line(text: str) -> str:
    return text.strip().split("\n")[0][:_LONGEST]
