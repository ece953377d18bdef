"""A worker process with an executor that does as the request says, and writes down what it did.

python -m tests.host.jobs.toy URL JOURNAL SETTINGS     SETTINGS: JSON, see ``Settings``

Of a request: ``steps`` of ``step_s`` seconds each, then ``end``: ``done`` (default), ``raise``,
``kill`` (its own worker), ``hang``. The journal gets one line for each thing that happens:
its name, the scan, the process, and the time by a clock that processes share. Of a change that was
cancelled while it waited it tells the forge.
"""

import asyncio
import json
import logging
import os
import signal
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mergegate.core.plans import Lane, Tool
from mergegate.host.jobs.execution import Intervals
from mergegate.host.jobs.worker import Worker
from mergegate.host.scan import Done, Outcome, Scan
from mergegate.host.store.database import Database

FAST = Intervals(heartbeat_s=0.3, ttl_s=1.5, poll_s=0.1, watch_s=0.2, schedule_s=0.3, purge_s=0.3)


@dataclass(frozen=True)
class Settings:
    """Of one toy."""

    lanes: dict[str, int] = field(default_factory=lambda: {"light": 4})
    grace_s: float = 5.0
    limit_s: float = 20
    """Of every scan."""
    intervals: dict[str, float] = field(default_factory=lambda: asdict(FAST))


class Executor:
    """Does no more than a journal can tell."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal

    async def __call__(self, scan: Scan) -> Outcome:
        if scan.outcome is not None:
            self._note("notice", scan)
            return Done("")
        asked: dict[str, Any] = json.loads(scan.request)
        self._note("begin", scan)
        try:
            for _ in range(asked.get("steps", 0)):
                await asyncio.sleep(asked["step_s"])
            return await self._end(asked.get("end", "done"), scan)
        except asyncio.CancelledError:
            self._note("cancelled", scan)
            raise

    async def _end(self, how: str, scan: Scan) -> Outcome:
        match how:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "raise":
                raise RuntimeError("the secret reason")
            case "hang":
                await asyncio.Event().wait()
        self._note("end", scan)
        return Done(json.dumps({"id": scan.id, "by": os.getpid()}))

    def _note(self, what: str, scan: Scan) -> None:
        with self._journal.open("a") as journal:
            journal.write(f"{what} {scan.id} {os.getpid()} {time.monotonic()}\n")


async def work(url: str, journal: Path, settings: Settings) -> None:
    database = Database.open(url)
    lanes = {Lane(name): slots for name, slots in settings.lanes.items()}
    worker = Worker(
        database,
        Executor(journal),
        lanes,
        intervals=Intervals(**settings.intervals),
        limits_s=dict.fromkeys(Tool, settings.limit_s),
    )
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    await worker.start()
    print("ready", worker.id, flush=True)
    await told.wait()
    await worker.stop(settings.grace_s)
    await database.close()


def main() -> None:
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(name)s %(message)s")
    url, journal, settings = sys.argv[1:]
    asyncio.run(work(url, Path(journal), Settings(**json.loads(settings))))


if __name__ == "__main__":
    main()
