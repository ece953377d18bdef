"""``--remote`` against ``mergegate serve`` as it is: the same report, whatever befalls the host."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from mergegate.repo.report.formats import FORMATS, OF_A_SCAN
from mergegate.site.render.formats import SECURITY_FORMATS, SEO_FORMATS
from tests.ci.test_drift import record
from tests.conftest import Mergegate, Run, command
from tests.forges.repositories.hosting import ALIVE, Hosting, hosting
from tests.remote.conftest import called
from tests.sandbox.git.test_repository import commit, git

SERVE = "import sys; from mergegate.host.commands.serve import serve; serve(sys.argv[1:])"
PAGE = (
    b'<!doctype html><html lang="en"><head><title>The shop</title></head>'
    b"<body><main><h1>The shop</h1><p>Everything you need.</p></main></body></html>"
)
ANYWAY = {
    "id",
    "scanId",
    "createdAt",
    "completedAt",
    "durationMs",
    "firstByteMs",
    "daysLeft",
    "url",
}
"""Identifiers and times, and the link to a host's own page."""

PACKAGES = ("old", "late")

pytestmark = pytest.mark.slow


@dataclass
class Site:
    """A page on loopback that can keep who asks waiting."""

    port: int = 0
    answers: threading.Event = field(default_factory=threading.Event)
    asked: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    known = Site()
    known.answers.set()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known.asked.append(self.path)
            known.answers.wait()
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
    authorities: Path
    """Of the provider's certificate."""
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
            "MERGEGATE_PROVIDER_CA_FILE": str(self.authorities),
            "MERGEGATE_OFFLINE": "1",
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
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Advisories on the packages of the shop."""
    folder = tmp_path_factory.mktemp("osv") / "npm"
    folder.mkdir()
    for number, package in enumerate(PACKAGES):
        text = json.dumps(record(number, package, f"20{number}9-01-01T00:00:00Z"))
        told = text.replace("PyPI", "npm").replace("PYSEC", "GHSA")
        (folder / f"GHSA-2099-{number}.json").write_text(told)
    return folder.parent


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with a change on it, both of which the provider has."""
    root = tmp_path_factory.mktemp("shop") / "shop"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "run.py").write_text("import subprocess\nsubprocess.run(input(), shell=True)\n")
    named = {name: {"version": "1.0.0", "license": "MIT"} for name in PACKAGES}
    locked = {f"node_modules/{name}": package for name, package in named.items()}
    own = {"": {"dependencies": dict.fromkeys(named, "1.0.0")}}
    lock = {"lockfileVersion": 3, "packages": own | locked}
    (root / "package-lock.json").write_text(json.dumps(lock, indent=1))
    commit(root, "first")
    git(root, "switch", "-q", "-c", "topic")
    (root / "new.py").write_text("eval(input())\nkept = eval(input())  # nosemgrep\n")
    (root / "link").symlink_to("/etc/passwd")
    commit(root, "second")
    return root


@pytest.fixture(scope="module")
def provider(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosting]:
    with hosting(tmp_path_factory.mktemp("provider") / "hosted", shop) as there:
        called(shop, "https://github.com/octo/shop.git")
        for branch in ("main", "topic"):
            git(shop, "update-ref", f"refs/remotes/origin/{branch}", branch)
        yield there


@pytest.fixture(scope="module")
def host(
    site: Site, provider: Hosting, records: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Host]:
    folder = tmp_path_factory.mktemp("host")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    allowed = f"127.0.0.1:{site.port},{provider.url.removeprefix('https://')}"
    found = Host(folder, port, allowed, provider.authorities)
    here = command(folder, folder)
    assert here("advisories", "update", records).code == 0
    found.start()
    found.key = here("keys", "create", "--format", "json").json["key"]
    token = {
        "MERGEGATE_PROVIDER_TOKEN": ALIVE,
        "MERGEGATE_ALLOW_HOSTS": allowed,
        "MERGEGATE_PROVIDER_CA_FILE": str(provider.authorities),
    }
    arguments = ("--provider", "github", "--base-url", provider.url)
    connected = here("connections", "add", *arguments, env=token)
    assert connected.code == 0, connected.err
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


