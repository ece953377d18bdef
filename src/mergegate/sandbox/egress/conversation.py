"""One client connection, from its first request to its last."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import h11

from mergegate.sandbox.egress.destination import (
    REFUSAL_HEADER,
    Destination,
    Refused,
    Verdict,
    broken,
    cut,
    request_target,
    too_slow,
    tunnel_target,
    unreadable,
)
from mergegate.sandbox.egress.dialer import Dialer, Upstream
from mergegate.sandbox.egress.line import (
    Doorbell,
    HungUp,
    Line,
    announced_bytes,
    backward,
    has_body,
    hint,
    onward,
    switch,
)
from mergegate.sandbox.egress.policy import Caps
from mergegate.sandbox.egress.traffic import Meter, Patience, Traffic, Visit


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


_REPEATABLE = frozenset({b"GET", b"HEAD", b"OPTIONS"})
"""May be asked again when a kept connection turns out to be dead."""
_SWITCHING = 101
_MOST_HINTS = 16
"""Responses before the response; Go's client ends at five, and no site sends many."""


@dataclass(frozen=True)
class _Ask:
    """A request as it goes on."""

    to: Destination
    head: h11.Request
    bodied: bool
    """Whether the client has more to say than the head."""

    @property
    def repeatable(self) -> bool:
        return not self.bodied and self.head.method in _REPEATABLE


class Exchange:
    """One request of a client that wants to go somewhere: through a tunnel, or by plain HTTP."""

    def __init__(
        self, client: Line, bell: Doorbell, dialer: Dialer, visit: Visit, caps: Caps
    ) -> None:
        self._client = client
        self._bell = bell
        self._dialer = dialer
        self._visit = visit
        self._caps = caps

    async def answer(self, request: h11.Request) -> None:
        """Answer ``request`` with what the site answers, or the bytes it sends; raises Refused."""
        await (self._connect if request.method == b"CONNECT" else self._pass_on)(request)

    async def _connect(self, request: h11.Request) -> None:
        """Answer ``CONNECT``, then carry bytes until both sides are done."""
        to = tunnel_target(request.target)
        self._visit.goes(to)
        if has_body(request):
            raise unreadable("the tunnel's request has a body")
        await self._client.event()
        with self._bell.ends_this_task():
            upstream = await self._dialer.reach(to, reuse=False)
        try:
            self._visit.address = str(upstream.address)
            await self._client.send(
                h11.Response(status_code=200, headers=[], reason=b"Connection established")
            )
        except BaseException:
            upstream.line.abort()
            raise
        await self._tunnelled(upstream)

    async def _tunnelled(self, upstream: Upstream) -> None:
        """Carry bytes until both sides have ended, nothing moves, or a cap is reached."""
        client, site = self._client, upstream.line
        self._visit.becomes_tunnel()
        try:
            async with Patience(self._caps) as patience:
                client.watch, site.watch = Meter(patience), Meter(patience, self._visit)
                await together(_carry(client, site), _carry(site, client))
        except TimeoutError as error:
            raise cut("nothing moved for too long, or it took too long") from error
        finally:
            site.abort()

    async def _pass_on(self, request: h11.Request) -> None:
        """Answer ``request`` with what the site answers."""
        to, path = request_target(request.target)
        self._visit.goes(to)
        ask = _Ask(to, onward(request, to, path), has_body(request))
        if not ask.bodied:
            await self._client.event()
        with self._bell.ends_this_task():
            upstream, switched = await self._answered(ask)
        if switched:
            await self._tunnelled(upstream)
        elif upstream.line.reusable:
            self._dialer.keep(upstream)
        else:
            upstream.line.close()

    async def _answered(self, ask: _Ask) -> tuple[Upstream, bool]:
        upstream = await self._dialer.reach(ask.to, reuse=ask.repeatable)
        try:
            return upstream, await self._on(upstream, ask)
        except Refused as refused:
            dead = refused.verdict is Verdict.FAILED and not self._visit.received_bytes
            if upstream.fresh or not dead:
                raise
        upstream = await self._dialer.reach(ask.to, reuse=False)
        return upstream, await self._on(upstream, ask)

    async def _on(self, upstream: Upstream, ask: _Ask) -> bool:
        """Ask on ``upstream``; True when it then is a WebSocket. Closes it where it fails."""
        self._visit.address = str(upstream.address)
        try:
            async with Patience(self._caps) as patience:
                self._client.watch = Meter(patience)
                upstream.line.watch = Meter(patience, self._visit)
                return await self._converse(upstream.line, ask)
        except TimeoutError as error:
            upstream.line.abort()
            raise too_slow("nothing moved for too long, or it took too long") from error
        except BaseException:
            upstream.line.abort()
            raise
        finally:
            self._client.watch = None

    async def _converse(self, site: Line, ask: _Ask) -> bool:
        site.put(ask.head)
        if ask.bodied:
            await site.flush()
            return await self._while_sending(site)
        await site.send(h11.EndOfMessage())
        return await self._receive(site)

    async def _while_sending(self, site: Line) -> bool:
        """A site may answer before it has heard all; then the rest is of no use."""
        sending = asyncio.create_task(self._send(site))
        receiving = asyncio.create_task(self._receive(site))
        try:
            done, _ = await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
            if receiving not in done:
                sending.result()
            return await receiving
        finally:
            await dismiss(sending, receiving)

    async def _send(self, site: Line) -> None:
        while True:
            event = await self._client.event()
            match event:
                case h11.Data():
                    await site.send(h11.Data(data=event.data))
                case h11.EndOfMessage():
                    # Trailers are left out: what they mean to the site cannot be told from here.
                    return await site.send(h11.EndOfMessage())

    async def _receive(self, site: Line) -> bool:
        """Pieces that came together go on together."""
        client, hints = self._client, 0
        while True:
            event = await site.event(before_waiting=client.flush)
            match event:
                case h11.InformationalResponse(status_code=code) if code == _SWITCHING:
                    await self._client.send(switch(event))
                    return True
                case h11.InformationalResponse() if hints < _MOST_HINTS:
                    hints += 1
                    await self._hint(event)
                case h11.InformationalResponse():
                    raise broken("the site announces a response again and again")
                case h11.Response():
                    self._visit.announced(announced_bytes(event))
                    client.put(backward(event))
                case h11.Data():
                    client.put(h11.Data(data=event.data))
                case h11.EndOfMessage():
                    await client.send(h11.EndOfMessage())
                    return False
                case _:
                    raise broken("the site hung up without an answer")

    async def _hint(self, event: h11.InformationalResponse) -> None:
        """A client of HTTP/1.0 knows none."""
        if self._client.http.their_http_version == b"1.1":
            await self._client.send(hint(event))


