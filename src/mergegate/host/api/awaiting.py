"""Hold the line of a synchronous tool until its scan is settled, within bounds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect, Request

from mergegate.core.plans import Tool
from mergegate.host.account import Caller
from mergegate.host.api import results
from mergegate.host.api.problems import busy
from mergegate.host.api.service import Service
from mergegate.host.api.trail import trail_of
from mergegate.host.jobs.limits import LIMITS_S
from mergegate.host.store import scans

_GONE = "http.disconnect"


@asynccontextmanager
async def line(service: Service) -> AsyncIterator[None]:
    """A place among those who wait, to be had before a scan is accepted; raises Refusal."""
    if service.lines.locked():
        raise busy("Too many callers wait for their scans.", 10)
    async with service.lines:
        yield


async def result_of(
    request: Request, service: Service, caller: Caller, tool: Tool, scan_id: str
) -> bytes:
    """The flat result; raises Refusal when there is none in time, ClientDisconnect when they left.

    Either way the scan goes on, and can be asked for.
    """
    trail_of(request).scan_id = scan_id
    limit_s = LIMITS_S[tool] + service.limits.queued_s
    settled = asyncio.create_task(service.watch.settled(scan_id, limit_s))
    left = asyncio.create_task(_left(request))
    stopping = asyncio.create_task(service.stopping.wait())
    try:
        await asyncio.wait({settled, left, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:  # also when nobody is to be answered any more
        for task in (settled, left, stopping):
            task.cancel()
    if not settled.done():
        raise ClientDisconnect if left.done() else results.abandoned(tool, scan_id)
    async with service.database.read() as connection:
        scan = await scans.find(connection, caller.account_id, scan_id)
    if scan is None:
        raise results.unfinished(tool, scan_id)
    return results.waited(scan)


async def _left(request: Request) -> None:
    """Returns when the caller is gone."""
    while (await request.receive())["type"] != _GONE:
        pass
