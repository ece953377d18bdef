"""Build a worker process: it carries scans out and answers no requests."""

import asyncio
import datetime as dt
import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from mergegate.host.advisory_renewal import renewed
from mergegate.host.api.logs import configure
from mergegate.host.database import opened, sealer
from mergegate.host.jobs.execution import USUAL, Intervals
from mergegate.host.jobs.worker import Worker
from mergegate.host.runner.executor import scan_executor
from mergegate.host.settings import ServiceSettings
from mergegate.sandbox.process.run import allow_many_files

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def work(settings: ServiceSettings, *, poll_s: float, grace_s: float) -> None:
    """Carry scans out until SIGTERM or SIGINT; a second one ends the process at once.

    Raises UsageError for settings that leave it nothing to do, StoreError when the database does
    not answer at the start; later it waits for it.
    """
    configure()
    allow_many_files()
    asyncio.run(_work(settings, replace(USUAL, poll_s=poll_s), grace_s))


async def _work(settings: ServiceSettings, intervals: Intervals, grace_s: float) -> None:
    async with opened(settings) as database:
        executing = closing(scan_executor(database, sealer(settings), settings))
        with executing as executor, renewed(settings).kept(), _told_to_stop() as told:
            retention = dt.timedelta(days=settings.retention_days)
            worker = Worker(
                database, executor, settings.slots, intervals=intervals, retention=retention
            )
            await worker.start()
            await told.wait()
            await worker.stop(grace_s)


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
