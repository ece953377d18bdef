"""The full image as a host, sealed as the compose file seals it: alone on SQLite, or in parts."""

import json
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from mergegate.host.store.sealing import new_key
from tests.container.builder import BUILT_WITHIN_S, FULL_IMAGE, ROOT, Builder
from tests.postgres import Server

pytestmark = [
    pytest.mark.container,
    pytest.mark.thorough,
    pytest.mark.timeout(BUILT_WITHIN_S),
]

SERVICES = yaml.safe_load((ROOT / "docs" / "host" / "compose.yml").read_text())["services"]
PYTHON = "/opt/mergegate/bin/python"
SITE = "http://127.0.0.1:8000/"
ASK = """
import json, sys, urllib.error, urllib.request
path, key, body = sys.argv[1:]
headers = {"X-API-Key": key, "Content-Type": "application/json"}
request = urllib.request.Request("http://127.0.0.1:8080" + path, body.encode() or None, headers)
try:
    answer = urllib.request.urlopen(request, timeout=200)
except urllib.error.HTTPError as refused:
    answer = refused
print(json.dumps([answer.status, json.load(answer)]))
"""
_NEW_USER_NAMESPACE = 0x10000000
NO_NAMESPACES = {
    "defaultAction": "SCMP_ACT_ALLOW",
    "syscalls": [
        {"names": ["unshare"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1},
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        {
            "names": ["clone"],
            "action": "SCMP_ACT_ERRNO",
            "errnoRet": 1,
            "args": [
                {
                    "index": 0,
                    "value": _NEW_USER_NAMESPACE,
                    "valueTwo": _NEW_USER_NAMESPACE,
                    "op": "SCMP_CMP_MASKED_EQ",
                }
            ],
        },
    ],
}
"""What Docker's own filter of system calls keeps a container from."""
_READY_WITHIN_S = 90


@dataclass(frozen=True)
class Container:
    """One that runs, without a network of its own: what is asked is asked inside."""

    full: Builder
    name: str

    def does(self, *words: str) -> str:
        """What a command inside says on standard output."""
        done = self.full.call("podman", "exec", self.name, *words, timeout_s=300)
        assert done.code == 0, f"{done.out}\n{done.err}\n{self.log()}"
        return done.out

    def ask(self, path: str, key: str = "", body: object = None) -> tuple[int, Any]:
        """The status and the JSON of the API's answer."""
        sent = "" if body is None else json.dumps(body)
        status, answer = json.loads(self.does(PYTHON, "-Ic", ASK, path, key, sent))
        return status, answer

    def shows(self, page: Path) -> None:
        """Serve the mounted folder of a site from within."""
        server = (PYTHON, "-Im", "http.server", "--bind", "127.0.0.1", "--directory", "/site")
        self.full.call("podman", "exec", "--detach", self.name, *server, "8000")

    def healthy(self, service: str) -> None:
        """Returns when the compose file's own check says so."""
        _, *check = SERVICES[service]["healthcheck"]["test"]
        self._until(lambda: self.full.call("podman", "exec", self.name, *check).code == 0)

    def stopped(self) -> int:
        """The exit code after SIGTERM."""
        self.full.call("podman", "stop", "--time", "60", self.name)
        return int(self._state("ExitCode"))

    def log(self) -> str:
        done = self.full.call("podman", "logs", "--tail", "40", self.name)
        return done.out + done.err

    def _until(self, done: Callable[[], bool]) -> None:
        limit = time.monotonic() + _READY_WITHIN_S
        while not done():
            alive = self._state("Running") == "true" and time.monotonic() < limit
            assert alive, self.log()
            time.sleep(0.2)

    def _state(self, name: str) -> str:
        shown = f"{{{{.State.{name}}}}}"
        return self.full.call("podman", "inspect", "--format", shown, self.name).out.strip()


@contextmanager
def running(
    full: Builder, service: str, *options: str, words: Sequence[str] = ()
) -> Iterator[Container]:
    """A service of the compose file; ``words`` in place of its own command."""
    name = f"mergegate-test-{secrets.token_hex(4)}"
    command = words or SERVICES[service]["command"]
    run = ("podman", "run", "--detach", "--name", name, "--network", "none")
    done = full.call(*run, *sealed(SERVICES[service]), *options, FULL_IMAGE, *command)
    try:
        assert done.code == 0, done.err
        yield Container(full, name)
    finally:
        full.call("podman", "rm", "--force", "--time", "0", name)


def sealed(service: dict[str, Any]) -> Iterator[str]:
    """The locks of one service, but for memory: not every machine lends out control groups."""
    assert service["read_only"] is True
    yield from ("--read-only", "--user", service["user"])
    for lock in service["cap_drop"]:
        yield from ("--cap-drop", lock)
    for lock in service["security_opt"]:
        yield from ("--security-opt", lock)
    for folder in service["tmpfs"]:
        yield from ("--tmpfs", folder)
    if size := service.get("shm_size"):
        yield from ("--shm-size", size)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The folder of one page that anyone may read."""
    folder = tmp_path / "site"
    folder.mkdir()
    page = '<!doctype html><html lang="en"><title>Proof</title><h1>Proof</h1>'
    (folder / "index.html").write_text(page)
    return folder


def given(**settings: str) -> list[str]:
    named = {"ALLOW_HOSTS": "127.0.0.1:8000", "OFFLINE": "1", **settings}
    return [word for name, one in named.items() for word in ("--env", f"MERGEGATE_{name}={one}")]


def new_api_key(there: Container) -> str:
    return str(json.loads(there.does("mergegate", "keys", "create", "--format", "json"))["key"])


def test_with_a_volume_and_nothing_else_it_is_a_host(full: Builder, site: Path) -> None:
    volume = f"mergegate-test-{secrets.token_hex(4)}"
    options = ("--volume", f"{volume}:/data", "--volume", f"{site}:/site:ro")
    words = ("serve", "--host", "0.0.0.0")
    settings = given(DATA_DIR="/data", METRICS="1")
    try:
        with running(full, "worker", *options, *settings, words=words) as host:
            host.healthy("api")
            host.healthy("worker")
            host.shows(site)
            key = new_api_key(host)
            status, audit = host.ask("/api/audit", key, {"url": SITE})
            assert (status, audit["performanceScore"] > 90) == (200, True)
            status, security = host.ask("/api/security-scan", key, {"url": SITE})
            assert status == 200
            assert "csp-missing" in {one["ruleId"] for one in security["findings"]}
            status, tested = host.ask("/api/browser-test", key, {"url": SITE})
            assert (status, tested["pagesVisited"]) == (200, 1)
            assert host.stopped() == 0
        with running(full, "worker", *options, *settings, words=words) as again:
            again.healthy("api")
            assert again.ask(f"/api/audit?id={audit['reportId']}", key) == (200, audit)
    finally:
        full.call("podman", "volume", "rm", "--force", volume)


def test_a_server_and_a_worker_as_in_docker_share_nothing_but_postgresql(
    full: Builder, site: Path, postgres_server: Server, fresh_postgres: str
) -> None:
    profile = site.with_name("profile.json")
    profile.write_text(json.dumps(NO_NAMESPACES))
    there = postgres_server.folder
    there.chmod(0o711)  # its socket is what everybody may use
    options = ("--volume", f"{there}:{there}", "--volume", f"{site}:/site:ro")
    settings = given(DATABASE_URL=fresh_postgres, SECRET_KEYS=new_key())
    as_docker = ("--security-opt", f"seccomp={profile}")
    with (
        running(full, "api", *options, *settings) as api,
        running(full, "worker", *options, *settings, *as_docker) as worker,
    ):
        api.healthy("api")
        worker.healthy("worker")
        worker.shows(site)
        key = new_api_key(api)
        status, audit = api.ask("/api/audit", key, {"url": SITE})
        assert (status, audit["performanceScore"] > 90) == (200, True)
        status, security = api.ask("/api/security-scan", key, {"url": SITE})
        assert (status, security["riskScore"] < 100) == (200, True)
        assert (worker.stopped(), api.stopped()) == (0, 0)
