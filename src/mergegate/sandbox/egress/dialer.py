"""Connect to a checked address, never to a name; keep connections for the next request."""

import asyncio
import contextlib
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from typing import TypeAlias

import h11

from mergegate.sandbox.egress.destination import (
    Address,
    Destination,
    Lack,
    Refused,
    broken,
    forbidden,
    too_slow,
)
from mergegate.sandbox.egress.line import CHUNK_BYTES, Line
from mergegate.sandbox.egress.policy import Caps, Policy

Lookup: TypeAlias = Callable[[str], Sequence[str]]
"""A name → its addresses, best first; raises OSError. Called in a thread of its own."""

_AT_ONCE = 16
"""The system's resolver cannot be interrupted; so many threads may hang in it."""


def system_lookup(host: str) -> tuple[str, ...]:
    """The addresses that this machine knows for ``host``; raises OSError."""
    found = socket.getaddrinfo(
        host.encode("ascii"), None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
    )
    return tuple(dict.fromkeys(str(answer[4][0]) for answer in found))


class Names:
    """What was looked up so far; a name keeps its answers until none of them can be reached."""

    def __init__(self, lookup: Lookup, policy: Policy, caps: Caps) -> None:
        self._lookup = lookup
        self._policy = policy
        self._caps = caps
        self._asked: dict[str, asyncio.Task[tuple[str, ...]]] = {}
        self._count = 0
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def addresses(self, to: Destination) -> tuple[Address, ...]:
        """Checked addresses of ``to``, at least one; raises Refused."""
        self._policy.admits(to)
        if to.literal is not None:
            return (to.literal,)
        answers = await self._answers(to.host)
        if not answers:
            self.forget(to.host)
            raise broken("the host's name could not be resolved", Lack.NO_NAME)
        if len(answers) > self._caps.answers:
            raise forbidden("the host's name has too many addresses")
        return tuple(self._checked(to, answer) for answer in answers)

    def forget(self, host: str) -> None:
        """Look ``host`` up anew next time, and check those answers too."""
        task = self._asked.get(host)
        if task is not None and task.done():
            del self._asked[host]

    async def _answers(self, host: str) -> tuple[str, ...]:
        task = self._asked.get(host)
        if task is None:
            task = self._asked[host] = self._ask(host)
        try:
            async with asyncio.timeout(self._caps.lookup_s):
                # Others may wait for the same answer.
                return await asyncio.shield(task)
        except TimeoutError as error:
            raise too_slow("the host's name was not resolved in time") from error

    def _ask(self, host: str) -> asyncio.Task[tuple[str, ...]]:
        if self._count >= self._caps.hosts:
            raise forbidden("the scan has looked up all the names it may look up")
        self._count += 1
        return asyncio.create_task(self._in_turn(host))

    async def _in_turn(self, host: str) -> tuple[str, ...]:
        async with self._turns:
            loop = asyncio.get_running_loop()
            answer: asyncio.Future[tuple[str, ...]] = loop.create_future()

            def settle(found: tuple[str, ...]) -> None:
                if not answer.done():
                    answer.set_result(found)

            def look() -> None:
                found: tuple[str, ...] = ()
                try:
                    found = tuple(self._lookup(host))
                except (OSError, UnicodeError):
                    pass
                finally:
                    with contextlib.suppress(RuntimeError):  # the scan is over
                        loop.call_soon_threadsafe(settle, found)

            threading.Thread(target=look, name="mergegate-lookup", daemon=True).start()
            return await answer

    def _checked(self, to: Destination, answer: str) -> Address:
        try:
            address = ip_address(answer)
        except ValueError as error:
            raise forbidden("the host's name has an address that cannot be read") from error
        self._policy.admits_address(to, address)
        return address


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
            if upstream in self._kept:  # it was not taken meanwhile
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
        raise broken("the host does not take connections", Lack.NO_CONNECTION)


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
