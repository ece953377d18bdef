"""What both ends of the queue have to agree on, and how its engine, DBOS, is kept quiet.

DBOS Transact stands behind ``port.Queue`` and ``worker.Worker`` alone; nothing else imports it.
"""

import logging
from typing import Any

import sqlalchemy as sa
from dbos import DBOSPortableJSONSerializer

from mergegate.core.tool import Lane
from mergegate.host.jobs.remarks import Remarks
from mergegate.host.store.address import address

APPLICATION = "mergegate"
VERSION = "1"
"""Of the workflow, never of the release.

A worker takes up and recovers work of its own version only: rows of another one would wait for
ever. It may be raised when no scan is running.
"""
WORKFLOW = "scan"
SCHEMA = "dbos"
"""On PostgreSQL; on SQLite DBOS's tables stand beside ours."""
TRIES = 3
"""A scan that took its worker down with it so often is not taken up again."""


_REMARKS = Remarks()
SERIALIZER = DBOSPortableJSONSerializer()
"""JSON where DBOS would pickle: nobody who can write a row shall make a worker run code."""


def dbos_url(url: str) -> str:
    """Of the database that ``url`` names for ``store.service.database``, as DBOS reads it.

    With what makes a silent server noticed soon: DBOS's threads would wait for hours otherwise.
    Raises UsageError for a URL that is not understood.
    """
    where = address(url)
    named = where.url if where.file else where.url.update_query_dict(where.arguments)
    return named.render_as_string(hide_password=False)


def queue_name(lane: Lane) -> str:
    """Of DBOS's queue for a lane."""
    return f"scans-{lane}"


def quiet() -> None:
    """Let DBOS log through our handlers, and warnings only, each in a line.

    It brings a handler of its own where its logger has none, and greets at every start.
    """
    logger = logging.getLogger("dbos")
    logger.setLevel(logging.WARNING)
    logger.addFilter(_REMARKS)
    logger.propagate = True
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


def workflows(*, sqlite: bool) -> sa.TableClause:
    """The columns of DBOS's table of workflows that we read, as of 3.4."""
    columns: tuple[sa.ColumnClause[Any], ...] = (
        sa.column("workflow_uuid", sa.Text),
        sa.column("status", sa.Text),
        sa.column("executor_id", sa.Text),
        sa.column("owner_xid", sa.Text),
        sa.column("recovery_attempts", sa.BigInteger),
        sa.column("started_at_epoch_ms", sa.BigInteger),
        sa.column("completed_at", sa.BigInteger),
    )
    return sa.table("workflow_status", *columns, schema=None if sqlite else SCHEMA)
