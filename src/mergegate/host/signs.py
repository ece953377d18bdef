"""Whether workers live, for health checks: asked often, so it loads nothing that carries scans."""

import asyncio
import socket

from mergegate.host.jobs.execution import USUAL
from mergegate.host.settings import ServiceSettings
from mergegate.host.store import workers
from mergegate.host.store.database import Database


def alive_here(settings: ServiceSettings) -> bool:
    """Whether a worker on this machine was heard of lately; raises StoreError."""

    async def found() -> bool:
        database = Database.open(settings.database_url)
        try:
            async with database.read() as conn:
                alive = await workers.alive(conn, USUAL.ttl_s)
        finally:
            await database.close()
        return any(workers.machine_of(one) == socket.gethostname() for one in alive)

    return asyncio.run(found())
