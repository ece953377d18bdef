"""The kill drill's short form."""

from pathlib import Path

import pytest

from tests.host.jobs.drill import Drill, run
from tests.host.jobs.toy import FAST
from tests.postgres import Server, new_server

pytestmark = pytest.mark.anyio


def short(url: str, folder: Path, server: Server | None = None) -> Drill:
    return Drill(
        url=url,
        folder=folder,
        server=server,
        workers=2,
        scans=30,
        kills=5,
        between_s=(0.3, 0.8),
        intervals=FAST,
    )


@pytest.mark.thorough  # on PostgreSQL every day
async def test_nothing_is_lost_on_sqlite(tmp_path: Path) -> None:
    found = await run(short(f"sqlite:///{tmp_path}/service.db", tmp_path))
    assert (found.accepted, found.lost, found.doubled) == (30, 0, 0)


async def test_nothing_is_lost_on_postgresql(tmp_path: Path) -> None:
    server = new_server()
    server.start()
    try:
        found = await run(short(server.url(), tmp_path, server))
    finally:
        server.stop()
    assert (found.accepted, found.lost, found.doubled) == (30, 0, 0)
    assert found.restarted == 2
