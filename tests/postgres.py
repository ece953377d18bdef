"""A PostgreSQL server of the tests' own, and a fresh database for each test on both kinds.

Whoever needs them imports the fixtures into its ``conftest.py``.
"""

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import psycopg
import pytest

from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate

_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "unix_socket_permissions": "0777",
}
_TEMPLATE = "migrated"
_STARTS_WITHIN_S = 60


@dataclass
class Server:
    """Listens on a socket in its own folder; whatever ends the tests ends it."""

    folder: Path
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def start(self) -> None:
        """Returns when it answers."""
        settings = [f"--{name}={value}" for name, value in _SETTINGS.items()]
        settings.append(f"--unix_socket_directories={self.folder}")
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [program("postgres"), "-D", self.folder / "data", *settings],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=_end_with_parent,  # noqa: PLW1509 - the tests start it before any thread
            user=_account(),
        )
        log.close()
        self._wait()

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """At once by default, as a crash would; SIGINT ends its sessions first, SIGTERM waits."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(_STARTS_WITHIN_S)
            self.process = None

    def run(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as conn:
            conn.execute(statement.encode())

    def _wait(self) -> None:
        limit = time.monotonic() + _STARTS_WITHIN_S
        while True:
            try:
                return self.run("SELECT 1")
            except psycopg.OperationalError:
                assert self.process is not None
                alive = self.process.poll() is None and time.monotonic() < limit
                assert alive, (self.folder / "log").read_text()
                time.sleep(0.05)


def program(name: str) -> str:
    """Where a server program is; Debian keeps them out of the PATH."""
    beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = shutil.which(name) or next((str(one) for one in beside), None)
    if found is None:
        pytest.skip(f"NOT CHECKED on PostgreSQL: its program {name} is not installed")
    return found


def new_server() -> Server:
    """Made, not started; its folder is the caller's to remove."""
    initdb = program("initdb")
    folder = Path(tempfile.mkdtemp(prefix="mergegate-pg-"))
    if (account := _account()) is not None:
        os.chown(folder, account, -1)
    command = [initdb, "--no-sync", "--auth=trust", "--username=postgres", "-E", "UTF8"]
    command += ["--locale=C", "-D", str(folder / "data")]
    subprocess.run(command, check=True, capture_output=True, cwd=folder, user=_account())
    return Server(folder)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    server = new_server()
    try:
        server.start()
        server.run(f"CREATE DATABASE {_TEMPLATE}")
        migrate(server.url(_TEMPLATE))
        yield server
    finally:
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_url(postgres_server: Server) -> str:
    """Of a database without tables, which its tests share."""
    return postgres_server.url()


@pytest.fixture
def fresh_postgres(postgres_server: Server) -> Iterator[str]:
    """The URL of an empty database of the test's own."""
    yield from _made(postgres_server, "template0")


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of the test's own, on each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/service.db"
    return str(request.getfixturevalue("fresh_postgres"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a migrated database of the test's own, on each kind in turn."""
    if request.param == "sqlite":
        (tmp_path / "service.db").write_bytes(migrated_file())
        yield f"sqlite:///{tmp_path}/service.db"
    else:
        yield from _made(request.getfixturevalue("postgres_server"), _TEMPLATE)


on_postgresql_daily = pytest.mark.parametrize(
    "database_url",
    [pytest.param("sqlite", marks=pytest.mark.thorough), "postgresql"],
    indirect=True,
)
"""For long tests that other ones hold on SQLite, too: on that every night."""


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """That database, opened; its tests are marked ``anyio``."""
    opened = Database.open(database_url)
    yield opened
    await opened.close()


def _made(server: Server, template: str) -> Iterator[str]:
    name = f"t{secrets.token_hex(8)}"
    server.run(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield server.url(name)
    if server.process is not None:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


@cache
def migrated_file() -> bytes:
    """A SQLite file with tables: copied faster than made."""
    with tempfile.TemporaryDirectory() as folder:
        migrate(f"sqlite:///{folder}/service.db")
        return Path(folder, "service.db").read_bytes()


def _account() -> int | None:
    """Whom the server runs as; None for ourselves. PostgreSQL refuses to be root."""
    if os.geteuid() != 0:
        return None
    known = {one.pw_name: one.pw_uid for one in pwd.getpwall()}
    return known.get("postgres", known["nobody"])


def _end_with_parent() -> None:
    """SIGQUIT ends the server at once (``PR_SET_PDEATHSIG`` is 1)."""
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)
