"""Pass on one plain request and its response, as they come, each piece read and written anew."""

import asyncio
from dataclasses import dataclass

import h11

from mergegate.sandbox.egress.destination import Destination, request_target
from mergegate.sandbox.egress.dialer import Dialer, Upstream
from mergegate.sandbox.egress.doorbell import Doorbell
from mergegate.sandbox.egress.headers import (
    announced_bytes,
    backward,
    has_body,
    hint,
    onward,
    switch,
)
from mergegate.sandbox.egress.ledger import Visit
from mergegate.sandbox.egress.line import Line
from mergegate.sandbox.egress.patience import Meter, Patience
from mergegate.sandbox.egress.policy import Caps
from mergegate.sandbox.egress.refusal import Refused, Verdict, broken, too_slow
from mergegate.sandbox.egress.tunnel import dismiss, join

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
    """One request of a client that wants to go somewhere by plain HTTP."""

    def __init__(
        self, client: Line, bell: Doorbell, dialer: Dialer, visit: Visit, caps: Caps
    ) -> None:
        self._client = client
        self._bell = bell
        self._dialer = dialer
        self._visit = visit
        self._caps = caps

    async def pass_on(self, request: h11.Request) -> None:
        """Answer ``request`` with what the site answers; raises Refused."""
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

    async def _tunnelled(self, upstream: Upstream) -> None:
        try:
            await join(self._client, upstream.line, self._visit, self._caps)
        finally:
            upstream.line.abort()
