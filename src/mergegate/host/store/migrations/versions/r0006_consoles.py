"""Accounts may lend a host their access to Google's Search Console."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table."""
    owner = sa.ForeignKey("accounts.id", ondelete="CASCADE")
    op.create_table(
        "consoles",
        sa.Column("account_id", sa.String, owner, primary_key=True),
        sa.Column("identity", sa.String, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_table("consoles")
