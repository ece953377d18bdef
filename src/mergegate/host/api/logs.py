"""Logs as JSON lines on standard error: ours, and what libraries log, in one form."""

import json
import logging
import sys
import time
from functools import lru_cache
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

_QUIET = ("uvicorn.access", "httpx", "httpcore", "alembic")
"""They tell of every step, some with addresses."""
_ENCODE = json.JSONEncoder(default=repr).encode
_LEVELS = {"warn": "warning", "exception": "error"}
"""Methods that are not called as their level is."""


def configure() -> None:
    """Once a process. Nothing logs a value: no body, query, key or token reaches a line."""
    structlog.configure(
        processors=[*_shared(), *_written()],
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", Unfailing())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_shared(),
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_written()],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def line(event: str, **fields: object) -> None:
    """One line, past structlog, which takes three times as long: for what every request writes."""
    Unfailing.write(f"{_as_json(None, '', _marked(None, 'info', {'event': event, **fields}))}\n")


class Unfailing:
    """Standard error, which ends each line by itself; what it cannot take is lost.

    Nothing fails because its log is full or gone.
    """

    @staticmethod
    def write(text: str) -> None:
        """As of a stream."""
        try:
            sys.stderr.write(text)
        except (OSError, ValueError, AttributeError):  # full; closed; none there from the start
            return

    @staticmethod
    def flush() -> None:
        """As of a stream."""


def _shared() -> list[Processor]:
    return [_marked, structlog.processors.format_exc_info]


def _written() -> list[Processor]:
    return [_as_json]


def _marked(_: object, method: str, event: EventDict) -> EventDict:
    """structlog's own two take twice as long, and a line is written for every request."""
    event["level"] = _LEVELS.get(method, method)
    now_s = time.time()
    event["timestamp"] = f"{_second(int(now_s))}.{int(now_s % 1 * 1_000_000):06}Z"
    return event


@lru_cache(2)
def _second(since_1970: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(since_1970))


def _as_json(_: object, __: str, event: EventDict) -> str:
    """A field that does not apply is left out."""
    return _ENCODE({name: value for name, value in event.items() if value is not None})
