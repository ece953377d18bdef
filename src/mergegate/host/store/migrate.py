"""Brings a database's tables to this release's revision, once however many processes start."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from mergegate.core.errors import StoreError
from mergegate.host.store.address import Address, address, claim_file
from mergegate.host.store.database import translated_errors, waiting_engine

if TYPE_CHECKING:
    from alembic.config import Config

REVISION = "0006"
"""The revision that this release expects."""
VERSION_TABLE = "service_revision"
"""Not Alembic's usual name: others' tables in the database may be looked after by it, too."""
_LOCK = 0x6D657267
"""Ours among PostgreSQL's advisory locks: ``merg``."""
_LONGEST_WAIT_S = 120
_SCRIPTS = "mergegate.host.store:migrations"
_HELD = sa.table(VERSION_TABLE, sa.column("version_num", sa.String))


def migrate(url: str) -> None:
    """Make or renew the tables, in one transaction; others that start meanwhile wait for it.

    Raises UsageError for a URL that is not understood, StoreError when the database cannot be
    reached or changed, or is of a newer release.
    """
    where = address(url)
    with _alone(where), translated_errors(), waiting_engine(where).begin() as conn:
        _lock(conn)
        if _held(conn) != REVISION:
            _upgrade(conn)


def check(url: str) -> None:
    """Raises StoreError unless the tables are at this release's revision."""
    with translated_errors(), waiting_engine(address(url)).connect() as conn:
        held = _held(conn)
    if held is None:
        raise StoreError(
            "the database holds no tables of Mergegate",
            remedy="Start `mergegate serve`: it makes them.",
        )
    if held != REVISION:
        raise StoreError(
            f"the database is at revision {held}, this release expects {REVISION}",
            remedy="Run the same release everywhere; the newest renews the database.",
        )


def _alone(where: Address) -> AbstractContextManager[None]:
    """A file lock for SQLite, whose change to write-ahead logging waits for no other process."""
    return _file_lock(where.file) if where.file else nullcontext()


@contextmanager
def _file_lock(file: Path) -> Iterator[None]:
    claim_file(file)
    beside = file.with_name(f"{file.name}.lock")
    claim_file(beside)
    descriptor = os.open(beside, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _lock(conn: sa.Connection) -> None:
    """Held until the transaction ends; SQLite's transaction is a lock itself."""
    if conn.dialect.name == "postgresql":
        conn.execute(sa.text(f"SET LOCAL lock_timeout = '{_LONGEST_WAIT_S}s'"))
        conn.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))


def _held(conn: sa.Connection) -> str | None:
    if not sa.inspect(conn).has_table(VERSION_TABLE):
        return None
    return conn.scalar(sa.select(_HELD.c.version_num))


def _upgrade(conn: sa.Connection) -> None:
    """Raises StoreError when the tables are of a newer release."""
    # Most starts find the tables as they should be, and Alembic takes as long to load as they take.
    from alembic import command  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    try:
        command.upgrade(alembic_config(conn), "head")
    except CommandError as error:
        raise StoreError(
            "the database is of a newer release than this one",
            remedy="Start the newer release, or restore a backup.",
        ) from error


def alembic_config(conn: sa.Connection) -> "Config":
    """The configuration for ``conn``, whose transaction is the caller's."""
    from alembic.config import Config  # noqa: PLC0415

    made = Config()
    made.set_main_option("script_location", _SCRIPTS)
    made.attributes["connection"] = conn
    return made
