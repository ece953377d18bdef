"""Hosts whose workers are real processes, on both databases."""

import asyncio
import datetime as dt
import itertools
import json
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mergegate.core.plans import PREFIXES, Lane, Tool
from mergegate.host.account import UNLIMITED
from mergegate.host.jobs.cancellation import cancel
from mergegate.host.scan import Priority, Scan
from mergegate.host.store import accounts, leases, scans
from mergegate.host.store.database import Database
from mergegate.host.store.scans import Submission
from tests.forked import Forked, Program, start
from tests.host.jobs import toy
from tests.host.jobs.toy import Settings
from tests.postgres import database, database_url, postgres_server

__all__ = ["database", "database_url", "postgres_server"]

PATIENCE_S = 40.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass(frozen=True)
class Line:
    """One thing that a carrier did."""

    what: str
    scan_id: str
    process: int
    at: float


@dataclass
class Host:
    """A database, and workers that are processes."""

    database: Database
    folder: Path
    account: str = ""
    processes: list[Forked] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def start(self, **settings: Any) -> Forked:
        """A worker; it is not ready yet (``ready``)."""
        told = json.dumps(asdict(Settings(**settings)))
        number = len(self.processes)
        process = start(
            Program(
                toy.main,
                (self.database.url, str(self.journal), told),
                log=self.folder / f"log{number}",
                said=self.folder / f"said{number}",
            )
        )
        self.processes.append(process)
        return process

    def worker(self, **settings: Any) -> Forked:
        """A worker that is ready."""
        process = self.start(**settings)
        self.ready(process)
        return process

    def ready(self, process: Forked) -> str:
        """The worker's name, once it is ready."""
        said = self.folder / f"said{self.processes.index(process)}"
        while True:
            over = process.poll() is not None  # looked up first: it may say it and end
            if said.exists() and (text := said.read_text()).endswith("\n"):
                return text.split()[1]
            assert not over, "the worker did not start"
            time.sleep(0.01)

    async def account_named(self, name: str) -> str:
        async with self.database.change() as conn:
            made = await accounts.create(conn, name, UNLIMITED, dt.datetime.now(dt.UTC))
        return made.id

    async def submit(
        self,
        *,
        tool: Tool = Tool.SECURITY_SCAN,
        lane: Lane = Lane.LIGHT,
        account: str = "",
        priority: Priority = Priority.NORMAL,
        joinable: bool = False,
        **request: Any,
    ) -> str:
        number = next(self._numbers)
        asked = json.dumps({"number": number, **request})
        owner, now = account or self.account, dt.datetime.now(dt.UTC)
        one = Submission(f"{PREFIXES[tool]}{number:04}", owner, tool, lane, asked, now, priority)
        async with self.database.change() as conn:
            await scans.submit(conn, one, joinable=joinable)
        return one.id

    async def claim(self, worker: str = "w1", lane: Lane = Lane.LIGHT) -> Scan:
        """The one scan that waits in the lane, taken up by a worker that does nothing else."""
        async with self.database.change() as conn:
            (scan,) = await leases.claim(conn, lane, worker, 1, dt.datetime.now(dt.UTC))
        return scan

    async def cancel(self, scan_id: str) -> bool:
        return await cancel(self.database, scan_id, dt.datetime.now(dt.UTC))

    async def released(self) -> None:
        """Returns when no worker has anything to do any more."""
        open_ = "SELECT count(*) FROM scans WHERE state = 'running' OR notice_due"

        async def over() -> bool:
            return bool((await self.run(open_)).scalar_one() == 0)

        await eventually(over)

    async def found(self, scan_id: str, account: str = "") -> Scan:
        async with self.database.read() as conn:
            scan = await scans.find(conn, account or self.account, scan_id)
        assert scan is not None
        return scan

    async def settled(self, ids: Collection[str]) -> None:
        """Returns when all are."""

        async def over() -> bool:
            async with self.database.read() as conn:
                return await scans.settled(conn, ids) == frozenset(ids)

        await eventually(over)

    async def begun(self, *ids: str) -> None:
        """Returns when a carrier has begun with all of them."""

        async def there() -> bool:
            return set(ids) <= {line.scan_id for line in self.journalled("begin")}

        await eventually(there)

    async def run(self, statement: str, **values: Any) -> sa.CursorResult[Any]:
        async with self.database.change() as conn:
            return await conn.execute(sa.text(statement), values)

    @property
    def journal(self) -> Path:
        return self.folder / "journal"

    def journalled(self, what: str = "") -> list[Line]:
        text = self.journal.read_text() if self.journal.exists() else ""
        rows = [line.split(" ") for line in text.splitlines()]
        lines = [Line(name, id, int(pid), float(at)) for name, id, pid, at in rows]
        return [line for line in lines if what in ("", line.what)]

    def log(self, number: int = 0) -> str:
        return (self.folder / f"log{number}").read_text()


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Returns when it holds; fails when it does not for long."""
    limit = time.monotonic() + PATIENCE_S
    while not await holds():
        assert time.monotonic() < limit, "it never came true"
        await asyncio.sleep(0.05)


@asynccontextmanager
async def hosting(database: Database, folder: Path) -> AsyncIterator[Host]:
    """A host that ends with its workers."""
    made = Host(database, folder)
    made.account = await made.account_named("someone")
    try:
        yield made
    finally:
        for process in made.processes:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


@pytest.fixture
async def host(database: Database, tmp_path: Path) -> AsyncIterator[Host]:
    async with hosting(database, tmp_path) as made:
        yield made
