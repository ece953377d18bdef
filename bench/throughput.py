"""Scans that do nothing, a second: what the queue itself takes.

    python bench/throughput.py [--scans N] [--rounds N] [--slots N] [--poll SECONDS]

Prints JSON. A backlog of such scans is submitted, then drained: by one worker process and by two
on a PostgreSQL of the bench's own, turn and turn about, and by one on SQLite. The time is from the
first scan that begins to the last that is settled, by the database's own columns: neither the start
of the processes nor ours is in it. Compare the ratios; machines are noisy.
"""

import argparse
import asyncio
import datetime as dt
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.host.jobs.toy import Settings
from tests.postgres import Server, new_server

from mergegate.core.plans import Lane, Tool
from mergegate.host.account import UNLIMITED
from mergegate.host.jobs.execution import Intervals
from mergegate.host.scan import State
from mergegate.host.store import accounts, scans
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from mergegate.host.store.scans import Submission
from mergegate.host.store.tables import scans as table
from mergegate.sandbox.process.run import cores

ROOT = Path(__file__).parents[1]
ACCOUNTS = 4
AT_A_TIME = 100


@dataclass(frozen=True)
class Drained:
    """One round."""

    a_second: float
    worker_cpu_ms: float
    """Of all worker processes, for one scan; less noisy than the rate."""


def drained(url: str, workers: int, given: argparse.Namespace, folder: Path) -> Drained:
    """On a database of its own."""
    migrate(url)
    intervals = replace(Intervals(), poll_s=given.poll)
    settings = Settings(lanes={"light": given.slots}, limit_s=60.0, intervals=asdict(intervals))
    asyncio.run(submit(url, given.scans))
    command = [
        sys.executable,
        "-m",
        "tests.host.jobs.toy",
        url,
        os.devnull,
        json.dumps(asdict(settings)),
    ]
    with (folder / "log").open("a") as log:
        processes = [
            subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log) for _ in range(workers)
        ]
    try:
        rate = asyncio.run(measured(url, given.scans))
        cpu = sum(sum(psutil.Process(one.pid).cpu_times()[:2]) for one in processes)
        return Drained(rate, 1000 * cpu / given.scans)
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def submit(url: str, number: int) -> None:
    database = Database.open(url)
    now = dt.datetime.now(dt.UTC)
    async with database.change() as conn:
        owners = [
            (await accounts.create(conn, f"a{i}", UNLIMITED, now)).id for i in range(ACCOUNTS)
        ]
    for first in range(0, number, AT_A_TIME):
        async with database.change() as conn:
            for one in range(first, min(number, first + AT_A_TIME)):
                what = (owners[one % ACCOUNTS], Tool.SECURITY_SCAN, Lane.LIGHT, "{}")
                await scans.submit(conn, Submission(f"sec_{one}", *what, now), joinable=False)
    await database.close()


async def measured(url: str, number: int) -> float:
    database = Database.open(url)
    span = sa.select(sa.func.min(table.c.started_at), sa.func.max(table.c.finished_at))
    left = sa.select(sa.func.count()).where(table.c.state == State.RUNNING)
    while True:
        async with database.read() as conn:
            if not await conn.scalar(left):
                begun, ended = (await conn.execute(span)).one()
                break
        await asyncio.sleep(0.2)
    await database.close()
    assert begun is not None
    assert ended is not None
    return number / float((ended - begun).total_seconds())


def on_postgresql(server: Server, workers: int, turn: int, given: Any, folder: Path) -> Drained:
    name = f"t{turn}w{workers}"
    server.run(f"CREATE DATABASE {name}")
    try:
        return drained(server.url(name), workers, given, folder)
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


def middle(values: list[float]) -> float:
    return round(statistics.median(values), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scans", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slots", type=int, default=32)
    parser.add_argument("--poll", type=float, default=0.05)
    given = parser.parse_args()
    found: dict[str, list[Drained]] = {"one": [], "two": [], "sqlite": []}
    server = new_server()
    with tempfile.TemporaryDirectory(prefix="throughput-") as name:
        folder = Path(name)
        try:
            server.start()
            for turn in range(given.rounds):
                found["one"].append(on_postgresql(server, 1, turn, given, folder))
                found["two"].append(on_postgresql(server, 2, turn, given, folder))
                file = folder / f"{turn}.db"
                found["sqlite"].append(drained(f"sqlite:///{file}", 1, given, folder))
        finally:
            server.stop()
            shutil.rmtree(server.folder, ignore_errors=True)
    rate = {name: middle([one.a_second for one in found[name]]) for name in found}
    told = {
        "a_second": rate,
        "worker_cpu_ms": {name: middle([o.worker_cpu_ms for o in found[name]]) for name in found},
        "two_to_one": round(rate["two"] / rate["one"], 2),
        "cores": cores(),
        "load": psutil.getloadavg(),
    }
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