_FAREWELL_S = 2.0
"""Time for the client to read why it was refused."""
_FAREWELL_BYTES = 1024 * 1024
_VERSIONS = frozenset({b"1.0", b"1.1"})
_HEADERS = [
    ("Content-Type", "text/plain; charset=utf-8"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
]


class Conversation:
    """Requests of one client connection, each judged on its own."""

    def __init__(
        self, client: Line, bell: Doorbell, dialer: Dialer, ledger: Traffic, caps: Caps
    ) -> None:
        self._client = client
        self._bell = bell
        self._dialer = dialer
        self._ledger = ledger
        self._caps = caps

    async def run(self) -> None:
        """Answer requests until one side has enough."""
        try:
            while await self._turn():
                self._client.http.start_next_cycle()
        except HungUp:
            self._client.abort()
        except BaseException:
            self._client.abort()
            raise
        self._client.close()

    async def turn_away(self, reason: str) -> None:
        """Say that there are too many clients, without hearing what this one wants."""
        try:
            await self._tell(Refused(503, reason), head_only=False)
        except HungUp:
            pass
        finally:
            self._client.close()

    async def _turn(self) -> bool:
        """Answer one request; False when it was the last."""
        request: h11.Request | None = None
        visit: Visit | None = None
        try:
            if not await self._hears_something():
                return False
            visit = self._ledger.open()
            request = await self._request()
            exchange = Exchange(self._client, self._bell, self._dialer, visit, self._caps)
            await exchange.answer(request)
        except Refused as refused:
            if visit:
                visit.ended(refused)
            await self._refuse(refused, head_only=bool(request and request.method == b"HEAD"))
            return False
        except (HungUp, asyncio.CancelledError):
            if visit:
                visit.ended(cut("the client hung up"))
            raise
        return self._client.reusable

    async def _hears_something(self) -> bool:
        """Wait for a request to begin."""
        buffered, ended = self._client.http.trailing_data
        if buffered or ended:
            return bool(buffered)
        try:
            async with asyncio.timeout(self._caps.idle_s):
                data = await self._client.read()
        except TimeoutError:
            return False
        self._client.http.receive_data(data)
        return bool(data)

    async def _request(self) -> h11.Request:
        try:
            async with asyncio.timeout(self._caps.head_s):
                event = await self._client.event()
        except TimeoutError as error:
            raise Refused(408, "the request's head took too long", Verdict.CUT) from error
        if not isinstance(event, h11.Request):
            raise HungUp
        if event.http_version not in _VERSIONS:
            raise Refused(505, "the request is not HTTP/1.1")
        return event

    async def _refuse(self, refused: Refused, *, head_only: bool) -> None:
        """Say why, if nothing was said yet; a response that has begun is broken off."""
        if self._client.http.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            raise HungUp
        try:
            async with asyncio.timeout(_FAREWELL_S):
                await self._tell(refused, head_only)
                await self._hear_out()
        except TimeoutError as error:
            raise HungUp from error

    async def _tell(self, refused: Refused, head_only: bool) -> None:
        body = f"Not let through: {refused.reason}.\n".encode()
        told = (REFUSAL_HEADER, f"{refused.lack}; {refused.reason}")
        headers = [*_HEADERS, told, ("Content-Length", str(len(body)))]
        await self._client.send(h11.Response(status_code=refused.status, headers=headers))
        if not head_only:
            await self._client.send(h11.Data(data=body))
        await self._client.send(h11.EndOfMessage())
        self._client.finish()

    async def _hear_out(self) -> None:
        """Closing with bytes unread would take the answer from the client's hands."""
        heard = 0
        while heard < _FAREWELL_BYTES and (data := await self._client.read()):
            heard += len(data)
