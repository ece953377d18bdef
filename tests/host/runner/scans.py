"""How a scan is put to a host's carrier."""

import asyncio
import datetime as dt
import json
from typing import Any

from mergegate.core.plans import PREFIXES, Lane, Tool
from mergegate.host.runner.executor import ScanExecutor
from mergegate.host.scan import Outcome, Scan, State
from mergegate.host.store.database import Database
from mergegate.host.store.migrate import migrate
from mergegate.site.level import identifier

ACCEPTED = dt.datetime(2026, 1, 31, 8, 0, tzinfo=dt.UTC)


def scan_of(tool: Tool, request: dict[str, Any], account: str = "acc_1") -> Scan:
    """One that was accepted, as its row says it."""
    return Scan(
        id=identifier(PREFIXES[tool], ACCEPTED, bytes(16)),
        account_id=account,
        tool=tool,
        lane=Lane.LIGHT,
        request=json.dumps(request),
        state=State.RUNNING,
        created_at=ACCEPTED,
    )


def carried(carriage: ScanExecutor, scan: Scan) -> Outcome:
    return asyncio.run(_carried(carriage, scan))


async def _carried(carriage: ScanExecutor, scan: Scan) -> Outcome:
    return await carriage(scan)


def opened(url: str) -> Database:
    migrate(url)
    return Database.open(url)
