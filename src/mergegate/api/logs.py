"""Logs as JSON lines on standard error: ours, and what libraries log, in one form."""

import json
import logging
import sys

import structlog
from structlog.typing import EventDict, Processor

_QUIET = ("uvicorn.access", "httpx", "httpcore", "alembic", "dbos")
"""They tell of every step, some with addresses."""
_ENCODE = json.JSONEncoder(default=repr).encode


def configure() -> None:
    """Once a process. Nothing logs a value: no body, query, key or token reaches a line."""
    structlog.configure(
        processors=[*_shared(), *_written()],
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
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


def _shared() -> list[Processor]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]


def _written() -> list[Processor]:
    return [_without_nothing, structlog.processors.JSONRenderer(serializer=_json)]


def _json(event: object, **_: object) -> str:
    """``json.dumps`` would build its encoder anew for every line."""
    return _ENCODE(event)


def _without_nothing(_: object, __: str, event: EventDict) -> EventDict:
    """A field that does not apply is left out."""
    return {name: value for name, value in event.items() if value is not None}
