"""What DBOS says of an outage."""

import logging

import pytest

from mergegate.host.jobs.remarks import Remarks

STATEMENT = (
    "(psycopg.OperationalError) it is gone\n[SQL: SELECT 1]\n(Background on this error at …)"
)
STACK = (
    "Traceback (most recent call last):\n  File x\npsycopg.OperationalError: it is gone\n\nabove\n"
)


@pytest.fixture
def now() -> list[float]:
    return [100.0]


@pytest.fixture
def logger(now: list[float]) -> logging.Logger:
    made = logging.Logger("library")
    made.addFilter(Remarks(lambda: now[0]))
    return made


@pytest.fixture
def told(logger: logging.Logger) -> list[str]:
    lines: list[str] = []

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    logger.addHandler(Told())
    return lines


def test_a_statement_and_its_stack_come_to_one_line(
    logger: logging.Logger, told: list[str]
) -> None:
    logger.warning("No queue: %s", STATEMENT)
    logger.warning("Polling: " + STACK)
    try:
        raise OSError("gone\nfor good")
    except OSError:
        logger.exception("A workflow failed:\nso it is")
    assert told == [
        "No queue: (psycopg.OperationalError) it is gone",
        "Polling: psycopg.OperationalError: it is gone",
        "A workflow failed: OSError: gone",
    ]


def test_the_same_is_said_again_after_a_while_alone(
    logger: logging.Logger, told: list[str], now: list[float]
) -> None:
    for pause_s in (0, 29, 2, 1):
        now[0] += pause_s
        logger.warning("No queue: %s", STATEMENT)
    assert len(told) == 2


def test_what_is_kept_in_mind_has_a_limit(logger: logging.Logger, told: list[str]) -> None:
    for number in range(1000):
        logger.warning("No scan %s", number)
    (remarks,) = logger.filters
    assert isinstance(remarks, Remarks)
    assert len(remarks._said) <= 200
    assert len(told) == 1000
