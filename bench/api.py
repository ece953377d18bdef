"""How fast the API answers: latency and CPU at a steady rate, and how much it answers at most.

    python -m bench.api [--postgresql [URL]] [--seconds 10] [--result FILE]

A host (`mergegate serve --no-worker`) and a load generator run as two processes. `get` asks for a
finished result 200 times a second, `post` starts 100 repository scans a second; both are open
loops: a request is sent when its time has come, whether or not the last one was answered, and its
latency counts from then. `most` is how many results a second 16 connections get that never rest.
`cpu_ms` is what the host's process takes of a core for one answer, the database server left out:
others on the machine change it less than the rest. Without `--postgresql` the database is SQLite;
with it a server of the bench's own, or the empty database that the URL names. `load` is that of the
machine before and after, to be read beside `cores`.
"""

import argparse
import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil
from tests.postgres import new_server

from mergegate.core.change import Provider
from mergegate.core.plans import Lane, Scope, Tool
from mergegate.host.account import UNLIMITED
from mergegate.host.scan import Done
from mergegate.host.store import accounts, connections, keys, scans
from mergegate.host.store.connections import Connection
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from mergegate.host.store.scans import Submission
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.sandbox.process.run import cores
from mergegate.site.level import identifier

CONNECTIONS = 16
GETS_A_SECOND, POSTS_A_SECOND = 200, 100
_LEAD_S = 1
"""Until the first request: to plan thousands takes the load generator a while."""
_SERVE = "from mergegate.host.commands.serve import serve; serve()"
_STARTS_WITHIN_S = 60


@dataclass(frozen=True)
class Figures:
    """Milliseconds and answers a second; ``refused`` is everything but 200."""

    answers: int
    refused: int
    a_second: float
    p50_ms: float
    p99_ms: float
    cpu_ms: float


@dataclass(frozen=True)
class Filled:
    """What a host holds before it is asked."""

    key: str
    scan_id: str


@dataclass(frozen=True)
class Running:
    """A server under test."""

    port: int
    process: psutil.Process

    @property
    def cpu_s(self) -> float:
        """What it has taken of a core so far, its children left out."""
        times = self.process.cpu_times()
        return float(times.user + times.system)


def main() -> None:
    options = _options()
    with (
        tempfile.TemporaryDirectory(prefix="mergegate-bench-") as folder,
        database(options.postgresql, folder) as url,
    ):
        figures = measured(url, Path(folder), options.seconds)
    text = json.dumps(figures, indent=2)
    print(text)
    if options.result:
        options.result.write_text(f"{text}\n")


def measured(url: str, folder: Path, seconds: float) -> dict[str, object]:
    """The figures, and where they were found."""
    seal, body, before = new_key(), result_text(), os.getloadavg()[0]
    filled = asyncio.run(fill(url, seal, body))
    return {
        "database": url.partition(":")[0],
        "bytes": len(body),
        "cores": cores(),
        **measure(url, seal, folder, filled, seconds),
        "load": [round(before, 1), round(os.getloadavg()[0], 1)],
    }


@contextmanager
def database(postgresql: str | None, folder: str) -> Iterator[str]:
    """The URL of an empty one; ``postgresql`` is one that is there, or empty for one of our own."""
    if postgresql != "":
        yield postgresql or f"sqlite:///{folder}/service.db"
        return
    server = new_server()
    try:
        server.start()
        server.run("CREATE DATABASE bench")
        yield server.url("bench")
    finally:
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)


def measure(url: str, seal: str, folder: Path, filled: Filled, seconds: float) -> dict[str, object]:
    environment = {
        "MERGEGATE_DATABASE_URL": url,
        "MERGEGATE_SECRET_KEYS": seal,
        "MERGEGATE_DATA_DIR": str(folder),
        "MERGEGATE_MOST_WAITING": "repository=1000000",
    }
    get, post = asking(filled), starting(filled)
    with running([sys.executable, "-c", _SERVE, "--no-worker"], environment) as host:
        asyncio.run(steady(host, get, GETS_A_SECOND, 1))
        gets = asyncio.run(steady(host, get, GETS_A_SECOND, seconds))
        posts = asyncio.run(steady(host, post, POSTS_A_SECOND, seconds))
        most = asyncio.run(flat_out(host, get, seconds))
    return {
        f"get_{GETS_A_SECOND}": asdict(gets),
        f"post_{POSTS_A_SECOND}": asdict(posts),
        "most": asdict(most),
    }


def result_text() -> str:
    """A result of the usual size: forty findings."""
    finding = {"id": "0" * 16, "ruleId": "python-sql-injection", "message": "m" * 400}
    document = {"id": "", "status": "completed", "score": 60, "issues": [finding] * 40, "url": None}
    return json.dumps(document, indent=2) + "\n"


