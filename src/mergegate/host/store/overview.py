"""Scans as their operator sees them: of every account, with their workers."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.plans import Tool
from mergegate.host.scan import State
from mergegate.host.store.sql import safe_id
from mergegate.host.store.tables import accounts, scans


class Stage(StrEnum):
    """As :class:`State`, but a running scan waits until a worker takes it up."""

    WAITING = "waiting"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A scan without its result."""

    id: str
    account: str
    """Its name."""
    tool: Tool
    stage: Stage
    request: str
    """As in :class:`mergegate.host.scan.Scan`; it may repeat a stranger's text."""
    created_at: dt.datetime
    started_at: dt.datetime | None
    """When it was taken up for the last time."""
    finished_at: dt.datetime | None
    tries: int
    worker: str | None
    """The worker that took it up last."""
    code: str | None
    """The error's code, when it failed."""
    detail: str | None


_C = scans.c
_SEEN = sa.select(
    *(_C.id, accounts.c.name.label("account"), _C.tool, _C.state, _C.request, _C.created_at),
    *(_C.started_at, _C.finished_at, _C.tries, _C.worker, _C.code, _C.detail),
).join(accounts, accounts.c.id == _C.account_id)


async def newest(
    conn: AsyncConnection, account_id: str | None, stage: Stage | None, limit: int
) -> Sequence[Seen]:
    """Newest first; of that account and at that stage where they are named."""
    asked = _SEEN.order_by(_C.created_at.desc(), _C.id.desc()).limit(limit)
    if account_id is not None:
        asked = asked.where(_C.account_id == account_id)
    if stage is not None:
        asked = asked.where(_at(stage))
    return [_seen(row) for row in (await conn.execute(asked)).mappings()]


async def seen(conn: AsyncConnection, id: str) -> Seen | None:
    """The scan of any account; None when there is none."""
    row = (await conn.execute(_SEEN.where(_C.id == safe_id(id)))).mappings().first()
    return None if row is None else _seen(row)


def _at(stage: Stage) -> sa.ColumnElement[bool]:
    if stage not in (Stage.WAITING, Stage.RUNNING):
        return _C.state == stage
    begun = _C.started_at.is_not(None)
    return (_C.state == State.RUNNING) & (begun if stage is Stage.RUNNING else ~begun)


def _seen(row: sa.RowMapping) -> Seen:
    fields = dict(row)
    state, tool = State(fields.pop("state")), Tool(fields.pop("tool"))
    waits = state is State.RUNNING and fields["started_at"] is None
    return Seen(tool=tool, stage=Stage.WAITING if waits else Stage(state), **fields)
