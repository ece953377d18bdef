"""Make or renew the queue's own tables, once, however many processes start."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from dbos import DBOS

from mergegate.host.jobs.durable import SCHEMA, dbos_url, quiet
from mergegate.host.store.address import address
from mergegate.host.store.database import waiting_engine
from mergegate.host.store.trouble import told_plainly

_LOCK = 0x6D676A6F
"""Ours among PostgreSQL's advisory locks: ``mgjo``."""
_AGAIN_S = 0.1


def migrate(url: str) -> None:
    """Returns when the tables are there; blocks meanwhile. After ``store.service.migrate``.

    Raises UsageError for a URL that is not understood, StoreError when the database cannot be
    reached or changed.
    """
    quiet()
    with told_plainly(), _one_at_a_time(url):
        DBOS.migrate(dbos_url(url), schema=SCHEMA)


@contextmanager
def _one_at_a_time(url: str) -> Iterator[None]:
    """DBOS waits half a minute for its own lock, then migrates without; on SQLite it locks well."""
    where = address(url)
    if where.file:
        yield
        return
    engine = waiting_engine(where).execution_options(isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        # Who waits inside the database holds a snapshot, and an index that is made concurrently
        # waits for all of those to end.
        while not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_LOCK))):
            time.sleep(_AGAIN_S)
        yield  # the lock ends with its connection, however this ends
