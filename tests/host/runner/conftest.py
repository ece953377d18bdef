"""A host's carrier with its own data, and a page."""

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from mergegate.host.runner.executor import ScanExecutor, scan_executor
from mergegate.host.settings import service_settings
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.sandbox.browser.find import executable
from tests.ci.jobs.conftest import first_topic, topic
from tests.host.runner.housing import Host, hosted
from tests.host.runner.ready import Ready, ready
from tests.host.runner.scans import opened

__all__ = ["first_topic", "topic"]

PAGE = b"<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1><img src=/none.png>"
"""Nothing of it can be measured twice and come out otherwise: no script, no picture."""


LET_GO, ASKED = Event(), Event()
"""Until then ``/hang`` gives no answer; whether it was asked for."""


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/go?"):
            self.send_response(302)
            self.send_header("Location", self.path.partition("?")[2])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path == "/hang":
            ASKED.set()
            LET_GO.wait()
        found = self.path in {"/", "/favicon.ico", "/hang", "/pdf"}
        self.send_response(200 if found else 404)
        kind = "application/pdf" if self.path == "/pdf" else "text/html; charset=utf-8"
        self.send_header("Content-Type", kind)
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


@pytest.fixture(scope="session")
def ready_host(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ready]:
    """One that may reach the page, and is shared by all who leave it as it was."""
    data = tmp_path_factory.mktemp("data")
    with_page = {"MERGEGATE_ALLOW_HOSTS": f"{site.removeprefix('http://')},127.0.0.1:1"}
    settings = service_settings(with_page, data)
    database = opened(settings.database_url)
    carriage = scan_executor(database, Sealer([new_key()]), settings)
    with ready(carriage) as made:
        yield made
    carriage.close()
    asyncio.run(database.close())


@pytest.fixture
def host(ready_host: Ready) -> ScanExecutor:
    return ready_host.carriage


@pytest.fixture(scope="session")
def change_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """One that forges tell of changes; each test has an account of its own."""
    with hosted(tmp_path_factory.mktemp("host")) as made:
        yield made


def is_browser(pid: int) -> bool:
    """Whether it is a Chromium's first process, and not what starts or supervises one."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return words.startswith(bytes(executable())) and b"--remote-debugging-port" in words
