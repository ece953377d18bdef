"""A health check tells of this machine's workers, and of no other's."""

import asyncio
import socket
from pathlib import Path

import pytest

from mergegate.host.database import alive_here
from mergegate.host.settings import service_settings
from mergegate.host.store import leases
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate


def test_a_worker_of_a_machine_whose_name_begins_alike_is_another_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = service_settings({}, tmp_path)
    migrate(settings.database_url)
    monkeypatch.setattr(socket, "gethostname", lambda: "web-2")
    asyncio.run(_beat(settings.database_url, leases.new_id()))
    assert alive_here(settings)
    monkeypatch.setattr(socket, "gethostname", lambda: "web")
    assert not alive_here(settings)


async def _beat(url: str, worker: str) -> None:
    database = Database.open(url)
    async with database.change() as conn:
        await leases.beat(conn, worker)
    await database.close()
