"""What processes of one host tell each other of the requests that keys have made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.host.store.sql import DatabaseClock, insert
from mergegate.host.store.tables import rates

KEPT_S = 60.0
"""What was told longer ago is about no minute that counts."""


@dataclass(frozen=True, slots=True)
class Use:
    """Of one key within the last minute."""

    requests: int
    frees_in_s: float
    """When the oldest of them no longer counts."""


async def tell(conn: AsyncConnection, process: str, used: Mapping[str, Use]) -> None:
    """Key → what ``process`` has seen of it, in place of what it told before."""
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
    """Key → what all processes but ``process`` have seen of it together."""
    c = rates.c
    recent = (c.process != process, c.requests > 0, c.told_at > DatabaseClock() - KEPT_S)
    frees_in: sa.ColumnElement[Any] = sa.func.min(c.frees_at) - DatabaseClock()
    asked = sa.select(c.key_id, sa.func.sum(c.requests), frees_in).where(*recent)
    found = await conn.execute(asked.group_by(c.key_id))
    return {row[0]: Use(int(row[1]), float(row[2])) for row in found}


async def purge(conn: AsyncConnection) -> int:
    """Forget what no longer counts, a while later; tells how many rows."""
    old = rates.c.told_at <= DatabaseClock() - 2 * KEPT_S
    return (await conn.execute(sa.delete(rates).where(old))).rowcount
