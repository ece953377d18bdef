"""One client connection, from its first request to its last."""

import asyncio

import h11

from mergegate.sandbox.egress.dialer import Dialer
from mergegate.sandbox.egress.doorbell import Doorbell
from mergegate.sandbox.egress.exchange import Exchange
from mergegate.sandbox.egress.ledger import Ledger, Visit
from mergegate.sandbox.egress.line import HungUp, Line
from mergegate.sandbox.egress.policy import Caps
from mergegate.sandbox.egress.refusal import Refused, Verdict, cut
from mergegate.sandbox.egress.tunnel import connect

_FAREWELL_S = 2.0
"""For the client to read why it was refused."""
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
        self, client: Line, bell: Doorbell, dialer: Dialer, ledger: Ledger, caps: Caps
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
            await self._answer(request, visit)
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

    async def _answer(self, request: h11.Request, visit: Visit) -> None:
        if request.method == b"CONNECT":
            await connect(
                self._client,
                self._bell,
                request,
                dialer=self._dialer,
                visit=visit,
                caps=self._caps,
            )
        else:
            exchange = Exchange(self._client, self._bell, self._dialer, visit, self._caps)
            await exchange.pass_on(request)

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
        headers = [*_HEADERS, ("Content-Length", str(len(body)))]
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
