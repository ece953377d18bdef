"""Real hosts on both databases, whose scans are toys (:mod:`tests.host.api.toy`)."""

import asyncio
import datetime as dt
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from mergegate.core.change import Provider
from mergegate.core.plans import Scope
from mergegate.host.account import UNLIMITED, Account, Plan
from mergegate.host.store import accounts, connections, keys
from mergegate.host.store.connections import Connection
from mergegate.host.store.database import Database
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.repo.wire import to_json
from mergegate.site.audit.wire import result
from mergegate.site.browser_test.wire import result as browser_test
from mergegate.site.security.wire import result as security
from mergegate.site.seo.wire import result as seo
from tests.forked import Forked, Program, start
from tests.host.api.toy import main
from tests.postgres import Server, migrated_file, postgres_server
from tests.repo.report import samples as repository_samples
from tests.site.render import samples as site_samples
from tests.site.render import seo_samples
from tests.site.security.render import samples as security_samples

__all__ = ["postgres_server"]

ROOT = Path(__file__).parents[3]
BOTH = frozenset({Scope.REPO, Scope.SITE})
PATIENCE_S = 60.0
PLAIN = False
"""To ``verify``: without TLS no authorities, which take a while to load for each client."""
SLOTS = "repository=4,browser=4,light=4,waited=8"
SEAL = new_key()
R = TypeVar("R")
_numbers = itertools.count()


@dataclass
class Host:
    """One process that serves."""

    folder: Path
    database_url: str
    command: tuple[str, ...]
    """The words after Python's name; without any it is a toy with ``told``."""
    environment: Mapping[str, str] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    url: str = ""
    process: "subprocess.Popen[bytes] | Forked | None" = None
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner)
    _opened: Database | None = None

    def start(self) -> None:
        """Returns when it serves."""
        before = len(self.all("serving"))
        environment = {
            "PATH": os.environ["PATH"],
            "MERGEGATE_DATABASE_URL": self.database_url,
            "MERGEGATE_DATA_DIR": str(self.folder),
            "MERGEGATE_SECRET_KEYS": SEAL,
            **self.environment,
        }
        self.process = self._started(environment)
        self.url = str(self.line("serving", before)["url"])
        wait_until(lambda: _answers(f"{self.url}/readyz"))

    def _started(self, environment: Mapping[str, str]) -> "subprocess.Popen[bytes] | Forked":
        if not self.command:
            return start(Program(main, self.told, self.log, environment=environment))
        words = [sys.executable, *self.command]
        with self.log.open("ab") as log:
            return subprocess.Popen(words, env=environment, stderr=log, cwd=ROOT)

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What it logged, whole lines."""
        text = self.log.read_text() if self.log.exists() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line[-1] == "\n"]

    def all(self, event: str) -> list[dict[str, Any]]:
        """Its lines of that event."""
        return [one for one in self.lines if one["event"] == event]

    def line(self, event: str, before: int = 0) -> dict[str, Any]:
        """The last line of that event, once there are more than ``before``."""

        def found() -> list[dict[str, Any]]:
            assert self.process is None or self.process.poll() is None, self.log.read_text()
            return self.all(event)[before:]

        return wait_until(found)[-1]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Tells how it ended."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)

    def change(self, work: Callable[[AsyncConnection], Awaitable[R]]) -> R:
        """What ``work`` returns, done beside the host in a transaction of its own."""

        async def all_of_it() -> R:
            async with self._database().change() as conn:
                return await work(conn)

        return self._runner.run(all_of_it())

    def _database(self) -> Database:
        """Opened once: tests look into it many times."""
        if self._opened is None or self._opened.url != self.database_url:
            self._opened = Database.open(self.database_url)
        return self._opened

    def end(self) -> None:
        """The process, if it is still there, and our own look into its database."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE_S)
        with self._runner as runner:
            if self._opened is not None:
                runner.run(self._opened.close())

    def account(self, plan: Plan = UNLIMITED) -> Account:
        """A new one."""
        name = f"account-{next(_numbers)}-{os.getpid()}"
        return self.change(lambda conn: accounts.create(conn, name, plan, now()))

    def key(
        self,
        account: Account | None = None,
        *,
        scopes: frozenset[Scope] = BOTH,
        expires: dt.datetime | None = None,
    ) -> str:
        """A new key, of an account without limits where none is named."""
        owner = account or self.account()
        made = self.change(lambda conn: keys.make(conn, owner.id, "", scopes, expires, now()))
        return made.key

    def connect(self, account: Account, *providers: Provider) -> None:
        """Give the account access to ``providers``."""
        for provider in providers:
            one = Connection(
                f"con_{next(_numbers)}", account.id, provider, f"https://{provider}.com", now()
            )
            sealed = Sealer([SEAL]).seal("token", one.place)
            self.change(partial(_put, one, sealed))

    def client(self, key: str | None = None) -> httpx.Client:
        """Asks with ``key``."""
        headers = {"X-API-Key": key or self.key()}
        return httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE_S, verify=PLAIN)


