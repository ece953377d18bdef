"""A child that imports, and whoever waits for it."""

import base64
import os
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from mergegate.core.errors import StoreError
from mergegate.host.runner import advisories
from mergegate.host.runner.advisories import Importer
from mergegate.packages.advisories import DEFAULT_BASE, status
from mergegate.sandbox.process.account import Account
from mergegate.sandbox.process.supervised import supervised
from tests.packages.test_advisories import RECORDS, record, zipped
from tests.sandbox.process.accounts import as_account, uid
from tests.sites.certificate import self_signed

__all__ = ["uid"]

SECRETS = {
    "MERGEGATE_SECRET_KEYS": "canary",
    "MERGEGATE_DATABASE_URL": "postgresql://canary",
    "PGPASSWORD": "canary",
    "MERGEGATE_DATA_DIR": "/canary",
}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "data" / "advisories.sqlite"


@pytest.fixture
def hanging(tmp_path: Path) -> Path:
    """A dump whose reader waits for ever."""
    (tmp_path / "dump").mkdir()
    os.mkfifo(tmp_path / "dump" / "one.json")
    return tmp_path / "dump"


def importing(pid: int) -> list[psutil.Process]:
    """The children of a process, theirs included, that import advisories."""
    return [one for one in psutil.Process(pid).children(recursive=True) if imports(one)]


def imports(one: psutil.Process) -> bool:
    """False, too, for one that has ended since it was listed."""
    with suppress(psutil.NoSuchProcess):
        return "mergegate.host.runner.advisory_import" in one.cmdline()
    return False


def children() -> list[psutil.Process]:
    return importing(os.getpid())


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What children are started with, and that others may see."""
    found: list[dict[str, Any]] = []

    def spied(argv: list[str], **options: Any) -> Any:
        found.append({"argv": argv, **options})
        return supervised(argv, **options)

    monkeypatch.setattr(advisories, "supervised", spied)
    return found


def test_a_child_without_secrets_imports_and_leaves_nothing_behind(
    store: Path, given: list[dict[str, Any]]
) -> None:
    way = {"HTTPS_PROXY": "http://proxy.example.org:3128"}
    found = Importer(store, str(RECORDS), SECRETS | way).run(["PyPI", "npm"])
    assert [(one.ecosystem, one.records) for one in found] == [("PyPI", 13), ("npm", 7)]
    assert given[0]["environment"] == way
    beside = {one.name for one in store.parent.iterdir()}
    assert beside == {store.name, f"{store.name}.lock"}


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """The port of one that has npm's dump for whoever says the password, and its certificate."""
    dump = zipped(tmp_path / "dump.zip", record("GHSA-1", "npm")).read_bytes()
    asked = f"Basic {base64.b64encode(b'you:canary').decode()}"

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/osv/npm/all.zip" and self.headers["Authorization"] == asked
            self.send_response(200 if found else 404)
            self.end_headers()
            self.wfile.write(dump if found else b"")

        def log_message(self, *_: object) -> None:
            pass

    signed, pem = self_signed(), tmp_path / "mirror.pem"
    pem.write_text(signed.chain + signed.key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.server_address[1], pem
        server.shutdown()


def test_a_password_of_an_address_goes_to_a_child_unseen(
    store: Path, mirror: tuple[int, Path], given: list[dict[str, Any]]
) -> None:
    port, authorities = mirror
    base = f"127.0.0.1:{port}/osv"
    importer = Importer(store, f"https://you:canary@{base}", {"SSL_CERT_FILE": str(authorities)})
    (found,) = importer.run(["npm"])
    assert (found.records, found.source) == (1, f"https://{base}/npm/all.zip")
    with pytest.raises(StoreError, match=f"https://{base}/Go/all.zip answered 404") as raised:
        importer.run(["Go"])
    assert "canary" not in f"{raised.value} {given} {store.read_bytes()!r}"


def test_what_a_child_could_not_do_is_said_and_the_store_stays(store: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone\x1b[31m.zip"
    with pytest.raises(StoreError, match=r"no advisory dump at gone\\x1b\[31m.zip$"):
        Importer(store, str(gone), {}).run(())
    assert status(store) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT CHECKED: only root can be another account")
def test_others_of_its_account_cannot_look_into_a_child(uid: int) -> None:
    """A scan's child, which a stranger may have taken over, is one."""
    module = "mergegate.host.runner.advisory_import"
    code = f"import runpy; runpy.run_module({module!r}, run_name='__main__')"
    with subprocess.Popen(as_account(uid, code), stdin=subprocess.PIPE) as child:
        until = time.monotonic() + 30
        while not is_concealed(child.pid, uid):
            assert time.monotonic() < until
            time.sleep(0.01)
        child.kill()


def is_concealed(pid: int, uid: int) -> bool:
    """Its environment is root's then, though it is not."""
    folder = Path(f"/proc/{pid}")
    has_become = folder.stat().st_uid == uid and "python" in (folder / "comm").read_text()
    return has_become and (folder / "environ").stat().st_uid == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT CHECKED: only root can be another account")
def test_a_folder_that_engines_may_not_enter_is_said_to_be_one(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisories, "engines_account", lambda: Account(62_000, 62_000))
    store.parent.mkdir(mode=0o700)
    with pytest.raises(StoreError, match="may not enter the data folder"):
        Importer(store, str(RECORDS), {}).run(["npm"])
    assert not [*store.parent.iterdir()]


def test_whoever_leaves_ends_what_it_imports(store: Path, hanging: Path) -> None:
    importer, told = Importer(store, str(hanging), {}), []

    def run() -> None:
        try:
            importer.run(())
        except StoreError as error:
            told.append(error.what)

    running = threading.Thread(target=run)
    running.start()
    until = time.monotonic() + 60
    while not list(children()):
        assert time.monotonic() < until
        time.sleep(0.05)
    importer.end()
    running.join(60)
    assert (told, list(children())) == (["this process is leaving"], [])
    assert list(store.parent.iterdir()) == []


def test_one_that_takes_too_long_is_ended(
    store: Path, hanging: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisories, "_LONGEST_S", 0.0)
    with pytest.raises(StoreError, match="longer than an hour"):
        Importer(store, str(hanging), {}).run(())


@pytest.mark.parametrize(
    ("source", "fetches"),
    [(DEFAULT_BASE, True), ("/mnt/osv", False), ("file:///mnt/osv.zip", False)],
)
def test_only_an_address_is_fetched(store: Path, source: str, fetches: bool) -> None:
    assert Importer(store, source, {}).fetches is fetches
