"""Carry bytes both ways without reading them: ``CONNECT``, and WebSocket after its handshake."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import h11

from mergegate.sandbox.egress.destination import tunnel_target
from mergegate.sandbox.egress.dialer import Dialer
from mergegate.sandbox.egress.doorbell import Doorbell
from mergegate.sandbox.egress.headers import has_body
from mergegate.sandbox.egress.ledger import Visit
from mergegate.sandbox.egress.line import Line
from mergegate.sandbox.egress.patience import Meter, Patience
from mergegate.sandbox.egress.policy import Caps
from mergegate.sandbox.egress.refusal import cut, unreadable


async def connect(
    client: Line,
    bell: Doorbell,
    request: h11.Request,
    *,
    dialer: Dialer,
    visit: Visit,
    caps: Caps,
) -> None:
    """Answer ``CONNECT``, then carry bytes until both sides are done; raises Refused."""
    to = tunnel_target(request.target)
    visit.goes(to)
    if has_body(request):
        raise unreadable("the tunnel's request has a body")
    await client.event()
    with bell.ends_this_task():
        upstream = await dialer.reach(to, reuse=False)
    try:
        visit.address = str(upstream.address)
        await client.send(
            h11.Response(status_code=200, headers=[], reason=b"Connection established")
        )
        await join(client, upstream.line, visit, caps)
    finally:
        upstream.line.abort()


async def join(client: Line, site: Line, visit: Visit, caps: Caps) -> None:
    """Carry bytes until both sides have ended, nothing moves, or a cap is reached."""
    visit.becomes_tunnel()
    try:
        async with Patience(caps) as patience:
            client.watch, site.watch = Meter(patience), Meter(patience, visit)
            await together(_carry(client, site), _carry(site, client))
    except TimeoutError as error:
        raise cut("nothing moved for too long, or it took too long") from error


async def together(*ways: Coroutine[Any, Any, None]) -> None:
    """Run all to their ends, or to the first error; none is left behind."""
    tasks = [asyncio.create_task(way) for way in ways]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        await dismiss(*tasks)


async def dismiss(*tasks: asyncio.Task[Any]) -> None:
    """Cancel what still runs, and wait until it is gone."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _carry(source: Line, sink: Line) -> None:
    data = source.leftover() or await source.read()
    while data:
        await sink.write(data)
        data = await source.read()
    sink.finish()
