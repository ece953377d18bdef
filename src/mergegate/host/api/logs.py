"""Logs as JSON lines on standard error: ours, and what libraries log, in one form."""

import logging
import sys
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

QUIET = ("uvicorn.access", "httpx", "httpcore", "alembic")
"""Their lines hold addresses, and these hold branches and tokens."""
"""Libraries that log every step, some of them with addresses."""
_FIELDS = ("scan_id", "account_id", "tool", "code", "scheduled", "seconds")
"""What our own lines bring beside their text where they go by Python's logging."""
_SHARED: tuple[Processor, ...] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper("%Y-%m-%dT%H:%M:%S.%fZ"),
    structlog.processors.format_exc_info,
)
"""For our own lines, and for those of libraries."""


def _applicable(_: object, __: str, event: EventDict) -> EventDict:
    """Leave out the fields that do not apply."""
    return {name: value for name, value in event.items() if value is not None}


_WRITTEN: tuple[Processor, ...] = (
    _applicable,
    structlog.processors.JSONRenderer(default=repr),
)


def configure() -> None:
    """Set logging up, once a process. No body, query, key or token is ever logged."""
    structlog.configure(
        processors=[*_SHARED, *_WRITTEN],
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", Unfailing())),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=(*_SHARED, structlog.stdlib.ExtraAdder(_FIELDS)),
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_WRITTEN],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


class Unfailing:
    """Standard error as a stream that never fails: a full or closed log loses lines alone."""

    @staticmethod
    def write(text: str) -> None:
        """Write ``text``, if that is possible."""
        try:
            sys.stderr.write(text)
        except (OSError, ValueError, AttributeError):  # full; closed; none there from the start
            return

    @staticmethod
    def flush() -> None:
        """Do nothing: standard error flushes each line by itself."""
