"""Kills, freezes and restarts whatever takes part in carrying scans, and counts what is left.

A witness in the database itself, a trigger, notes every time that a scan is settled: nobody's word
is taken for it. ``bench/kill_drill.py`` is its command; a short form is among the tests.
"""

import asyncio
import datetime as dt
import hashlib
import json
import random
import signal
import sys
import time
from asyncio.subprocess import Process
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from mergegate.core.errors import StoreError
from mergegate.core.plans import Lane, Tool
from mergegate.host.account import UNLIMITED
from mergegate.host.jobs.execution import Intervals
from mergegate.host.scan import State
from mergegate.host.store import accounts, idempotency, scans
from mergegate.host.store.database import Database
from mergegate.host.store.idempotency import Conflict, Same
from mergegate.host.store.migrate import migrate
from mergegate.host.store.scans import Submission
from tests.host.jobs.toy import Settings
from tests.postgres import Server

ROOT = Path(__file__).parents[3]
REQUEST = {"steps": 5, "step_s": 0.2}
_RUNNING = "SELECT count(*) FROM scans WHERE state = 'running'"
_WITNESS = {
    "sqlite": [
        "CREATE TABLE settlings (id TEXT, before TEXT)",
        """CREATE TRIGGER witness AFTER UPDATE OF state ON scans
        BEGIN INSERT INTO settlings VALUES (new.id, old.state); END""",
    ],
    "postgresql": [
        "CREATE TABLE settlings (id TEXT, before TEXT)",
        """CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN INSERT INTO settlings VALUES (new.id, old.state); RETURN new; END'""",
        """CREATE TRIGGER witness AFTER UPDATE OF state ON scans
        FOR EACH ROW EXECUTE FUNCTION note()""",
    ],
}


@dataclass(frozen=True, kw_only=True)
class Drill:
    """What is done."""

    url: str
    folder: Path
    server: Server | None = None
    """Of PostgreSQL; restarted on the way."""
    workers: int = 3
    slots: int = 8
    scans: int = 200
    kills: int = 15
    between_s: tuple[float, float] = (0.5, 1.5)
    """From one blow to the next."""
    intervals: Intervals = field(default_factory=Intervals)
    within_s: float = 120.0
    """How long to wait at the end."""
    seed: int = 0


@dataclass(frozen=True)
class Found:
    """What came of it."""

    accepted: int
    lost: int
    """Accepted, and missing or still running at the end."""
    doubled: int
    """Settled more than once, or submitted twice for one order."""
    given_up: int
    """Failed because each of their three workers was killed."""
    killed: int
    restarted: int
    """Submitting server and PostgreSQL."""
    died: int
    """Workers that ended unasked, and were started again."""
    most_tries: int
    settled_s: float
    """From the last blow to the last outcome."""


class _Ground:
    """The processes of a drill."""

    def __init__(self, drill: Drill, account: str) -> None:
        self.drill = drill
        self.account = account
        self.workers: list[Process] = []
        self.ready: dict[Process, asyncio.Task[bytes]] = {}
        """Done when the worker claims scans: a blow against one that still starts hits nothing."""
        self.accepted: dict[int, str] = {}
        self.restarted = 0
        self.died = 0
        self._watching: list[asyncio.Task[None]] = []

    async def add_worker(self) -> None:
        drill = self.drill
        told = Settings(
            lanes={"light": drill.slots}, limit_s=60.0, intervals=asdict(drill.intervals)
        )
        journal = str(drill.folder / "journal")
        worker = await self._run("tests.host.jobs.toy", drill.url, journal, _json(told))
        self.workers.append(worker)
        assert worker.stdout is not None
        self.ready[worker] = asyncio.create_task(worker.stdout.readline())
        self._watching.append(asyncio.create_task(self._replace(worker)))

    async def _replace(self, worker: Process) -> None:
        """As a supervisor does: one that starts in an outage gives up, for instance."""
        await worker.wait()
        if worker in self.workers:
            self.died += 1
            self.workers.remove(worker)
            await asyncio.sleep(0.5)
            await self.add_worker()

    async def submit(self) -> None:
        """Starts over whenever the submitting process is killed, from what it did not confirm."""
        while len(self.accepted) < self.drill.scans:
            drill, first = self.drill, len(self.accepted)
            pause_s = drill.kills * sum(drill.between_s) / 2 / drill.scans
            told = (str(first), str(drill.scans), str(pause_s))
            self.server = await self._run("tests.host.jobs.drill", drill.url, self.account, *told)
            assert self.server.stdout is not None
            async for line in self.server.stdout:
                number, id = line.decode().split()
                self.accepted[int(number)] = id
            await self.server.wait()

    async def _run(self, module: str, *arguments: str) -> Process:
        with (self.drill.folder / "log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", module, *arguments),
                cwd=ROOT,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )

    async def end(self) -> None:
        for task in self._watching:
            task.cancel()
        for process in self.workers:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
                process.kill()
            await process.wait()


