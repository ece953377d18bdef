"""Hosts whose workers are real processes, on both databases."""

import asyncio
import datetime as dt
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mergegate.jobs.migrate import migrate
from mergegate.jobs.port import Priority, Queue
from mergegate.jobs.queue import open_queue
from mergegate.model.service.account import UNLIMITED
from mergegate.model.service.scan import Scan
from mergegate.model.service.tool import PREFIXES, Lane, Tool
from mergegate.store.service import accounts, scans
from mergegate.store.service.database import Database
from mergegate.store.service.scans import Submission
from tests.jobs.toy import Settings
from tests.postgres import database, database_url, postgres_server

__all__ = ["database", "database_url", "postgres_server"]

ROOT = Path(__file__).parents[2]
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
    """A database, a queue, and workers that are processes."""

    database: Database
    queue: Queue
    folder: Path
    account: str = ""
    processes: list[subprocess.Popen[str]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def start(self, **settings: Any) -> subprocess.Popen[str]:
        """A worker; it is not ready yet (``ready``)."""
        told = json.dumps(asdict(Settings(**settings)))
        command = [
            sys.executable,
            "-m",
            "tests.jobs.toy",
            self.database.url,
            str(self.journal),
            told,
        ]
        log = (self.folder / f"log{len(self.processes)}").open("w")
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        log.close()
        self.processes.append(process)
        return process

    def worker(self, **settings: Any) -> subprocess.Popen[str]:
        """A worker that is ready."""
        return ready(self.start(**settings))

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
        timeout_s: float = 20,
        priority: Priority = Priority.NORMAL,
        **request: Any,
    ) -> str:
        number = next(self._numbers)
        asked = json.dumps({"number": number, **request})
        owner, now = account or self.account, dt.datetime.now(dt.UTC)
        one = Submission(f"{PREFIXES[tool]}{number:04}", owner, tool, lane, asked, now)
        async with self.database.change() as conn:
            await scans.submit(conn, one, joinable=False)
            scan = await scans.find(conn, owner, one.id)
            assert scan is not None
            await conn.run_sync(self.queue.enqueue, scan, timeout_s, priority=priority)
        return one.id

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

    def table(self, name: str) -> str:
        """Of DBOS."""
        return name if self.database.is_sqlite else f"dbos.{name}"

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


def ready(process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    assert process.stdout is not None
    assert process.stdout.readline().startswith("ready"), "the worker did not start"
    return process


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Returns when it holds; fails when it does not for long."""
    limit = time.monotonic() + PATIENCE_S
    while not await holds():
        assert time.monotonic() < limit, "it never came true"
        await asyncio.sleep(0.05)


@asynccontextmanager
async def hosting(database: Database, folder: Path) -> AsyncIterator[Host]:
    """A host that ends with its workers."""
    migrate(database.url)
    queue = open_queue(database.url)
    made = Host(database, queue, folder)
    made.account = await made.account_named("someone")
    try:
        yield made
    finally:
        for process in made.processes:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)
            process.kill()
            process.communicate()
        queue.close()


@pytest.fixture
async def host(database: Database, tmp_path: Path) -> AsyncIterator[Host]:
    async with hosting(database, tmp_path) as made:
        yield made
