"""Alembic, run inside a transaction of ours."""

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from mergegate.core.errors import StoreError

_SCRIPTS = "mergegate.host.store:migrations"


def configuration(conn: sa.Connection) -> Config:
    """Alembic's, for ``conn``, whose transaction is the caller's."""
    made = Config()
    made.set_main_option("script_location", _SCRIPTS)
    made.attributes["connection"] = conn
    return made


def upgrade(conn: sa.Connection) -> None:
    """Bring the tables to this release's revision.

    Raises StoreError when they are of a newer one.
    """
    try:
        command.upgrade(configuration(conn), "head")
    except CommandError as error:
        raise StoreError(
            "the database is of a newer release than this one",
            remedy="Start the newer release, or restore a backup.",
        ) from error
