"""Hosts as they are renew their own advisories, and leave in time."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from mergegate.packages.advisories import status
from tests.host.api.conftest import PLAIN, own_host, samples, wait_until
from tests.host.runner.test_importing import importing
from tests.packages.test_advisories import RECORDS

__all__ = ["own_host", "samples"]

WORKER = (sys.executable, "-c", "from mergegate.host.commands.worker import worker; worker()")


def test_a_server_with_a_worker_keeps_its_advisories_young(own_host: Any) -> None:
    host = own_host(MERGEGATE_ADVISORIES=str(RECORDS))
    host.start()
    wait_until(lambda: host.all("advisories renewed: npm, 7 records"))
    page = httpx.get(f"{host.url}/metrics", verify=PLAIN).text
    assert "mergegate_advisories_renewal_failures 0.0" in page
    assert "mergegate_advisories_age_seconds " in page
    assert host.stop() == 0


@pytest.fixture
def worker(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """One whose advisories never come to their end."""
    (tmp_path / "osv").mkdir()
    os.mkfifo(tmp_path / "osv" / "one.json")
    environment = {
        "PATH": os.environ["PATH"],
        "MERGEGATE_DATA_DIR": str(tmp_path / "data"),
        "MERGEGATE_ADVISORIES": str(tmp_path / "osv"),
    }
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(WORKER, env=environment, stderr=log)
    yield process
    process.kill()
    process.wait()


def test_a_worker_that_imports_leaves_when_it_is_told_to(
    worker: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    child, *_ = wait_until(lambda: importing(worker.pid))  # while it forks there are two
    wait_until(lambda: b"is ready" in (tmp_path / "log").read_bytes())
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    assert not child.is_running()
    assert status(tmp_path / "data" / "advisories.sqlite") is None
    assert [one for one in (tmp_path / "data").iterdir() if one.is_dir()] == []
