"""The host's database and the keys of its secrets, as the environment names them.

Health checks load this often, so it loads nothing that carries scans.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from mergegate.core.errors import UsageError
from mergegate.host.jobs.execution import USUAL
from mergegate.host.settings import ServiceSettings, service_settings
from mergegate.host.store import leases
from mergegate.host.store.address import address
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from mergegate.host.store.sealing import Sealer, kept_key
from mergegate.repo.settings import folders

KEY_FILE = "secret.key"
"""In the data folder, for a host on SQLite that was given no keys."""


def host_settings(environment: Mapping[str, str]) -> ServiceSettings:
    """How the host is set up; raises UsageError that names the variable at fault."""
    return service_settings(environment, folders(environment).data)


@asynccontextmanager
async def opened(settings: ServiceSettings) -> AsyncIterator[Database]:
    """The host's database, its tables made or renewed where they are not this release's.

    Raises UsageError and StoreError as :mod:`mergegate.host.store.migrate` does.
    """
    migrate(settings.database_url)
    database = Database.open(settings.database_url)
    try:
        yield database
    finally:
        await database.close()


def sealer(settings: ServiceSettings) -> Sealer:
    """What seals and opens the tokens of connections and the secrets of hooks.

    Raises UsageError when there is no key and the database is shared: machines would each make
    their own.
    """
    if settings.secret_keys:
        return Sealer(settings.secret_keys)
    if address(settings.database_url).file is None:
        raise UsageError(
            "MERGEGATE_SECRET_KEYS is missing: PostgreSQL is shared, so its keys must be too",
            remedy="Make one with `mergegate connections new-key` and give it to every process.",
        )
    return Sealer([kept_key(settings.data / KEY_FILE)])


def alive_here(settings: ServiceSettings) -> bool:
    """Whether a worker on this machine was heard of lately; raises StoreError."""

    async def found() -> bool:
        database = Database.open(settings.database_url)
        try:
            async with database.read() as conn:
                alive = await leases.alive(conn, USUAL.ttl_s)
        finally:
            await database.close()
        return any(leases.machine_of(one) == socket.gethostname() for one in alive)

    return asyncio.run(found())
