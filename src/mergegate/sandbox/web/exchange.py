"""One request and its answer, through the proxy."""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import h11
import httpx

from mergegate.sandbox.web.failure import unanswered
from mergegate.sandbox.web.headers import Headers
from mergegate.sandbox.web.unpack import Unpacking
from mergegate.sandbox.web.wire import Connection, Head, Wire


@cache
def trusted() -> ssl.SSLContext:
    """Those that httpx brings, and those this machine knows.

    Reading them takes tens of milliseconds.
    """
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def unquestioned() -> ssl.SSLContext:
    """Anybody, for looking at what stands behind a bad certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@dataclass(frozen=True, slots=True)
class Body:
    """What was read of one, unpacked."""

    data: bytes = b""
    whole: bool = True
    wire_bytes: int = 0


class Exchange:
    """Asks one hop at a time, each on its own; connections are kept in between.

    ``trust`` is asked for who vouches for certificates when TLS is spoken. ``again`` asks a server
    that hangs up without an answer once more.
    """

    def __init__(
        self, proxy: str, trust: Callable[[], ssl.SSLContext] = trusted, *, again: bool = False
    ) -> None:
        self._wire = Wire(httpx.URL(proxy), trust)
        self._again = again

    def close(self) -> None:
        """Hang up; the loop needs one more round for it."""
        self._wire.close()

    async def ask(
        self,
        method: str,
        url: httpx.URL,
        headers: Headers,
        *,
        most: Callable[[Head], int],
        until: float,
    ) -> tuple[Head, Body]:
        """The answer, and ``most`` bytes of its body, by ``until`` of the loop's clock.

        A body that does not end in time is what came of it. Raises Unanswered.
        """
        try:
            async with asyncio.timeout_at(until):
                head, connection = await self._begun(method, url, headers)
        except (OSError, ValueError, h11.ProtocolError) as error:
            raise unanswered(error) from error
        try:
            return head, await _read(head, connection, most(head), until)
        finally:
            self._wire.give_back(url, connection)

    async def _begun(
        self, method: str, url: httpx.URL, headers: Headers
    ) -> tuple[Head, Connection]:
        try:
            return await self._wire.ask(method, url, headers)
        except (ConnectionError, h11.RemoteProtocolError):
            if not self._again:
                raise
        return await self._wire.ask(method, url, headers)


async def _read(head: Head, connection: Connection, most: int, until: float) -> Body:
    unpacking = Unpacking(head.headers.get("content-encoding", ""), most)
    ended = False
    with contextlib.suppress(OSError, h11.ProtocolError):
        async with asyncio.timeout_at(until):
            async for piece in connection.body():
                unpacking.take(piece)
                if not unpacking.wants_more:
                    break
            else:
                ended = True
    return Body(unpacking.body, ended and unpacking.complete, unpacking.wire_bytes)
