"""Alembic's environment: runs revisions in the transaction that the caller has begun."""

from alembic import context

from mergegate.host.store.migrate import VERSION_TABLE
from mergegate.host.store.tables import METADATA


def _is_ours(name: str | None, kind: str, _: object) -> bool:
    """The queue's tables, and whatever else stands in the database, are not looked at."""
    return kind != "table" or name in METADATA.tables


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    include_name=_is_ours,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
