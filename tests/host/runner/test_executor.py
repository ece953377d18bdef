"""What the operator named wrongly is said at the start, and what a host lacks is made up for."""

import asyncio
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.errors import StoreError, UsageError
from mergegate.core.plans import Tool
from mergegate.core.render.failures import INTERNAL, NOT_CONNECTED
from mergegate.host.runner.executor import ScanExecutor, scan_executor
from mergegate.host.settings import AUTHORITIES, service_settings
from mergegate.host.store import connections
from mergegate.host.store.database import Database, DatabaseUnavailable
from mergegate.host.store.sealing import Sealer, new_key
from mergegate.sandbox.process import confinement
from mergegate.sandbox.process.slots import remove
from tests.host.runner.scans import carried, opened, scan_of


@pytest.mark.parametrize(
    ("allowed", "environment", "words"),
    [
        ("http://10.0.0.1", {}, "MERGEGATE_ALLOW_HOSTS: .*no host"),
        ("10.0.0.1:x", {}, "no host"),
        ("", {AUTHORITIES: "/none/of/this"}, AUTHORITIES),
    ],
)
def test_a_host_that_is_set_up_wrongly_does_not_start(
    tmp_path: Path, allowed: str, environment: dict[str, str], words: str
) -> None:
    settings = service_settings({"MERGEGATE_ALLOW_HOSTS": allowed}, tmp_path)
    database = Database.open(settings.database_url)
    with pytest.raises(UsageError, match=words):
        scan_executor(database, Sealer([new_key()]), settings, environment=environment)


@pytest.fixture
def carriage(tmp_path: Path) -> Iterator[ScanExecutor]:
    settings = service_settings({}, tmp_path)
    database = opened(settings.database_url)
    with closing(scan_executor(database, Sealer([new_key()]), settings, environment={})) as made:
        yield made
    asyncio.run(database.close())


def test_a_database_that_is_away_is_no_fault_of_a_scan(
    carriage: ScanExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [DatabaseUnavailable("it is away"), DatabaseUnavailable("it is away")]
    listed = connections.listed

    async def away(*arguments: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return await listed(*arguments)

    monkeypatch.setattr(connections, "listed", away)
    scan = scan_of(Tool.REPOSITORY, {"owner": "octo", "repo": "shop"})
    assert carried(carriage, scan) == NOT_CONNECTED
    assert not refusals


def test_a_token_that_opens_with_no_key_is_not_waited_for(
    carriage: ScanExecutor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def sealed(*_: object) -> None:
        raise StoreError("it opens with none of the keys")

    monkeypatch.setattr(connections, "listed", sealed)
    scan = scan_of(Tool.REPOSITORY, {"owner": "octo", "repo": "shop"})
    assert carried(carriage, scan) == INTERNAL
    assert "none of the keys" in caplog.text


def test_a_full_disk_is_told_in_a_line(
    carriage: ScanExecutor, caplog: pytest.LogCaptureFixture
) -> None:
    remove(carriage._slots.folder)
    for tool in (Tool.REPOSITORY, Tool.AUDIT):
        assert carried(carriage, scan_of(tool, {"url": ""})) == INTERNAL
    assert [one.exc_info for one in caplog.records] == [None, None]
    assert caplog.text.count("no folder for scans can be made") == 2


@pytest.mark.parametrize("namespaces", [True, False])
def test_who_scans_repositories_reaches_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, namespaces: bool
) -> None:
    """Not the neighbours on this machine either; without namespaces a filter sees to it."""
    which = shutil.which
    hidden = "" if namespaces else "unshare"
    monkeypatch.setattr(shutil, "which", lambda name: None if name == hidden else which(name))
    confinement.confined.cache_clear()
    settings = service_settings({}, tmp_path)
    database = Database.open(settings.database_url)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        closing(scan_executor(database, Sealer([new_key()]), settings, environment={})) as carriage,
    ):
        code = (
            f"import socket\ninput()\ntry: socket.create_connection({server.getsockname()}, 5)\n"
            "except OSError: print('nobody', flush=True)\ninput()"
        )
        kind = replace(carriage._kinds.repositories.kind, argv=(sys.executable, "-Ic", code))
        child = carriage._slots.child(kind)
        assert child.ask(b"", 20) == b"nobody"
        child.end()
    confinement.confined.cache_clear()
