"""Requests of each key, as the processes of one host report them to each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.sql import DatabaseClock, insert
from mergegate.host.store.tables import rates

KEPT_S = 60.0
"""Seconds after which a report no longer counts."""


@dataclass(frozen=True, slots=True)
class Use:
    """Requests of one key within the last minute."""

    requests: int
    frees_in_s: float
    """Seconds until the oldest of them no longer counts."""


async def tell(conn: AsyncConnection, process: str, used: Mapping[str, Use]) -> None:
    """Report each key's use in ``process``, in place of its last report."""
    if not used:
        return
    put = insert(conn, rates).values(
        key_id=sa.bindparam("key_id"),
        process=process,
        requests=sa.bindparam("requests"),
        told_at=DatabaseClock(),
        frees_at=DatabaseClock() + sa.bindparam("frees_in_s", type_=sa.Double),
    )
    renewed = {name: put.excluded[name] for name in ("requests", "told_at", "frees_at")}
    await conn.execute(
        put.on_conflict_do_update(index_elements=["key_id", "process"], set_=renewed),
        [
            {"key_id": key_id, "requests": one.requests, "frees_in_s": one.frees_in_s}
            for key_id, one in used.items()
        ],
    )


async def told(conn: AsyncConnection, process: str) -> Mapping[str, Use]:
    """Each key's use in all processes but ``process`` together."""
    c = rates.c
    recent = (c.process != process, c.requests > 0, c.told_at > DatabaseClock() - KEPT_S)
    frees_in: sa.ColumnElement[Any] = sa.func.min(c.frees_at) - DatabaseClock()
    asked = sa.select(c.key_id, sa.func.sum(c.requests), frees_in).where(*recent)
    found = await conn.execute(asked.group_by(c.key_id))
    return {row[0]: Use(int(row[1]), float(row[2])) for row in found}


async def purge(conn: AsyncConnection) -> int:
    """Delete reports that no longer count, a while later; returns how many."""
    old = rates.c.told_at <= DatabaseClock() - 2 * KEPT_S
    return (await conn.execute(sa.delete(rates).where(old))).rowcount
