"""Key rotation: every stored secret under the newest key, so that older ones can be let go."""

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.store.service.sealing import Sealer
from mergegate.store.service.tables import ConnectionColumns, HookColumns, connections, hooks


async def reseal(conn: AsyncConnection, sealer: Sealer) -> int:
    """Seal all anew with the first key; tells how many there are.

    Raises StoreError, and then nothing is changed, when one opens with none of the keys.
    """
    return await _reseal(conn, sealer, connections) + await _reseal(conn, sealer, hooks)


async def _reseal(
    conn: AsyncConnection,
    sealer: Sealer,
    table: sa.Table[ConnectionColumns] | sa.Table[HookColumns],
) -> int:
    held = (await conn.execute(sa.select(table.c.id, table.c.sealed))).all()
    for id, sealed in held:
        renewed = sa.update(table).where(table.c.id == id, table.c.sealed == sealed)
        await conn.execute(renewed.values(sealed=sealer.reseal(sealed)))
    return len(held)
