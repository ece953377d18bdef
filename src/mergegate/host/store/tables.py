"""The tables, alike on SQLite and PostgreSQL. A change here needs a revision in ``migrations/``.

Row sizes decide the order: what is long stands last, where SQLite need not read over it.
"""

import datetime as dt

import sqlalchemy as sa
from sqlalchemy import Named

from mergegate.host.store.sql import UtcDateTime

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)
"""Every constraint has a name: SQLite changes a table only by copying it."""


def _account(*, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(sa.ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=primary_key)


def _moment(*, nullable: bool = False, index: bool = False) -> sa.Column[dt.datetime]:
    return sa.Column(UtcDateTime, nullable=nullable, index=index)


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    only = sa.text(where)
    return sa.Index(name, *columns, unique=unique, sqlite_where=only, postgresql_where=only)


class AccountColumns(sa.TypedColumns):
    """:class:`mergegate.host.account.Account`."""

    id: Named[str] = sa.Column(primary_key=True)
    name: Named[str] = sa.Column(unique=True)
    plan: Named[str]
    created_at: Named[dt.datetime] = _moment()
    suspended_at: Named[dt.datetime | None] = _moment(nullable=True)


class KeyColumns(sa.TypedColumns):
    """Keys of accounts; the key itself is nowhere."""

    id: Named[str] = sa.Column(primary_key=True)
    account_id: Named[str] = _account()
    name: Named[str]
    hash: Named[str] = sa.Column(unique=True)
    """SHA-256 in hexadecimal; 256 random bits need no salt."""
    prefix: Named[str] = sa.Column(index=True)
    scopes: Named[str]
    """Sorted, separated by a space."""
    created_at: Named[dt.datetime] = _moment()
    expires_at: Named[dt.datetime | None] = _moment(nullable=True)
    revoked_at: Named[dt.datetime | None] = _moment(nullable=True)


class ScanColumns(sa.TypedColumns):
    """:class:`mergegate.host.scan.Scan`."""

    id: Named[str] = sa.Column(primary_key=True)
    account_id: Named[str] = _account()
    tool: Named[str]
    lane: Named[str]
    state: Named[str]
    created_at: Named[dt.datetime] = _moment()
    started_at: Named[dt.datetime | None] = _moment(nullable=True)
    finished_at: Named[dt.datetime | None] = _moment(nullable=True)
    tries: Named[int]
    """How often a worker began it."""
    losses: Named[int] = sa.Column(server_default="0")
    """How often the worker that had it in hand died."""
    priority: Named[int] = sa.Column(server_default="2")
    """:class:`mergegate.host.scan.Priority`."""
    notice_due: Named[bool] = sa.Column(server_default=sa.false())
    """Whether a worker has still to tell the forge that it was cancelled."""
    worker: Named[str | None]
    """Who has it in hand, or had it in the end; None while it waits for a worker."""
    digest: Named[str | None]
    """SHA-256 of the request; None for a scan that others may not join."""
    code: Named[str | None]
    detail: Named[str | None]
    audited_site: Named[str | None]
    """The site for which an audit was counted; None where none was, and where it was given back."""
    request: Named[str] = sa.Column(sa.Text)
    result: Named[str | None] = sa.Column(sa.Text)


class OutcomeColumns(sa.TypedColumns):
    """How many scans have ended, and how (:mod:`.endings`)."""

    tool: Named[str] = sa.Column(primary_key=True)
    code: Named[str] = sa.Column(primary_key=True)
    scheduled: Named[bool] = sa.Column(primary_key=True)
    within_s: Named[int] = sa.Column(primary_key=True, autoincrement=False)
    """The least duration that is told apart and was not exceeded; -1: all were."""
    scans: Named[int]
    seconds: Named[float] = sa.Column(sa.Double)


class MonthColumns(sa.TypedColumns):
    """How many audits without waiting an account has used up, by calendar month in UTC."""

    account_id: Named[str] = _account(primary_key=True)
    month: Named[str] = sa.Column(primary_key=True)
    """``2026-03``."""
    used: Named[int]


class SiteColumns(sa.TypedColumns):
    """When an account last had a site audited."""

    account_id: Named[str] = _account(primary_key=True)
    site: Named[str] = sa.Column(primary_key=True)
    audited_at: Named[dt.datetime] = _moment()


class AnswerColumns(sa.TypedColumns):
    """What an ``Idempotency-Key`` was first answered with."""

    account_id: Named[str] = _account(primary_key=True)
    key: Named[str] = sa.Column(primary_key=True)
    """SHA-256 of what the caller sent."""
    body_hash: Named[str]
    scan_id: Named[str]
    created_at: Named[dt.datetime] = _moment(index=True)


class ConnectionColumns(sa.TypedColumns):
    """Accounts' access to the hosts of their repositories."""

    id: Named[str] = sa.Column(primary_key=True)
    account_id: Named[str] = _account()
    provider: Named[str]
    base_url: Named[str]
    created_at: Named[dt.datetime] = _moment()
    sealed: Named[str] = sa.Column(sa.Text)
    """The token, bound to account, provider and address (:mod:`.sealing`)."""


class ConsoleColumns(sa.TypedColumns):
    """Accounts' access to Google's Search Console."""

    account_id: Named[str] = _account(primary_key=True)
    identity: Named[str]
    created_at: Named[dt.datetime] = _moment()
    sealed: Named[str] = sa.Column(sa.Text)
    """The key, bound to the account (:mod:`.sealing`)."""


class HookColumns(sa.TypedColumns):
    """Webhooks of accounts."""

    id: Named[str] = sa.Column(primary_key=True)
    account_id: Named[str] = _account()
    provider: Named[str]
    created_at: Named[dt.datetime] = _moment()
    sealed: Named[str] = sa.Column(sa.Text)
    """The shared secret, bound to this hook of this account (:mod:`.sealing`)."""


class ScheduleColumns(sa.TypedColumns):
    """Repeated scans."""

    id: Named[str] = sa.Column(primary_key=True)
    account_id: Named[str] = _account()
    tool: Named[str]
    lane: Named[str]
    cron: Named[str]
    next_at: Named[dt.datetime] = _moment(index=True)
    created_at: Named[dt.datetime] = _moment()
    request: Named[str] = sa.Column(sa.Text)


class DeliveryColumns(sa.TypedColumns):
    """Deliveries of hooks that were seen."""

    provider: Named[str] = sa.Column(primary_key=True)
    delivery: Named[str] = sa.Column(primary_key=True)
    """SHA-256 of its identifier."""
    seen_at: Named[dt.datetime] = _moment(index=True)


class WorkerColumns(sa.TypedColumns):
    """Workers and their last heartbeats."""

    id: Named[str] = sa.Column(primary_key=True)
    beat_at: Named[float] = sa.Column(sa.Double)
    """Seconds since 1970 by the database's clock."""


class RateColumns(sa.TypedColumns):
    """Requests of keys within a minute, as each process of a host has counted them."""

    key_id: Named[str] = sa.Column(primary_key=True)
    process: Named[str] = sa.Column(primary_key=True)
    requests: Named[int]
    told_at: Named[float] = sa.Column(sa.Double)
    """By the database's clock, as ``frees_at``."""
    frees_at: Named[float] = sa.Column(sa.Double)
    """When the oldest no longer counts."""


OPEN = "state = 'running' OR notice_due"
"""A worker has still something to do for it (:mod:`.leases`)."""
WAITING = "state = 'running' AND started_at IS NULL"
"""Accepted, and no worker has taken it up."""

accounts = sa.Table("accounts", METADATA, AccountColumns)
keys = sa.Table("keys", METADATA, KeyColumns, sa.Index(None, "account_id"))
scans = sa.Table(
    "scans",
    METADATA,
    ScanColumns,
    sa.CheckConstraint("state IN ('running', 'completed', 'failed')", name="state"),
    sa.CheckConstraint("(state = 'running') = (finished_at IS NULL)", name="finished"),
    sa.Index(None, "account_id", "created_at"),
    sa.Index(None, "finished_at"),
    _partial("ix_scans_open", "worker", "lane", "account_id", where=OPEN),
    _partial("ix_scans_waiting", "account_id", "lane", where=WAITING),
    _partial("uq_scans_joinable", "account_id", "tool", "digest", where=WAITING, unique=True),
)
outcomes = sa.Table("outcomes", METADATA, OutcomeColumns)
audit_months = sa.Table("audit_months", METADATA, MonthColumns)
audited_sites = sa.Table("audited_sites", METADATA, SiteColumns)
answers = sa.Table("answers", METADATA, AnswerColumns)
connections = sa.Table(
    "connections", METADATA, ConnectionColumns, sa.UniqueConstraint("account_id", "provider")
)
consoles = sa.Table("consoles", METADATA, ConsoleColumns)
hooks = sa.Table("hooks", METADATA, HookColumns, sa.Index(None, "account_id"))
schedules = sa.Table("schedules", METADATA, ScheduleColumns, sa.Index(None, "account_id"))
deliveries = sa.Table("deliveries", METADATA, DeliveryColumns)
workers = sa.Table("workers", METADATA, WorkerColumns)
rates = sa.Table("rates", METADATA, RateColumns)
