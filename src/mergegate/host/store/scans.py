"""Scans: what was accepted, and its outcome."""

import datetime as dt
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.errors import Failed, StoreError
from mergegate.core.plans import Lane, Tool
from mergegate.host.scan import Done, Outcome, Priority, Scan, State
from mergegate.host.store.endings import Ended, end
from mergegate.host.store.sql import added, deleted, insert, safe_id, storable
from mergegate.host.store.tables import WAITING, accounts, scans

_C = scans.c
COLUMNS = (
    *(_C.id, _C.account_id, _C.tool, _C.lane, _C.request, _C.state, _C.created_at),
    *(_C.started_at, _C.finished_at, _C.tries, _C.code, _C.detail, _C.result),
)
"""What :func:`scan_of` reads."""
_TOLD = 10
"""From there on they are the outcome's."""
_IS_WAITING = sa.text(WAITING)
_IS_RUNNING = _C.state == sa.literal_column("'running'")
"""Not a parameter: the planner must see that a partial index is meant."""
_ATTEMPTS = 10
_AT_A_TIME = 1_000


@dataclass(frozen=True, slots=True)
class Submission:
    """A scan to be accepted."""

    id: str
    account_id: str
    tool: Tool
    lane: Lane
    request: str
    """As in :class:`mergegate.host.scan.Scan`."""
    now: dt.datetime
    priority: Priority = Priority.NORMAL
    audited_site: str | None = None
    """The site for which an audit was counted (:mod:`.usage`)."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """The scan that stands for a submission."""

    id: str
    joined: bool
    """Whether it is an earlier scan that had not begun."""


async def submit(conn: AsyncConnection, submission: Submission, *, joinable: bool) -> Submitted:
    """Accept it; a ``joinable`` one becomes one with an equal one that has not begun yet.

    Equal means: of the same account, for the same tool, by the same request. However many ask at
    once, one is made. Raises StoreError when, ten times in a row, there is an equal one that begins
    before it can be joined.
    """
    digest = _digest(submission) if joinable else None
    for _ in range(_ATTEMPTS):
        if await _add(conn, submission, digest):
            return Submitted(submission.id, joined=False)
        if (earlier := await _waiting(conn, submission, digest)) is not None:
            return Submitted(earlier, joined=True)
    raise StoreError("equal scans begin faster than they can be joined", remedy="Try again.")


async def _add(conn: AsyncConnection, one: Submission, digest: str | None) -> bool:
    put = insert(conn, scans).values(
        id=one.id,
        account_id=one.account_id,
        tool=one.tool,
        lane=one.lane,
        state=State.RUNNING,
        created_at=one.now,
        tries=0,
        priority=one.priority.value,
        digest=digest,
        audited_site=one.audited_site,
        request=one.request,
    )
    unless_equal = put.on_conflict_do_nothing(
        index_elements=["account_id", "tool", "digest"], index_where=_IS_WAITING
    )
    return await added(conn, unless_equal)


async def _waiting(conn: AsyncConnection, one: Submission, digest: str | None) -> str | None:
    return await conn.scalar(sa.select(_C.id).where(_alike(one, digest), _IS_WAITING))


async def supersede(conn: AsyncConnection, by: Submission, outcome: Failed) -> Sequence[Ended]:
    """End those that were joinable, ask for the same as ``by``, and are under way."""
    begun = _C.started_at.is_not(None)
    alike = sa.and_(begun, _alike(by, _digest(by)))
    return await end(conn, alike, failure_row(outcome), by.now)


def _alike(one: Submission, digest: str | None) -> sa.ColumnElement[bool]:
    same_account = _C.account_id == one.account_id
    return sa.and_(same_account, _C.tool == one.tool, _C.digest == digest)


def _digest(one: Submission) -> str:
    return hashlib.sha256(one.request.encode()).hexdigest()


async def find(conn: AsyncConnection, account_id: str, id: str) -> Scan | None:
    """The scan; None alike when there is none and when it is another account's."""
    mine = (_C.id == safe_id(id), _C.account_id == account_id)
    row = (await conn.execute(sa.select(*COLUMNS).where(*mine))).first()
    return None if row is None else scan_of(row)


async def settle(
    conn: AsyncConnection, id: str, outcome: Outcome, now: dt.datetime
) -> Ended | None:
    """Write its outcome, once: for the first of all who try; None for the others."""
    return next(iter(await end(conn, _C.id == id, _row(outcome), now)), None)


