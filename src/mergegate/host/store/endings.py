"""How scans end: by one statement for all who end some, which also counts what became of them.

What was counted stays when scans are purged or an account is removed: it names nobody.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.plans import Tool
from mergegate.host.causes import CAUSES
from mergegate.host.scan import Priority, State
from mergegate.host.store import usage
from mergegate.host.store.sql import insert
from mergegate.host.store.tables import outcomes, scans

_C = scans.c
_IS_RUNNING = _C.state == sa.literal_column("'running'")
"""Not a parameter: the planner must see that a partial index is meant."""
COMPLETED, OTHER = "COMPLETED", "OTHER"
CODES = (COMPLETED, *CAUSES, OTHER)
"""What may become of a scan, as it is counted: a result, a cause, or one of another release."""
SECONDS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 900)
"""The durations that are told apart."""
_BEYOND = -1
_ANSWERED = frozenset({COMPLETED, "CANCELLED"})
"""What uses up an audit of a plan: a result, and what its caller called off."""
_TOLD = (_C.id, _C.account_id, _C.tool, _C.priority, _C.started_at, _C.audited_site)


@dataclass(frozen=True, slots=True)
class Ended:
    """A scan that ended by this."""

    id: str
    tool: Tool
    code: str
    """One of :data:`CODES`."""
    scheduled: bool
    """Whether a schedule asked for it, so that nobody waits for its result."""
    seconds: float
    """Since a worker took it up for the last time; 0 where none did."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Scans that ended alike."""

    tool: Tool
    code: str
    scheduled: bool
    within: Mapping[int, int]
    """How many ended within each of :data:`SECONDS` and within no lower one."""
    count: int
    seconds: float
    """The time that all of them took."""


async def end(
    conn: AsyncConnection,
    which: sa.ColumnElement[bool],
    row: Mapping[str, Any],
    now: dt.datetime,
) -> Sequence[Ended]:
    """Write ``row`` as the end of those of ``which`` that have none yet, and count them."""
    over = sa.update(scans).where(which, _IS_RUNNING).values(finished_at=now, **row)
    rows: Sequence[Any] = (await conn.execute(over.returning(*_TOLD))).all()
    code = row["code"] if row["state"] is State.FAILED else COMPLETED
    if code not in _ANSWERED:
        for one in sorted(rows, key=lambda one: str(one.account_id)):
            if one.audited_site is not None:
                await usage.give_back(conn, one.id, one.account_id, one.audited_site)
    found = [_ended(one, code if code in CODES else OTHER, now) for one in rows]
    await _count(conn, found)
    return found


def _ended(row: sa.Row[Any], code: str, now: dt.datetime) -> Ended:
    """Clocks differ: what ended before it began took no time."""
    passed_s = (now - row.started_at).total_seconds() if row.started_at else 0.0
    scheduled = row.priority == Priority.LATER
    return Ended(row.id, Tool(row.tool), code, scheduled, max(0.0, passed_s))


async def _count(conn: AsyncConnection, found: Sequence[Ended]) -> None:
    """In one order for all, so that nobody waits for who waits for them."""
    keys = {one: (one.tool, one.code, one.scheduled, _within(one.seconds)) for one in found}
    seconds: defaultdict[tuple[str, str, bool, int], float] = defaultdict(float)
    for one, key in keys.items():
        seconds[key] += one.seconds
    for key, count in sorted(Counter(keys.values()).items()):
        tool, code, scheduled, within = key
        put = insert(conn, outcomes).values(
            tool=tool,
            code=code,
            scheduled=scheduled,
            within_s=within,
            scans=count,
            seconds=seconds[key],
        )
        more = {name: outcomes.c[name] + put.excluded[name] for name in ("scans", "seconds")}
        columns = ["tool", "code", "scheduled", "within_s"]
        await conn.execute(put.on_conflict_do_update(index_elements=columns, set_=more))


def _within(seconds: float) -> int:
    return next((most for most in SECONDS if seconds <= most), _BEYOND)


async def counted(conn: AsyncConnection) -> Sequence[Outcomes]:
    """All that ended since the database was made, in all processes of the host."""
    alike: defaultdict[tuple[str, str, bool], list[sa.Row[Any]]] = defaultdict(list)
    for row in await conn.execute(sa.select(outcomes)):
        alike[row.tool, row.code, row.scheduled].append(row)
    return [
        Outcomes(
            Tool(tool),
            code,
            scheduled,
            within={one.within_s: one.scans for one in rows if one.within_s != _BEYOND},
            count=sum(one.scans for one in rows),
            seconds=sum(one.seconds for one in rows),
        )
        for (tool, code, scheduled), rows in sorted(alike.items())
    ]
