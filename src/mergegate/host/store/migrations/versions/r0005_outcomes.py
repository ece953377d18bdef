"""How scans have ended is counted, and which audits count for a plan until they fail."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table and the columns; processes of earlier releases may go on without them."""
    op.create_table(
        "outcomes",
        sa.Column("tool", sa.String, primary_key=True),
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("scheduled", sa.Boolean, primary_key=True),
        sa.Column("within_s", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("scans", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
    )
    op.add_column("scans", sa.Column("audited_site", sa.String, nullable=True))


def downgrade() -> None:
    """Remove them."""
    op.drop_column("scans", "audited_site")
    op.drop_table("outcomes")
