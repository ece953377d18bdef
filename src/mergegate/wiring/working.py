"""Build a worker process: it carries scans out and answers no requests."""

import asyncio
import datetime as dt
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from mergegate.api.logs import configure
from mergegate.jobs.port import Carrier
from mergegate.jobs.worker import Pace, Worker
from mergegate.model.service.settings import ServiceSettings
from mergegate.store.service import workers
from mergegate.store.service.database import Database
from mergegate.wiring.carrying import carrier
from mergegate.wiring.database import opened, sealer
from mergegate.wiring.renewing import renewed
from mergegate.world.process import allow_many_files

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def work(settings: ServiceSettings, *, poll_s: float, grace_s: float) -> None:
    """Carry scans out until SIGTERM or SIGINT; a second one ends the process at once.

    Raises UsageError for settings that leave it nothing to do, StoreError when the database does
    not answer at the start; later it waits for it.
    """
    configure()
    allow_many_files()
    asyncio.run(_work(settings, replace(Pace(), poll_s=poll_s), grace_s))


def alive_here(settings: ServiceSettings) -> bool:
    """Whether a worker on this machine was heard of lately; raises StoreError."""

    async def found() -> bool:
        database = Database.open(settings.database_url)
        try:
            async with database.read() as conn:
                alive = await workers.alive(conn, Pace().ttl_s)
        finally:
            await database.close()
        return any(one.startswith(f"{socket.gethostname()}-") for one in alive)

    return asyncio.run(found())


async def _work(settings: ServiceSettings, pace: Pace, grace_s: float) -> None:
    async with opened(settings) as database:
        carrying, renewing = _carrying(settings, database), renewed(settings).kept()
        with carrying as carries, renewing, _told_to_stop() as told:
            retention = dt.timedelta(days=settings.retention_days)
            worker = Worker(database, carries, settings.slots, pace=pace, retention=retention)
            await worker.start()
            await told.wait()
            await worker.stop(grace_s)


@contextmanager
def _carrying(settings: ServiceSettings, database: Database) -> Iterator[Carrier]:
    with closing(carrier(database, sealer(settings), settings)) as carries:
        yield carries


@contextmanager
def _told_to_stop() -> Iterator[asyncio.Event]:
    """Set by the first signal; the second takes what children run along with it."""
    loop, told = asyncio.get_running_loop(), asyncio.Event()

    def tell(number: int) -> None:
        if told.is_set():
            os._exit(128 + number)
        told.set()

    for number in _SIGNALS:
        loop.add_signal_handler(number, tell, number)
    yield told
    for number in _SIGNALS:
        loop.remove_signal_handler(number)