async def _put(one: Connection, sealed: str, conn: AsyncConnection) -> None:
    await connections.put(conn, one, sealed)


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def wait_until(question: Callable[[], R | None]) -> R:
    """What it answers once that is something; fails when it takes too long."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if found := question():
            return found
        time.sleep(0.03)
    raise AssertionError("it never came to be")


def settled(client: httpx.Client, path: str, scan_id: str) -> dict[str, Any]:
    """The result, polled for."""

    def over() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(path, params={"id": scan_id}).raise_for_status().json()
        return None if found["status"] == "running" else found

    return wait_until(over)


def _answers(url: str) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(url, verify=PLAIN).status_code == 200
    return False


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the result of a scan of each tool."""
    folder = tmp_path_factory.mktemp("samples")
    told = {
        "repository": to_json(repository_samples.failed()),
        "audit": result.to_json(site_samples.shop()),
        "browser-test": browser_test.to_json(site_samples.broken()),
        "security-scan": security.to_json(security_samples.bad()),
        "seo": seo.to_json(seo_samples.tea()),
    }
    for tool, text in told.items():
        (folder / f"{tool}.json").write_text(text)
    return folder


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def host(
    request: pytest.FixtureRequest, samples: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Host]:
    """One for all tests of a database."""
    folder = tmp_path_factory.mktemp("host")
    url = f"sqlite:///{folder}/service.db"
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("postgres_server")
        name = f"api{os.getpid()}_{next(_numbers)}"
        server.run(f"CREATE DATABASE {name} TEMPLATE template0")
        url = server.url(name)
    yield from running(toy(folder, samples, url))


@pytest.fixture
def own_host(samples: Path, tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """Makes hosts of the test's own on SQLite: not started yet, ended with the test."""
    made: list[Host] = []

    def make(grace_s: float = 5.0, proof_s: float = 10.0, **environment: str) -> Host:
        (tmp_path / "service.db").write_bytes(migrated_file())
        url = f"sqlite:///{tmp_path}/service.db"
        made.append(toy(tmp_path, samples, url, grace_s, proof_s, **environment))
        return made[-1]

    yield make
    for one in made:
        one.end()


def toy(
    folder: Path,
    samples: Path,
    url: str,
    grace_s: float = 5.0,
    proof_s: float = 10.0,
    **environment: str,
) -> Host:
    """Proves every ``proof_s`` that its database takes changes."""
    waited = {"MERGEGATE_METRICS": "1", "MERGEGATE_SLOTS": SLOTS, **environment}
    gate = folder / "gate"
    gate.mkdir(exist_ok=True)
    told = (str(samples), str(gate), "0", str(grace_s), str(proof_s))
    return Host(folder, url, (), waited, told)


def running(host: Host) -> Iterator[Host]:
    host.start()
    yield host
    host.end()


@pytest.fixture
def client(host: Host) -> Iterator[httpx.Client]:
    """Asks with a key of an account without limits."""
    with host.client() as made:
        yield made
