"""Which database a URL names, and how its drivers are spoken to."""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.conninfo import make_conninfo

from mergegate.core.errors import StoreError, UsageError

BUSY_S = 15
"""How long SQLite waits for another process's change to end."""
_CONNECT_S = 5
_POSTGRESQL = frozenset({"postgresql", "postgres", "postgresql+psycopg"})
_DETECTED_SOON: Mapping[str, str] = {
    "application_name": "mergegate",
    "connect_timeout": str(_CONNECT_S),
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",  # milliseconds
}
"""A server that is gone is noticed within seconds (libpq 15, 34.1.2), not hours."""
_OLDEST_SQLITE = (3, 35, 0)
"""The first with ``RETURNING``."""


class _Connection(sqlite3.Connection):
    """Gives back its locks when it is closed, come what may.

    SQLite keeps a closed connection, and its transaction, for as long as somebody still holds a
    cursor that has not been read to its end (sqlite3_close_v2): a cancelled change does, in the
    traceback of its task.
    """

    def close(self) -> None:
        try:
            with suppress(sqlite3.ProgrammingError):  # closed before
                self.rollback()
        finally:
            super().close()


@dataclass(frozen=True, slots=True)
class Address:
    """A database that this release can use."""

    given: str = field(repr=False)
    """The URL as it was given; it may hold a password."""
    url: sa.URL = field(repr=False)

    @property
    def file(self) -> Path | None:
        """The SQLite file; None for PostgreSQL."""
        name = self.url.database
        return Path(name) if name and self.url.drivername == "sqlite" else None

    @property
    def waiting(self) -> sa.URL:
        """With the driver for callers that wait."""
        return self.url.set(drivername="sqlite" if self.file else "postgresql+psycopg")

    @property
    def asynchronous(self) -> sa.URL:
        """With the driver for an event loop."""
        return self.url.set(drivername="sqlite+aiosqlite" if self.file else "postgresql+psycopg")

    @property
    def arguments(self) -> Mapping[str, Any]:
        """Further arguments of the driver; a URL's own parameters win."""
        if self.file:
            return {"timeout": BUSY_S, "isolation_level": None, "factory": _Connection}
        return {name: value for name, value in _DETECTED_SOON.items() if name not in self.url.query}


def address(url: str) -> Address:
    """``sqlite:////absolute/file.db`` or ``postgresql://user:password@host/name``, read.

    Raises UsageError for anything else, and StoreError where this machine's SQLite is too old.
    """
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError) as error:
        raise _not_understood() from error
    if parsed.drivername in _POSTGRESQL:
        server = Address(url, parsed.set(drivername="postgresql"))
        _check_options(server)
        return server
    if parsed.drivername != "sqlite" or not Path(parsed.database or "").is_absolute():
        raise _not_understood()
    check_sqlite(sqlite3.sqlite_version_info)
    return Address(url, parsed)


def check_sqlite(version: tuple[int, ...]) -> None:
    """Raises StoreError for a version that lacks what our statements need."""
    if version < _OLDEST_SQLITE:
        raise StoreError(
            f"SQLite {'.'.join(map(str, version))} is too old",
            remedy="Take SQLite 3.35 or newer, or PostgreSQL.",
        )


def claim_file(file: Path) -> None:
    """Make the SQLite file and its folder where they are missing, for their owner alone.

    The files that SQLite lays beside it get the same mode. Raises StoreError.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(
            f"the database {file} cannot be opened: {error.strerror}",
            remedy="Name a folder that may be written in MERGEGATE_DATA_DIR.",
        ) from error


def _check_options(server: Address) -> None:
    """Raises UsageError for an option that libpq does not know: its driver would later."""
    positional, named = server.asynchronous.get_dialect()().create_connect_args(server.url)
    try:
        make_conninfo(*positional, **{**named, **server.arguments})
    except psycopg.ProgrammingError as error:
        raise _not_understood() from error


def _not_understood() -> UsageError:
    return UsageError(
        "the database's URL is not understood",
        remedy="Write sqlite:////absolute/file.db or postgresql://user@host/name.",
    )
