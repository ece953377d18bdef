"""The first tables.

Constraints get their names by the convention of the tables' metadata.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_RUNNING = "state = 'running'"
_WAITING = "state = 'running' AND started_at IS NULL"
_TABLES = (
    *("accounts", "keys", "scans", "audit_months", "audited_sites", "answers"),
    *("connections", "hooks", "schedules", "deliveries", "workers"),
)


def upgrade() -> None:
    """Make them, those that others refer to first."""
    name = _text("name", unique=True)
    op.create_table("accounts", _id(), name, _text("plan"), _moment("created_at"))
    _keys()
    _scans()
    _usage()
    _provider_access()
    _schedules()
    op.create_table("deliveries", _id("provider"), _id("delivery"), _moment("seen_at"))
    _index("deliveries", "seen_at")
    op.create_table("workers", _id(), sa.Column("beat_at", sa.Double, nullable=False))


def downgrade() -> None:
    """Drop them, and all that they hold."""
    for table in reversed(_TABLES):
        op.drop_table(table)


def _keys() -> None:
    texts = (_text("name"), _text("hash", unique=True), _text("prefix"), _text("scopes"))
    until = (_moment("expires_at", nullable=True), _moment("revoked_at", nullable=True))
    op.create_table("keys", _id(), _account(), *texts, _moment("created_at"), *until)
    _index("keys", "account_id")
    _index("keys", "prefix")


def _scans() -> None:
    op.create_table(
        "scans",
        *(_id(), _account(), _text("tool"), _text("lane"), _text("state")),
        _moment("created_at"),
        _moment("started_at", nullable=True),
        _moment("finished_at", nullable=True),
        sa.Column("tries", sa.Integer, nullable=False),
        *(_text(name, nullable=True) for name in ("worker", "digest", "code", "detail")),
        _long("request"),
        _long("result", nullable=True),
        sa.CheckConstraint(
            "state IN ('running', 'completed', 'failed')", name=op.f("ck_scans_state")
        ),
        sa.CheckConstraint(
            "(state = 'running') = (finished_at IS NULL)", name=op.f("ck_scans_finished")
        ),
    )
    _index("scans", "account_id", "created_at")
    _index("scans", "finished_at")
    _partial("ix_scans_running", ["created_at"], _RUNNING)
    _partial("ix_scans_waiting", ["account_id", "lane"], _WAITING)
    _partial("uq_scans_joinable", ["account_id", "tool", "digest"], _WAITING, unique=True)


def _usage() -> None:
    used = sa.Column("used", sa.Integer, nullable=False)
    op.create_table("audit_months", _account(primary_key=True), _id("month"), used)
    op.create_table("audited_sites", _account(primary_key=True), _id("site"), _moment("audited_at"))
    said = (_text("body_hash"), _text("scan_id"), _moment("created_at"))
    op.create_table("answers", _account(primary_key=True), _id("key"), *said)
    _index("answers", "created_at")


def _provider_access() -> None:
    sealed = (_moment("created_at"), _long("sealed"))
    where = (_text("provider"), _text("base_url"))
    one = sa.UniqueConstraint("account_id", "provider")
    op.create_table("connections", _id(), _account(), *where, *sealed, one)
    sealed = (_moment("created_at"), _long("sealed"))
    op.create_table("hooks", _id(), _account(), _text("provider"), *sealed)
    _index("hooks", "account_id")


def _schedules() -> None:
    what = (_text("tool"), _text("lane"), _text("cron"))
    when = (_moment("next_at"), _moment("created_at"))
    op.create_table("schedules", _id(), _account(), *what, *when, _long("request"))
    _index("schedules", "account_id")
    _index("schedules", "next_at")


def _id(name: str = "id") -> sa.Column[str]:
    return sa.Column(name, sa.String, primary_key=True)


def _account(*, primary_key: bool = False) -> sa.Column[str]:
    owner = sa.ForeignKey("accounts.id", ondelete="CASCADE")
    return sa.Column("account_id", sa.String, owner, primary_key=primary_key, nullable=False)


def _text(name: str, *, nullable: bool = False, unique: bool | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.String, nullable=nullable, unique=unique)


def _long(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _index(table: str, *columns: str) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns)


def _partial(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    only = sa.text(where)
    op.create_index(
        op.f(name), "scans", columns, unique=unique, sqlite_where=only, postgresql_where=only
    )
