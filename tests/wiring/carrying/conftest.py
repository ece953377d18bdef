"""A host's carrier with its own data, a page, and how a scan is put to it."""

import asyncio
import datetime as dt
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from mergegate.model.service.scan import Outcome, Scan, State
from mergegate.model.service.settings import service_settings
from mergegate.model.service.tool import PREFIXES, Lane, Tool
from mergegate.model.site.identifier import identifier
from mergegate.store.service.database import Database
from mergegate.store.service.migrate import migrate
from mergegate.store.service.sealing import Sealer, new_key
from mergegate.wiring.carrying import Carriage, carrier

ACCEPTED = dt.datetime(2026, 1, 31, 8, 0, tzinfo=dt.UTC)
PAGE = b"<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1><img src=/none.png>"
"""Nothing of it can be measured twice and come out otherwise: no script, no picture."""


LET_GO = Event()
"""Until then ``/hang`` gives no answer."""


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/hang":
            LET_GO.wait()
        found = self.path in {"/", "/favicon.ico"}
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(PAGE)

    do_HEAD = do_GET  # noqa: N815 - http.server calls it so

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        server.daemon_threads = True
        yield f"http://127.0.0.1:{server.server_address[1]}"
        LET_GO.set()
        server.shutdown()


def scan_of(tool: Tool, request: dict[str, Any], account: str = "acc_1") -> Scan:
    """One that was accepted, as its row says it."""
    return Scan(
        id=identifier(PREFIXES[tool], ACCEPTED, bytes(16)),
        account_id=account,
        tool=tool,
        lane=Lane.LIGHT,
        request=json.dumps(request),
        state=State.RUNNING,
        created_at=ACCEPTED,
    )


def carried(carriage: Carriage, scan: Scan) -> Outcome:
    return asyncio.run(_carried(carriage, scan))


async def _carried(carriage: Carriage, scan: Scan) -> Outcome:
    return await carriage(scan)


@pytest.fixture(scope="session")
def host(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Carriage]:
    """One that may reach the page, and is shared by all who leave it as it was."""
    data = tmp_path_factory.mktemp("data")
    with_page = {"MERGEGATE_ALLOW_HOSTS": f"{site.removeprefix('http://')},127.0.0.1:1"}
    settings = service_settings(with_page, data)
    database = opened(settings.database_url)
    carriage = carrier(database, Sealer([new_key()]), settings)
    yield carriage
    carriage.close()
    asyncio.run(database.close())


def opened(url: str) -> Database:
    migrate(url)
    return Database.open(url)


def is_browser(pid: int) -> bool:
    """Whether it is a Chromium's first process."""
    try:
        return b"--remote-debugging-port" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