def _row(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Done):
        return {"state": State.COMPLETED, "result": storable(outcome.result)}
    return failure_row(outcome)


def failure_row(failed: Failed) -> dict[str, Any]:
    """The columns of a scan that failed so, but for when."""
    result = None if failed.result is None else storable(failed.result)
    told = {"code": storable(failed.code), "detail": storable(failed.detail)}
    return {"state": State.FAILED, **told, "result": result}


async def settled(conn: AsyncConnection, ids: Collection[str]) -> frozenset[str]:
    """Which of ``ids`` (as many as you like) are no longer running."""
    asked = sorted(ids)
    over: set[str] = set()
    for start in range(0, len(asked), _AT_A_TIME):
        among = _C.id.in_(asked[start : start + _AT_A_TIME])
        over |= set(await conn.scalars(sa.select(_C.id).where(among, ~_IS_RUNNING)))
    return frozenset(over)


async def backlog(conn: AsyncConnection) -> Mapping[Lane, int]:
    """How many scans wait in each lane; a lane without any is there with 0."""
    counted = sa.select(_C.lane, sa.func.count()).where(_IS_WAITING).group_by(_C.lane)
    found = {row[0]: row[1] for row in await conn.execute(counted)}
    return {lane: found.get(lane, 0) for lane in Lane}


async def waiting(conn: AsyncConnection, account_id: str) -> int:
    """How many scans of the account wait."""
    mine = _C.account_id == account_id
    return await conn.scalar(sa.select(sa.func.count()).where(_IS_WAITING, mine)) or 0


async def purge(conn: AsyncConnection, before: dt.datetime, limit: int = _AT_A_TIME) -> int:
    """Delete scans that were settled before that, at most ``limit``; returns how many."""
    old = sa.select(_C.id).where(_C.finished_at < before).limit(limit)
    return await deleted(conn, scans, _C.id.in_(old))


def scan_of(row: Sequence[Any]) -> Scan:
    """The columns :data:`COLUMNS` as a value."""
    id, account_id, tool, lane, request, state, created, started, finished, tries = row[:_TOLD]
    outcome = _outcome(State(state), *row[_TOLD:])
    what = (Tool(tool), Lane(lane), request, State(state))
    return Scan(id, account_id, *what, created, started, finished, tries, outcome)


def _outcome(state: State, code: str, detail: str, result: str | None) -> Outcome | None:
    if state is State.COMPLETED:
        return Done(result or "")
    return Failed(code, detail, result) if state is State.FAILED else None


class Stage(StrEnum):
    """As :class:`State`, but a running scan waits until a worker takes it up."""

    WAITING = "waiting"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanSummary:
    """A scan without its result."""

    id: str
    account: str
    """Its name."""
    tool: Tool
    state: State
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

    @property
    def stage(self) -> Stage:
        """The state, in which ``running`` is divided."""
        is_waiting = self.state is State.RUNNING and self.started_at is None
        return Stage.WAITING if is_waiting else Stage(self.state)


_SUMMARIES = sa.select(
    *(_C.id, accounts.c.name.label("account"), _C.tool, _C.state, _C.request, _C.created_at),
    *(_C.started_at, _C.finished_at, _C.tries, _C.worker, _C.code, _C.detail),
).join(accounts, accounts.c.id == _C.account_id)


async def newest(
    conn: AsyncConnection, account_id: str | None, stage: Stage | None, limit: int
) -> Sequence[ScanSummary]:
    """Newest first; of that account and at that stage where they are named."""
    asked = _SUMMARIES.order_by(_C.created_at.desc(), _C.id.desc()).limit(limit)
    if account_id is not None:
        asked = asked.where(_C.account_id == account_id)
    if stage is not None:
        asked = asked.where(_at(stage))
    return [_seen(row) for row in (await conn.execute(asked)).mappings()]


async def seen(conn: AsyncConnection, id: str) -> ScanSummary | None:
    """The scan of any account; None when there is none."""
    row = (await conn.execute(_SUMMARIES.where(_C.id == safe_id(id)))).mappings().first()
    return None if row is None else _seen(row)


def _at(stage: Stage) -> sa.ColumnElement[bool]:
    if stage not in (Stage.WAITING, Stage.RUNNING):
        return _C.state == stage
    begun = _C.started_at.is_not(None)
    return (_C.state == State.RUNNING) & (begun if stage is Stage.RUNNING else ~begun)


def _seen(row: sa.RowMapping) -> ScanSummary:
    return ScanSummary(**{**row, "state": State(row["state"]), "tool": Tool(row["tool"])})
