"""Accounts may be suspended: their keys and hooks open nothing until they are resumed."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column: no account is suspended."""
    op.add_column("accounts", sa.Column("suspended_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Remove it: suspended accounts are served again."""
    # Not in a batch: SQLite would drop the old table, and with it all that belongs to accounts.
    op.drop_column("accounts", "suspended_at")