async def run(drill: Drill) -> Found:
    """All of it; takes about ``kills`` times the mean of ``between_s``, and the recovery."""
    migrate(drill.url)
    database = Database.open(drill.url)
    ground = _Ground(drill, await _prepare(database))
    for _ in range(drill.workers):
        await ground.add_worker()
    submitting = asyncio.create_task(ground.submit())
    try:
        await _strike(ground)
        await submitting
        settled_s = await _recover(database, drill)
        return await _count(database, ground, settled_s)
    finally:
        submitting.cancel()
        await ground.end()
        await database.close()


async def _prepare(database: Database) -> str:
    async with database.change() as conn:
        for statement in _WITNESS["sqlite" if database.is_sqlite else "postgresql"]:
            await conn.execute(sa.text(statement))
        account = await accounts.create(conn, "drill", UNLIMITED, dt.datetime.now(dt.UTC))
    return account.id


async def _strike(ground: _Ground) -> None:
    """A worker at each blow; in between the server, the database, and a worker that freezes."""
    drill, chance = ground.drill, random.Random(ground.drill.seed)
    for blow in range(drill.kills):
        await asyncio.sleep(chance.uniform(*drill.between_s))
        victim = ground.workers.pop(chance.randrange(len(ground.workers)))
        await ground.ready[victim]
        victim.kill()
        await victim.wait()
        await ground.add_worker()
        if blow == drill.kills // 4:
            frozen = chance.choice(ground.workers)
            await ground.ready[frozen]
            frozen.send_signal(signal.SIGSTOP)
        if blow == drill.kills // 3 and ground.server.returncode is None:
            ground.server.kill()
            ground.restarted += 1
        if blow == drill.kills // 2 and drill.server is not None:
            await asyncio.to_thread(_restart, drill.server)
            ground.restarted += 1
    for worker in ground.workers:
        worker.send_signal(signal.SIGCONT)


def _restart(server: Server) -> None:
    server.stop(signal.SIGQUIT)
    time.sleep(1.0)  # an outage, not a blink
    server.start()


async def _recover(database: Database, drill: Drill) -> float:
    """Seconds until nothing is running; those of ``drill.within_s`` when it never is."""
    started = time.monotonic()
    while time.monotonic() - started < drill.within_s:
        with suppress(StoreError):
            async with database.read() as conn:
                if not await conn.scalar(sa.text(_RUNNING)):
                    break
        await asyncio.sleep(0.05)
    return time.monotonic() - started


async def _count(database: Database, ground: _Ground, settled_s: float) -> Found:
    async with database.read() as conn:
        rows = (await conn.execute(sa.text("SELECT id, state, code, tries FROM scans"))).all()
        noted = await conn.execute(sa.text("SELECT count(*), count(DISTINCT id) FROM settlings"))
        settlings, distinct = noted.one()
    over = {row.id for row in rows if row.state != State.RUNNING}
    drill = ground.drill
    return Found(
        accepted=len(ground.accepted),
        lost=len(set(ground.accepted.values()) - over) + len(rows) - len(over),
        doubled=settlings - distinct + abs(len(rows) - drill.scans),
        given_up=sum(row.code == "WORKER_LOST" for row in rows),
        killed=drill.kills,
        restarted=ground.restarted,
        died=ground.died,
        most_tries=max(row.tries for row in rows),
        settled_s=round(settled_s, 1),
    )


async def _submit_all(url: str, account: str, first: int, end: int, pause_s: float) -> None:
    """The submitting server: what it prints is accepted."""
    database = Database.open(url)
    for number in range(first, end):
        while True:
            try:
                id = await _submit(database, account, number)
            except StoreError:
                await asyncio.sleep(0.2)
                continue
            print(number, id, flush=True)
            break
        await asyncio.sleep(pause_s)


async def _submit(database: Database, account: str, number: int) -> str:
    """As the API does it: all in one transaction, an order once however often it is sent."""
    now, id, request = dt.datetime.now(dt.UTC), f"sec_{number:05}_{time.time_ns()}", _json(REQUEST)
    digest = hashlib.sha256(request.encode()).hexdigest()
    async with database.change() as conn:
        claimed = await idempotency.claim(conn, account, f"order {number}", digest, id, now)
        assert not isinstance(claimed, Conflict)
        if isinstance(claimed, Same):
            return claimed.scan_id
        what = (account, Tool.SECURITY_SCAN, Lane.LIGHT, request)
        await scans.submit(conn, Submission(id, *what, now), joinable=False)
    return id


def _json(value: Any) -> str:
    return json.dumps(value if isinstance(value, dict) else asdict(value))


if __name__ == "__main__":
    url, account, first, end, pause_s = sys.argv[1:]
    asyncio.run(_submit_all(url, account, int(first), int(end), float(pause_s)))
