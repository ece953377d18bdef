"""What is forgotten, by which clock."""

import datetime as dt

import pytest

from mergegate.host.jobs.engine import Engine
from mergegate.host.jobs.means import Means
from mergegate.host.jobs.oblivion import Oblivion
from mergegate.host.jobs.port import LIMITS_S
from mergegate.host.scan import Done
from mergegate.host.store import scans
from tests.host.jobs.conftest import Host

pytestmark = pytest.mark.anyio


class Mindful(Engine):
    """Has noted nothing that could be forgotten."""

    def __init__(self) -> None:
        """Without a database."""


async def test_a_machine_with_a_wrong_clock_forgets_no_result(host: Host) -> None:
    id, now = await host.submit(), dt.datetime.now(dt.UTC)
    async with host.database.change() as conn:
        await scans.settle(conn, id, Done("{}"), now)
    ahead = Means(host.database, host.queue, LIMITS_S, lambda: now + dt.timedelta(days=400))
    await Oblivion(ahead, Mindful(), dt.timedelta(days=90)).forget()
    assert (await host.found(id)).outcome == Done("{}")
    await Oblivion(ahead, Mindful(), -dt.timedelta(days=1)).forget()
    assert (await host.run("SELECT count(*) FROM scans")).scalar() == 0
