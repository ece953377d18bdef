"""Requests by key and process, so that a limit is one limit for all processes of a host."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "rates",
        sa.Column("key_id", sa.String, primary_key=True),
        sa.Column("process", sa.String, primary_key=True),
        sa.Column("requests", sa.Integer, nullable=False),
        sa.Column("told_at", sa.Double, nullable=False),
        sa.Column("frees_at", sa.Double, nullable=False),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_table("rates")
