"""Errors of a database as errors of ours: no statement and no value of it is told."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa

from mergegate.core.errors import StoreError

_REACH = "Check that the database runs and that MERGEGATE_DATABASE_URL names it."
_MIGRATE = "Start `mergegate serve` once: it makes and renews the tables."
_AGAIN = "Try again: others are using it."
_REMEDIES = (
    (("disk is full", "no space left", "could not extend file", "diskfull"), "Free disk space."),
    (("no such table", "no such column", "undefinedtable", "undefinedcolumn"), _MIGRATE),
    (("database is locked", "lock timeout", "too many"), _AGAIN),
    (("readonly", "read-only"), "Let this account write the database."),
    (("not a database", "malformed"), "Restore the file from a backup."),
    (("unable to open",), "Check that the file's folder exists and may be written."),
    (("disk i/o error",), "Check the disk that holds the database."),
)
_CALLERS = (sa.exc.IntegrityError, sa.exc.DataError)
"""The database works; what it was asked is wrong."""


class DatabaseUnavailable(StoreError):
    """The database is away, full or busy: the same may be asked again later."""


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raises DatabaseUnavailable for errors of the database; errors of its caller pass through."""
    try:
        yield
    except _CALLERS:
        raise
    except sa.exc.TimeoutError as error:
        raise DatabaseUnavailable(
            "every connection to the database is in use", remedy=_AGAIN
        ) from error
    except TimeoutError as error:
        raise DatabaseUnavailable("the database does not answer in time", remedy=_REACH) from error
    except sa.exc.DBAPIError as error:
        raise _unavailable(error.orig or error) from error
    except (sqlite3.Error, psycopg.Error) as error:
        raise _unavailable(error) from error


def drop_read_only(context: sa.ExceptionContext) -> None:
    """Close sessions in which nothing can be written; an engine's ``handle_error`` listener.

    After a failover, or while an operator forbids changes, they would stay so for ever; a new one
    finds out how it stands.
    """
    if isinstance(context.original_exception, psycopg.errors.ReadOnlySqlTransaction):
        context.is_disconnect = True


def _unavailable(error: BaseException) -> DatabaseUnavailable:
    said = " ".join(str(error).split("\n")[0].split())
    known = f"{type(error).__name__} {said}".lower()
    remedy = next((remedy for signs, remedy in _REMEDIES if any(s in known for s in signs)), _REACH)
    return DatabaseUnavailable(f"the database refused: {said}", remedy=remedy)
