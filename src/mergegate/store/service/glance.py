"""The hot read: who asks, and the scan that is asked for, by one statement."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from mergegate.model.service.account import Caller
from mergegate.model.service.scan import Scan
from mergegate.store.service.askable import askable
from mergegate.store.service.database import Database
from mergegate.store.service.keys import CALLER, caller_of, hash_of, valid
from mergegate.store.service.moment import Moment, as_text, in_utc, in_zone
from mergegate.store.service.peeking import in_both
from mergegate.store.service.scans import COLUMNS, scan_of
from mergegate.store.service.tables import accounts, keys, scans


@dataclass(frozen=True, slots=True)
class Glance:
    """What one look at the database tells."""

    caller: Caller | None
    """None for a key that is none (:func:`mergegate.store.service.keys.caller`)."""
    scan: Scan | None
    """None when there is no such scan, and alike when it is another account's."""


_STATEMENT = (
    sa.select(*CALLER, *COLUMNS)
    .join(accounts, accounts.c.id == keys.c.account_id)
    .outerjoin(
        scans,
        sa.and_(scans.c.id == sa.bindparam("scan_id"), scans.c.account_id == keys.c.account_id),
    )
    .where(valid(sa.bindparam("hash", type_=sa.String), sa.bindparam("now", type_=Moment)))
)


_FOR_SQLITE, _FOR_POSTGRESQL = in_both(_STATEMENT)
_TIMES = frozenset(
    at for at, one in enumerate(_STATEMENT.selected_columns) if isinstance(one.type, Moment)
)
"""Where in a row they stand."""


async def glance(database: Database, key: str, scan_id: str, now: dt.datetime) -> Glance:
    """What ``key`` may see of the scan; a bad key costs as much as a good one.

    Raises StoreError for what the database does.
    """
    asked = {"hash": hash_of(key), "scan_id": askable(scan_id), "now": now}
    if database.is_sqlite:
        row = await database.peeks.row(_FOR_SQLITE, {**asked, "now": as_text(now)})
    else:
        row = await database.peeks.row(_FOR_POSTGRESQL, {**asked, "now": in_utc(now)})
    if row is None:
        return Glance(None, None)
    return _glance([in_zone(one) if at in _TIMES else one for at, one in enumerate(row)])


def _glance(row: Sequence[Any]) -> Glance:
    caller, scan = row[: len(CALLER)], row[len(CALLER) :]
    return Glance(caller_of(*caller), None if scan[0] is None else scan_of(scan))
