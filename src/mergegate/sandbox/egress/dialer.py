"""Connect to a checked address, never to a name; keep connections for the next request."""

import asyncio
import contextlib
import socket
from collections import deque
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address

import h11

from mergegate.sandbox.egress.addresses import Address
from mergegate.sandbox.egress.destination import Destination
from mergegate.sandbox.egress.line import CHUNK_BYTES, Line
from mergegate.sandbox.egress.names import Names
from mergegate.sandbox.egress.policy import Caps
from mergegate.sandbox.egress.refusal import Refused, broken, too_slow

_KEPT = 64
"""Idle connections, to all sites together."""
_KEPT_S = 15.0
"""Servers hang up on idle connections after five seconds to a minute."""
_TRIED = 4
"""Addresses of one host."""


@dataclass(eq=False)
class Upstream:
    """A connection to a site."""

    line: Line
    to: Destination
    address: Address
    """The one that was checked, and that the socket is connected to."""
    fresh: bool = True
    """Whether nothing was asked on it yet."""
    kept_at: float = 0.0
    """When it was last kept, on the loop's clock."""


class Dialer:
    """Reaches destinations that the policy allows."""

    def __init__(self, names: Names, caps: Caps) -> None:
        self._names = names
        self._caps = caps
        self._kept: deque[Upstream] = deque()

    async def reach(self, to: Destination, *, reuse: bool) -> Upstream:
        """A connection to ``to``, with ``reuse`` perhaps one that was used; raises Refused."""
        kept = await self._take(to) if reuse else None
        if kept is not None:
            return kept
        addresses = await self._names.addresses(to)
        try:
            connection, address = await self._first(addresses, to.port)
        except Refused:
            self._names.forget(to.host)
            raise
        try:
            reader, writer = await asyncio.open_connection(sock=connection, limit=CHUNK_BYTES)
        except BaseException:
            connection.close()
            raise
        return Upstream(Line(reader, writer, h11.CLIENT, self._caps.head_bytes), to, address)

    def keep(self, upstream: Upstream) -> None:
        """Have ``upstream``, on which all is said, ready for the next request."""
        upstream.line.http.start_next_cycle()
        upstream.line.watch = None
        upstream.fresh = False
        upstream.kept_at = _now()
        self._kept.append(upstream)
        if len(self._kept) > _KEPT:
            self._kept.popleft().line.close()

    def close(self) -> None:
        """Hang up on all that was kept."""
        while self._kept:
            self._kept.pop().line.abort()

    async def _take(self, to: Destination) -> Upstream | None:
        for upstream in [kept for kept in reversed(self._kept) if kept.to == to]:
            if upstream in self._kept:  # nobody took it meanwhile
                self._kept.remove(upstream)
                if await self._is_alive(upstream):
                    return upstream
        return None

    async def _is_alive(self, upstream: Upstream) -> bool:
        """Hangs up on ``upstream`` when it is not."""
        alive = False
        try:
            alive = _now() - upstream.kept_at < _KEPT_S and await upstream.line.is_silent()
        finally:
            if not alive:
                upstream.line.abort()
        return alive

    async def _first(
        self, addresses: tuple[Address, ...], port: int
    ) -> tuple[socket.socket, Address]:
        until = _now() + self._caps.connect_s
        tried = addresses[:_TRIED]
        slow = False
        for place, address in enumerate(tried):
            share = (until - _now()) / (len(tried) - place)
            try:
                async with asyncio.timeout(share):
                    return await _connected(address, port), address
            except TimeoutError:
                slow = True
            except OSError:
                continue
        if slow:
            raise too_slow("the host did not take the connection in time")
        raise broken("the host does not take connections")


async def _connected(address: Address, port: int) -> socket.socket:
    """A socket to exactly ``address``; raises OSError."""
    family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
    with contextlib.ExitStack() as stack:
        connection = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
        connection.setblocking(False)
        # An address in text that is one already: asyncio asks no resolver for it.
        await asyncio.get_running_loop().sock_connect(connection, (str(address), port))
        if ip_address(connection.getpeername()[0]) != address:
            raise ConnectionError("the socket is connected elsewhere")
        stack.pop_all()
        return connection


def _now() -> float:
    return asyncio.get_running_loop().time()
