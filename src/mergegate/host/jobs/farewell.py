"""What the forge of a change is owed that was called off: to hear that no verdict will come.

Only who carries scans can tell it. So the row of such a scan says first that it is over, and its
place in the queue stays: whoever carries it, or comes to it later, takes leave, and then it goes.
"""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.render.failures import CANCELLED
from mergegate.core.tool import PREFIXES, Tool
from mergegate.host.scan import Scan
from mergegate.host.store.scans import COLUMNS, scan_of
from mergegate.host.store.tables import scans

_IS_CALLED_OFF = scans.c.code == CANCELLED


def is_owed(scan_id: str) -> bool:
    """Whether it is the scan of a change: identifiers say what they are of."""
    return scan_id.startswith(PREFIXES[Tool.CHANGE])


async def called_off(conn: AsyncConnection, scan_id: str) -> Scan | None:
    """The scan, if that is how it ended and somebody waits to hear of it.

    Of a change that was told of again since, the newer scan speaks. A comment's scan, which is like
    no other, has promised nothing before it began.
    """
    is_last = sa.case((scans.c.digest.is_(None), scans.c.tries > 0), else_=~_is_told_of_again())
    asked = sa.select(*COLUMNS).where(scans.c.id == scan_id, _IS_CALLED_OFF, is_last)
    row = (await conn.execute(asked)).first()
    return None if row is None else scan_of(row)


def _is_told_of_again() -> sa.Exists:
    later, c = scans.alias(), scans.c
    alike = (later.c.account_id == c.account_id, later.c.tool == c.tool, later.c.digest == c.digest)
    return sa.exists().where(*alike, later.c.created_at > c.created_at).correlate(scans)


async def called_off_from(
    conn: AsyncConnection, worker: str, scan_ids: Collection[str]
) -> frozenset[str]:
    """Which of a worker's ``scan_ids`` ended so after ``worker`` had begun them.

    Those that it takes leave of for others are not among them.
    """
    begun = scans.c.id.in_(scan_ids) & (scans.c.worker == worker)
    return frozenset(await conn.scalars(sa.select(scans.c.id).where(begun, _IS_CALLED_OFF)))
