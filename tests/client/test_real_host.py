"""``--remote`` against ``mergegate serve`` as it is: the same report, whatever befalls the host."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import Mergegate, Run, command

SERVE = "import sys; from mergegate.cli.serve import serve; serve(sys.argv[1:])"
PAGE = (
    b'<!doctype html><html lang="en"><head><title>The shop</title></head>'
    b"<body><main><h1>The shop</h1><p>Everything you need.</p></main></body></html>"
)
ANYWAY = {"id", "scanId", "createdAt", "completedAt", "engines", "firstByteMs", "daysLeft"}
"""Identifiers and times; of engines the durations."""

pytestmark = pytest.mark.slow


@dataclass
class Site:
    """A page on loopback that can be slow."""

    port: int = 0
    slow_s: float = 0.0
    asked: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    known = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known.asked.append(self.path)
            time.sleep(known.slow_s)
            found = self.path == "/"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(PAGE) if found else 0))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(PAGE if found else b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield known
    server.shutdown()
    server.server_close()


@dataclass
class Host:
    """A host with all that belongs to it, on one port and one folder."""

    folder: Path
    port: int
    allowed: str
    process: "subprocess.Popen[bytes] | None" = None
    key: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "MERGEGATE_DATA_DIR": str(self.folder),
            "MERGEGATE_ALLOW_HOSTS": self.allowed,
        }
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVE, "--port", str(self.port), "--grace", "0"],
                env=environment,
                stderr=log,
            )
        until(self._is_ready)

    def _is_ready(self) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.url}/readyz", trust_env=False, verify=False).status_code == 200
        return False

    def accepted(self) -> int:
        """Scans that the host has ever taken."""
        with closing(sqlite3.connect(self.folder / "service.db")) as store:
            return int(store.execute("SELECT count(*) FROM scans").fetchone()[0])

    def end(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait(60)


def until(holds: Any) -> None:
    limit = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.05)


@pytest.fixture(scope="module")
def host(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    folder = tmp_path_factory.mktemp("host")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    found = Host(folder, port, f"127.0.0.1:{site.port}")
    found.start()
    made = command(folder, folder)("keys", "create", "--format", "json")
    found.key = made.json["key"]
    yield found
    found.end(signal.SIGKILL)


@pytest.fixture
def there(host: Host, mergegate: Mergegate) -> Any:
    def run(*arguments: str | Path, **more: Any) -> Run:
        keyed = {"MERGEGATE_API_KEY": host.key}
        return mergegate(*arguments, "--remote", host.url, env=keyed, **more)

    return run


def lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: lasting(it) for name, it in value.items() if name not in ANYWAY}
    return [lasting(it) for it in value] if isinstance(value, list) else value


@pytest.mark.parametrize("tool", ["security-scan", "seo"])
def test_a_scan_there_tells_what_a_scan_here_tells(
    tool: str, there: Any, site: Site, mergegate: Mergegate
) -> None:
    here = mergegate(tool, site.url, "--format", "json")
    found = there(tool, site.url, "--format", "json")
    assert (found.code, here.code) == (0, 0), found.err
    assert lasting(found.json) == lasting(here.json)


def test_what_the_host_may_not_visit_is_refused_with_the_reason(there: Any) -> None:
    refused = there("seo", "http://127.0.0.1:9/")
    assert refused.code == 2
    assert "does not visit that address" in refused.err


def test_a_wrong_key_is_said(host: Host, mergegate: Mergegate, site: Site) -> None:
    wrong = {"MERGEGATE_API_KEY": "mg_" + "A" * 43}
    refused = mergegate("seo", site.url, "--remote", host.url, env=wrong)
    assert refused.code == 2
    assert "does not accept the key" in refused.err


def test_a_provider_that_is_not_connected_is_said(there: Any, clone: Path) -> None:
    refused = there("scan", clone)
    assert refused.code == 2
    assert "has no connection to the repository's provider" in refused.err


@pytest.mark.parametrize("tool", ["seo", "security-scan"], ids=["polled", "waited"])
def test_a_host_that_is_killed_in_the_midst_of_a_scan_is_waited_for(
    tool: str, host: Host, there: Any, site: Site
) -> None:
    """The client sees the connection break, the port closed, then the result of one scan."""
    site.asked.clear()
    site.slow_s = 3.0
    before = host.accepted()

    def killed() -> None:
        until(lambda: site.asked)
        host.end(signal.SIGKILL)
        site.slow_s = 0.0
        host.start()

    killing = threading.Thread(target=killed)
    killing.start()
    found = there(tool, site.url, "--format", "json")
    killing.join()
    assert found.code == 0, found.err
    assert found.json["url"] == site.url
    assert "trying again" in found.err
    assert host.accepted() == before + 1