async def fill(url: str, seal: str, body: str) -> Filled:
    """An account without limits, its key, its connection and one finished scan."""
    await asyncio.to_thread(migrate, url)
    now, database = datetime.now(UTC), Database.open(url)
    async with database.change() as conn:
        account = await accounts.create(conn, "bench", UNLIMITED, now)
        key = await keys.make(conn, account.id, "bench", {Scope.REPO}, None, now)
        held = Connection("con_1", account.id, Provider.GITHUB, "https://github.com", now)
        await connections.put(conn, held, Sealer([seal]).seal("token", held.place))
        scan_id = identifier("rs_", now, os.urandom(16))
        request = '{"owner":"o","provider":"github","repo":"r"}'
        one = Submission(scan_id, account.id, Tool.REPOSITORY, Lane.REPOSITORY, request, now)
        await scans.submit(conn, one, joinable=False)
        await scans.settle(conn, scan_id, Done(body), now)
    await database.close()
    return Filled(key.key, scan_id)


def asking(filled: Filled) -> Callable[[int], bytes]:
    head = f"Host: h\r\nX-API-Key: {filled.key}\r\n\r\n"
    request = f"GET /api/repo/result?id={filled.scan_id} HTTP/1.1\r\n{head}".encode()
    return lambda _: request


def starting(filled: Filled) -> Callable[[int], bytes]:
    """Each for another branch: equal ones would be joined."""

    def request(at: int) -> bytes:
        body = json.dumps({"owner": "octo-org", "repo": "hello", "branch": f"b{at}"})
        head = f"Host: h\r\nX-API-Key: {filled.key}\r\nContent-Type: application/json\r\n"
        length = f"Content-Length: {len(body)}\r\n\r\n"
        return f"POST /api/repo/scan HTTP/1.1\r\n{head}{length}{body}".encode()

    return request


async def steady(
    host: Running, request: Callable[[int], bytes], a_second: int, seconds: float
) -> Figures:
    """An open loop: each has its time, and waits for a connection after that."""
    free: asyncio.Queue[Line] = asyncio.Queue()
    for _ in range(CONNECTIONS * 4):
        free.put_nowait(await Line.open(host.port))
    began, count, cpu_s = time.perf_counter() + _LEAD_S, int(a_second * seconds), host.cpu_s
    answers: list[tuple[int, float]] = []

    async def one(at: int) -> None:
        due = began + at / a_second
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        line = await free.get()
        status = await line.ask(request(at))
        answers.append((status, time.perf_counter() - due))
        free.put_nowait(line)

    await asyncio.gather(*(one(at) for at in range(count)))
    took = time.perf_counter() - began
    while not free.empty():
        free.get_nowait().close()
    return _figures(answers, took, host.cpu_s - cpu_s)


async def flat_out(host: Running, request: Callable[[int], bytes], seconds: float) -> Figures:
    """A closed loop: each connection asks again when it was answered."""
    answers: list[tuple[int, float]] = []
    began, cpu_s = time.perf_counter(), host.cpu_s

    async def one() -> None:
        line = await Line.open(host.port)
        while (sent := time.perf_counter()) - began < seconds:
            status = await line.ask(request(len(answers)))
            answers.append((status, time.perf_counter() - sent))
        line.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return _figures(answers, time.perf_counter() - began, host.cpu_s - cpu_s)


class Line:
    """One connection that is kept; the least that HTTP needs, so that it measures the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> "Line":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(self, request: bytes) -> int:
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
        await self._reader.readexactly(length)
        return int(head[9:12])

    def close(self) -> None:
        self._writer.close()


def _figures(answers: list[tuple[int, float]], took: float, cpu_s: float) -> Figures:
    times = sorted(seconds * 1000 for _, seconds in answers)
    return Figures(
        answers=len(answers),
        refused=sum(status != 200 for status, _ in answers),
        a_second=round(len(answers) / took, 1),
        p50_ms=round(statistics.median(times), 2),
        p99_ms=round(times[int(len(times) * 0.99) - 1], 2),
        cpu_ms=round(1000 * cpu_s / len(answers), 2),
    )


@contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[Running]:
    """A server on a free port of this machine, ended afterwards."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = int(found.getsockname()[1])
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [*command, "--port", str(port)], env={**os.environ, **environment}, stderr=log
        )
        try:
            _await(port, process)
            yield Running(port, psutil.Process(process.pid))
        finally:
            process.terminate()
            process.wait(30)


def _await(port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the server did not start")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--postgresql", metavar="URL", nargs="?", const="")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--result", type=Path, metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