def written(run: Any, folder: Path, names: Iterable[str], *arguments: str | Path) -> Run:
    """One run that writes every format into ``folder``."""
    folder.mkdir()
    files = [one for name in names for one in ("--format", f"{name}={folder / name}")]
    done: Run = run(*arguments, *files)
    return done


def same(here: Path, there: Path) -> None:
    """All files equal, identifiers and times aside; JSON field for field."""
    own = {"url": None}  # a host's links to a page of its own
    assert lasting(told(there / "json") | own) == lasting(told(here / "json") | own)
    files = sorted(one.relative_to(here) for one in here.rglob("*") if one.is_file())
    assert files == sorted(one.relative_to(there) for one in there.rglob("*") if one.is_file())
    for name in files:
        if name != Path("json"):
            assert timeless(there, name) == timeless(here, name), name


def told(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def timeless(folder: Path, name: Path) -> str:
    document = told(folder / "json")
    text = (folder / name).read_text().replace(document.get("id") or document["scanId"], "ID")
    stamps = (document["createdAt"], document["completedAt"])
    for form in (*stamps, *(f"{one[11:16]} UTC" for one in stamps), *(one[:19] for one in stamps)):
        text = text.replace(form, "T")
    text = re.sub(r"urn:uuid:[0-9a-f-]{36}", "U", text)
    text = re.sub(r' time="[\d.]+"', "", text)
    return re.sub(r" *[\d.,]+ m?s\b", " S", text)


@pytest.mark.parametrize(
    ("tool", "formats"), [("security-scan", SECURITY_FORMATS), ("seo", SEO_FORMATS)]
)
def test_a_scan_there_tells_what_a_scan_here_tells(
    tool: str, formats: Iterable[str], there: Any, site: Site, mergegate: Mergegate, tmp_path: Path
) -> None:
    here = written(mergegate, tmp_path / "here", formats, tool, site.url)
    found = written(there, tmp_path / "there", formats, tool, site.url)
    assert (found.code, here.code) == (0, 0), found.err
    same(tmp_path / "here", tmp_path / "there")


def test_a_repository_there_is_told_as_one_here(
    there: Any, shop: Path, records: Path, mergegate: Mergegate, tmp_path: Path
) -> None:
    """In every format, inventory, advisories and what they say of the base among it."""
    assert mergegate("advisories", "update", records).code == 0
    scan = ("scan", shop, "--base", "main")
    known = {name: form for name, form in FORMATS.items() if name not in OF_A_SCAN}
    here = written(mergegate, tmp_path / "here", known, *scan, "--offline", "--no-cache")
    found = written(there, tmp_path / "there", known, *scan)
    assert (found.code, here.code) == (1, 1), found.err
    result = told(tmp_path / "there" / "json")
    assert [one["name"] for one in result["packages"]] == sorted(PACKAGES)
    assert (len(result["dependencyVulns"]), result["comparison"]["base"]) == (
        2,
        git(shop, "rev-parse", "main"),
    )
    same(tmp_path / "here", tmp_path / "there")


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
    called(clone, "https://gitlab.com/octo-org/shop.git")
    refused = there("scan", clone)
    assert refused.code == 2
    assert "has no connection to the repository's provider" in refused.err


@pytest.mark.parametrize("tool", ["seo", "security-scan"], ids=["polled", "waited"])
def test_a_host_that_is_killed_in_the_midst_of_a_scan_is_waited_for(
    tool: str, host: Host, there: Any, site: Site
) -> None:
    """The client sees the connection break, the port closed, then the result of one scan."""
    site.asked.clear()
    site.answers.clear()
    before = host.accepted()

    def killed() -> None:
        until(lambda: site.asked)
        host.end(signal.SIGKILL)
        site.answers.set()
        host.start()

    killing = threading.Thread(target=killed)
    killing.start()
    found = there(tool, site.url, "--format", "json")
    killing.join()
    assert found.code == 0, found.err
    assert found.json["url"] == site.url
    assert "trying again" in found.err
    assert host.accepted() == before + 1
