"""The first tables.

Constraints get their names by the convention of the tables' metadata.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_MOMENT = sa.DateTime(timezone=True)
_RUNNING = "state = 'running'"
_WAITING = "state = 'running' AND started_at IS NULL"


def upgrade() -> None:
    """Make them, those that others refer to first."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("plan", sa.String, nullable=False),
        _moment("created_at"),
    )
    _keys()
    _scans()
    _usage()
    _answers()
    _provider_access()
    _schedules()
    _deliveries()
    op.create_table(
        "workers",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("beat_at", sa.Double, nullable=False),
    )


def downgrade() -> None:
    """Drop them, and all that they hold."""
    for table in (
        "workers",
        "deliveries",
        "schedules",
        "hooks",
        "connections",
        "answers",
        "audited_sites",
        "audit_months",
        "scans",
        "keys",
        "accounts",
    ):
        op.drop_table(table)


def _keys() -> None:
    op.create_table(
        "keys",
        sa.Column("id", sa.String, primary_key=True),
        _account(),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("hash", sa.String, nullable=False, unique=True),
        sa.Column("prefix", sa.String, nullable=False),
        sa.Column("scopes", sa.String, nullable=False),
        _moment("created_at"),
        _moment("expires_at", nullable=True),
        _moment("revoked_at", nullable=True),
    )
    op.create_index(op.f("ix_keys_account_id"), "keys", ["account_id"])
    op.create_index(op.f("ix_keys_prefix"), "keys", ["prefix"])


def _scans() -> None:
    op.create_table(
        "scans",
        sa.Column("id", sa.String, primary_key=True),
        _account(),
        sa.Column("tool", sa.String, nullable=False),
        sa.Column("lane", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        _moment("created_at"),
        _moment("started_at", nullable=True),
        _moment("finished_at", nullable=True),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("worker", sa.String),
        sa.Column("digest", sa.String),
        sa.Column("code", sa.String),
        sa.Column("detail", sa.String),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("result", sa.Text),
        sa.CheckConstraint(
            "state IN ('running', 'completed', 'failed')", name=op.f("ck_scans_state")
        ),
        sa.CheckConstraint(
            "(state = 'running') = (finished_at IS NULL)", name=op.f("ck_scans_finished")
        ),
    )
    op.create_index(op.f("ix_scans_account_id_created_at"), "scans", ["account_id", "created_at"])
    op.create_index(op.f("ix_scans_finished_at"), "scans", ["finished_at"])
    _partial("ix_scans_running", ["created_at"], _RUNNING)
    _partial("ix_scans_waiting", ["account_id", "lane"], _WAITING)
    _partial("uq_scans_joinable", ["account_id", "tool", "digest"], _WAITING, unique=True)


def _usage() -> None:
    op.create_table(
        "audit_months",
        _account(primary_key=True),
        sa.Column("month", sa.String, primary_key=True),
        sa.Column("used", sa.Integer, nullable=False),
    )
    op.create_table(
        "audited_sites",
        _account(primary_key=True),
        sa.Column("site", sa.String, primary_key=True),
        _moment("audited_at"),
    )


def _answers() -> None:
    op.create_table(
        "answers",
        _account(primary_key=True),
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("body_hash", sa.String, nullable=False),
        sa.Column("scan_id", sa.String, nullable=False),
        _moment("created_at"),
    )
    op.create_index(op.f("ix_answers_created_at"), "answers", ["created_at"])


def _provider_access() -> None:
    op.create_table(
        "connections",
        sa.Column("id", sa.String, primary_key=True),
        _account(),
        sa.Column("provider", sa.String, nullable=False),
        sa.Column("base_url", sa.String, nullable=False),
        _moment("created_at"),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.UniqueConstraint("account_id", "provider"),
    )
    op.create_table(
        "hooks",
        sa.Column("id", sa.String, primary_key=True),
        _account(),
        sa.Column("provider", sa.String, nullable=False),
        _moment("created_at"),
        sa.Column("sealed", sa.Text, nullable=False),
    )
    op.create_index(op.f("ix_hooks_account_id"), "hooks", ["account_id"])


def _schedules() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", sa.String, primary_key=True),
        _account(),
        sa.Column("tool", sa.String, nullable=False),
        sa.Column("lane", sa.String, nullable=False),
        sa.Column("cron", sa.String, nullable=False),
        _moment("next_at"),
        _moment("created_at"),
        sa.Column("request", sa.Text, nullable=False),
    )
    op.create_index(op.f("ix_schedules_account_id"), "schedules", ["account_id"])
    op.create_index(op.f("ix_schedules_next_at"), "schedules", ["next_at"])


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("provider", sa.String, primary_key=True),
        sa.Column("delivery", sa.String, primary_key=True),
        _moment("seen_at"),
    )
    op.create_index(op.f("ix_deliveries_seen_at"), "deliveries", ["seen_at"])


def _account(*, primary_key: bool = False) -> sa.Column[str]:
    owner = sa.ForeignKey("accounts.id", ondelete="CASCADE")
    return sa.Column("account_id", sa.String, owner, primary_key=primary_key, nullable=False)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, _MOMENT, nullable=nullable)


def _partial(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    only = sa.text(where)
    op.create_index(
        op.f(name), "scans", columns, unique=unique, sqlite_where=only, postgresql_where=only
    )
