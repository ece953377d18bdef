"""The hot read: who asks, and the scan that is asked for, by one statement.

Only a long result takes a second one on PostgreSQL, where looks travel together.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from mergegate.host.account import Caller
from mergegate.host.scan import Scan
from mergegate.host.store.askable import askable
from mergegate.host.store.database import Database
from mergegate.host.store.finished import Finished, Kept
from mergegate.host.store.keys import CALLER, caller_of, hash_of, valid
from mergegate.host.store.moment import Moment, in_zone
from mergegate.host.store.questions import Values, question
from mergegate.host.store.scans import COLUMNS, scan_of
from mergegate.host.store.tables import accounts, keys, scans


@dataclass(frozen=True, slots=True)
class Glance:
    """What one look at the database tells."""

    caller: Caller | None
    """None for a key that is none (:func:`mergegate.host.store.keys.caller`)."""
    scan: Scan | None
    """None when there is no such scan, and alike when it is another account's."""


_NEVER = sa.false()


def _look(
    asked: Mapping[str, sa.ColumnElement[Any]], is_long: sa.ColumnElement[bool] = _NEVER
) -> sa.Select[*tuple[Any, ...]]:
    """The result stays where it is when the scan is the one that is ``kept`` already."""
    mine = sa.and_(scans.c.id == asked["scan_id"], scans.c.account_id == keys.c.account_id)
    is_kept = scans.c.finished_at == asked["kept"]
    result = sa.case((sa.or_(is_kept, is_long), sa.null()), else_=scans.c.result)
    columns = (result.label("result") if one is scans.c.result else one for one in COLUMNS)
    return (
        sa.select(*CALLER, *columns, is_long.label("is_long"))
        .join(accounts, accounts.c.id == keys.c.account_id)
        .outerjoin(scans, mine)
        .where(valid(asked["hash"], asked["now"]))
    )


_LONG_BYTES = 256 << 10
"""A result of up to 64 MiB in a statement for many would be as much memory many times over."""
_IS_LONG = sa.func.coalesce(
    sa.func.octet_length(scans.c.result) > sa.literal_column(str(_LONG_BYTES)), sa.false()
)
_LOOK = question(
    {"hash": sa.String(), "scan_id": sa.String(), "now": Moment(), "kept": Moment()},
    _look,
    beside=lambda asked: _look(asked, _IS_LONG),
)
_LONG = question(
    {"scan_id": sa.String()},
    lambda asked: sa.select(scans.c.result).where(scans.c.id == asked["scan_id"]),
    most_together=1,
)
_ID = COLUMNS.index(scans.c.id)
_FINISHED = COLUMNS.index(scans.c.finished_at)
_RESULT = COLUMNS.index(scans.c.result)
_TIMES = frozenset(
    at
    for at, one in enumerate(sa.select(*COLUMNS).selected_columns)
    if isinstance(one.type, Moment)
)
_caller = lru_cache(1_000)(caller_of)
"""The same columns are the same caller; what they are is asked each time."""


async def glance(database: Database, key: str, scan_id: str, now: dt.datetime) -> Glance:
    """What ``key`` may see of the scan; a bad key costs as much as a good one.

    Raises StoreError for what the database does.
    """
    asked = askable(scan_id)
    kept = database.finished.find(asked)
    at = None if kept is None else kept.finished_at
    values: Values = {"hash": hash_of(key), "scan_id": asked, "now": now, "kept": at}
    row = await database.peeks.row(_LOOK, values)
    if row is None:
        return Glance(None, None)
    caller = _caller(*row[: len(CALLER)])
    found = row[len(CALLER) : -1]
    if row[-1] and found[_FINISHED] != at:
        found = await _with_result(database, found)
    return Glance(caller, _scan(found, caller, kept, database.finished))


async def _with_result(database: Database, row: Sequence[Any]) -> Sequence[Any]:
    """``row`` with what was too long to travel with others; as of no scan when it is gone now."""
    found = await database.peeks.row(_LONG, {"scan_id": row[_ID]})
    return [None] * len(row) if found is None else [*row[:_RESULT], found[0]]


def _scan(row: Sequence[Any], caller: Caller, kept: Kept | None, finished: Finished) -> Scan | None:
    if row[_ID] is None:
        _forget(kept, caller, finished)
        return None
    at = row[_FINISHED]
    if kept is not None and kept.finished_at == at:
        return kept.scan
    scan = scan_of([in_zone(one) if place in _TIMES else one for place, one in enumerate(row)])
    if at is not None:
        finished.keep(scan, at)
    return scan


def _forget(kept: Kept | None, caller: Caller, finished: Finished) -> None:
    """Its owner does not see it any more: it was removed. To all others it never was there."""
    if kept is not None and kept.scan.account_id == caller.account_id:
        finished.forget(kept.scan.id)
