"""Workers claim scans by the rows of ``scans``; no queue with tables of its own is needed.

What waited in the queue of an earlier release can be claimed as soon as its worker does not live.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_OPEN = sa.text("state = 'running' OR notice_due")
_RUNNING = sa.text("state = 'running'")


def upgrade() -> None:
    """Add the columns; processes of earlier releases may go on without them."""
    op.add_column("scans", sa.Column("losses", sa.Integer, nullable=False, server_default="0"))
    op.add_column("scans", sa.Column("priority", sa.Integer, nullable=False, server_default="2"))
    op.add_column(
        "scans", sa.Column("notice_due", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.drop_index("ix_scans_running", "scans")
    op.create_index(
        "ix_scans_open",
        "scans",
        ["worker", "lane", "account_id"],
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_index("ix_scans_open", "scans")
    op.create_index(
        "ix_scans_running",
        "scans",
        ["created_at"],
        sqlite_where=_RUNNING,
        postgresql_where=_RUNNING,
    )
    # Not in a batch: SQLite would copy the table, and with it all results.
    for column in ("notice_due", "priority", "losses"):
        op.drop_column("scans", column)
